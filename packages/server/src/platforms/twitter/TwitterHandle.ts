import { Schema } from "effect"
import type { Handle } from "../../engine/Handle.ts"
import { readHandleWith } from "../StoredHandle.ts"

const TwitterFile = Schema.Struct({
  /** X's id of the upload, and of the medium once it is there. */
  id: Schema.String,
  media_key: Schema.optionalKey(Schema.String),
  /** Segments that have arrived; left out where it goes up in one request. */
  sent: Schema.optionalKey(Schema.Int),
  /** All of it has arrived. */
  whole: Schema.Boolean,
  /** X has made it ready to be shown. */
  ready: Schema.Boolean,
  /** In how many seconds X wants to be asked whether it is. */
  ask_after: Schema.optionalKey(Schema.Int),
  /** It has its description. */
  described: Schema.optionalKey(Schema.Boolean),
  /** So many of its subtitles are there. */
  captions: Schema.optionalKey(Schema.Int),
  /** Unix time in milliseconds: X drops it then. */
  expires_at: Schema.optionalKey(Schema.Int)
})
export interface TwitterFile extends Schema.Schema.Type<typeof TwitterFile> {}

const TwitterHandle = Schema.Struct({
  /** By the post's media id. */
  files: Schema.Record(Schema.String, TwitterFile),
  /** Posts of the same words that were there before; null where they could not be seen, left out where nothing asks for them. */
  seen: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
  /** X has refused it as a duplicate, which may be the post itself. */
  duplicate: Schema.optionalKey(Schema.Boolean)
})
export interface TwitterHandle extends Schema.Schema.Type<typeof TwitterHandle> {}

export const decodeHandle = Schema.decodeUnknownOption(TwitterHandle)
export const readHandle = readHandleWith(decodeHandle, "X")

export const handleOf = ({ duplicate, files, seen }: TwitterHandle): Handle => ({
  files: Object.fromEntries(Object.entries(files).map(([id, file]) => [id, { ...file }])),
  ...(seen === undefined ? {} : { seen }),
  ...(duplicate === undefined ? {} : { duplicate })
})
