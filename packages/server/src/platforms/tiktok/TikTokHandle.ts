import { Schema } from "effect"
import { readHandleWith } from "../StoredHandle.ts"
import { nextChunk } from "./Chunks.ts"
import type { CreatorInfo } from "./PostInfo.ts"

const followed = {
  inbox: Schema.Boolean,
  /** Others will see it, so it gets a usable id. */
  public: Schema.Boolean,
  /** As the creator info had it when the post was begun; a draft has no address that would need it. */
  username: Schema.optionalKey(Schema.String),
  /** When TikTok had all of it: Unix time in milliseconds. */
  accepted_at: Schema.NullOr(Schema.Int),
  /** When it was found published without an id. */
  complete_at: Schema.NullOr(Schema.Int)
}
const PushHandle = Schema.Struct({
  _tag: Schema.tag("push"),
  publish_id: Schema.String,
  upload_url: Schema.String,
  size: Schema.Int,
  chunk_size: Schema.Int,
  /** Bytes that have arrived. */
  sent: Schema.Int,
  ...followed
})
const PullHandle = Schema.Struct({
  _tag: Schema.tag("pull"),
  publish_id: Schema.NullOr(Schema.String),
  post_info: Schema.Record(Schema.String, Schema.Json),
  photo_images: Schema.Array(Schema.String),
  ...followed
})
const TikTokHandle = Schema.Union([PushHandle, PullHandle])
export type PushHandle = typeof PushHandle.Type
export type PullHandle = typeof PullHandle.Type
export type TikTokHandle = typeof TikTokHandle.Type

export const decodeHandle = Schema.decodeUnknownOption(TikTokHandle)
export const readHandle = readHandleWith(decodeHandle, "TikTok")

/** Of a post to an audience, or of a draft (null). */
export const unfollowed = (
  direct: { readonly level: string; readonly creator: Pick<CreatorInfo, "creator_username"> } | null
) => ({
  inbox: direct === null,
  public: direct?.level === "PUBLIC_TO_EVERYONE",
  ...(direct?.creator.creator_username === undefined ? {} : { username: direct.creator.creator_username }),
  accepted_at: null,
  complete_at: null
})

export const chunkAfter = ({ sent, size, chunk_size }: PushHandle) => nextChunk(sent, size, chunk_size)

export const withSent = (handle: PushHandle, sent: number): PushHandle => ({ ...handle, sent })
