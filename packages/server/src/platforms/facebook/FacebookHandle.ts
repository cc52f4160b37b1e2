import { Option, Schema } from "effect"
import type { Handle } from "../../engine/Handle.ts"
import { readHandleWith } from "../StoredHandle.ts"

const Video = Schema.Struct({
  id: Schema.String,
  /** Where a reel's or a story's bytes go. */
  upload_url: Schema.optionalKey(Schema.String),
  /** Of a video in the feed: its upload, and the range that comes next; both offsets are alike at its end. */
  session: Schema.optionalKey(
    Schema.Struct({ id: Schema.String, start_offset: Schema.Int, end_offset: Schema.Int })
  )
})

const FacebookHandle = Schema.Struct({
  /** Posts that the Page had before this one; null: they could not be read. */
  seen: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
  /** The ids of the pictures, which nobody sees yet, by media id. */
  photos: Schema.Record(Schema.String, Schema.String),
  video: Schema.optionalKey(Video),
  /** When Facebook was first seen at work on the video, as Unix time in milliseconds, and how often it was asked since. */
  since: Schema.optionalKey(Schema.Int),
  looks: Schema.optionalKey(Schema.Int),
  /** Facebook took the commit of the video. */
  accepted: Schema.optionalKey(Schema.Boolean),
  /** The id of the story, where the commit gave one. */
  post_id: Schema.optionalKey(Schema.String),
  /** Facebook refused the post as one that the Page has already, with these words. */
  duplicate: Schema.optionalKey(Schema.Struct({ code: Schema.String, message: Schema.String }))
})
export interface FacebookHandle extends Schema.Schema.Type<typeof FacebookHandle> {}
export type Video = typeof Video.Type

const decodeHandle = Schema.decodeUnknownOption(FacebookHandle)

export const readHandle = readHandleWith(decodeHandle, "Facebook")

export const startedHandle = (saved: Handle | null): FacebookHandle =>
  Option.getOrElse(decodeHandle(saved), () => ({ photos: {} }))

/** As the engine stores it. */
export const storedHandle = (handle: FacebookHandle): Handle => ({ ...handle })
