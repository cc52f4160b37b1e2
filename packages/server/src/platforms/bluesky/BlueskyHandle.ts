import { Option, Schema } from "effect"
import { readHandleWith } from "../StoredHandle.ts"

export const Blob = Schema.Struct({
  $type: Schema.Literal("blob"),
  ref: Schema.Struct({ $link: Schema.String }),
  mimeType: Schema.String,
  size: Schema.Int
})

const UploadedImage = Schema.Struct({
  image: Blob,
  aspectRatio: Schema.Struct({ width: Schema.Int, height: Schema.Int })
})

/** A video: its upload in parts, the job that makes it ready, or what came of it. */
const UploadedVideo = Schema.Union([
  Schema.Struct({ upload: Schema.String }),
  Schema.Struct({ job: Schema.String }),
  Schema.Struct({
    blob: Blob,
    /** No video service has converted it. */
    as_it_is: Schema.optionalKey(Schema.Literal(true))
  })
])
export type UploadedVideo = typeof UploadedVideo.Type

/** A link card as it is embedded; null with the reason where there is none. */
const LinkCard = Schema.Struct({
  embed: Schema.NullOr(Schema.Record(Schema.String, Schema.Json)),
  warnings: Schema.Array(Schema.String)
})
export type LinkCard = typeof LinkCard.Type

/** One record with its place in the account's repository. */
export const RecordWrite = Schema.Struct({
  collection: Schema.String,
  rkey: Schema.String,
  value: Schema.Json
})
export type RecordWrite = typeof RecordWrite.Type

/** The parts of an item besides its images. */
const parts = {
  video: Schema.optionalKey(UploadedVideo),
  card: Schema.optionalKey(LinkCard)
}

/** The handle of `prepare`. With `writes` it is complete: every try sends exactly these records, the post first. */
export const BlueskyHandle = Schema.Struct({
  /** By media id. */
  images: Schema.Record(Schema.String, UploadedImage),
  ...parts,
  /** The parts of a thread's later items, by their index. */
  following: Schema.optionalKey(Schema.Record(Schema.String, Schema.Struct(parts))),
  writes: Schema.optionalKey(Schema.NonEmptyArray(RecordWrite))
})
export type BlueskyHandle = typeof BlueskyHandle.Type

export type Parts = Pick<BlueskyHandle, "video" | "card">

export const partsOf = (handle: BlueskyHandle, index: number): Parts =>
  index === 0 ? handle : (handle.following?.[index] ?? {})

export const withParts = (handle: BlueskyHandle, index: number, made: Parts): BlueskyHandle =>
  index === 0
    ? { ...handle, ...made }
    : { ...handle, following: { ...handle.following, [index]: { ...partsOf(handle, index), ...made } } }

export const decodeHandle = Schema.decodeUnknownOption(BlueskyHandle)

export const feedPost = "app.bsky.feed.post"

export const frozenWrites = readHandleWith(
  (saved) => Option.flatMapNullishOr(decodeHandle(saved), ({ writes }) => writes),
  "Bluesky"
)
