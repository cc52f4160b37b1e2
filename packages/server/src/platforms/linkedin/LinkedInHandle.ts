import { Option, Schema } from "effect"
import type { Handle } from "../../engine/Handle.ts"
import { readHandleWith } from "../StoredHandle.ts"

const Article = Schema.Struct({
  source: Schema.String,
  title: Schema.String,
  description: Schema.optionalKey(Schema.String),
  thumbnail: Schema.optionalKey(Schema.String)
})

/** The ranges of a video, each with an address of its own. */
const Upload = Schema.Struct({
  token: Schema.String,
  parts: Schema.Array(Schema.Struct({ url: Schema.String, first: Schema.Int, last: Schema.Int })),
  thumbnail: Schema.optionalKey(Schema.String)
})
export type Upload = typeof Upload.Type

const LinkedInHandle = Schema.Struct({
  /** Pages: their newest posts before this one was sent; null where they could not be seen. */
  seen: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
  /** The URNs of the files that LinkedIn has, by media id. */
  assets: Schema.Record(Schema.String, Schema.String),
  /** A video whose ranges are being sent. */
  video: Schema.optionalKey(Schema.Struct({ urn: Schema.String, etags: Schema.Array(Schema.String) })),
  /** Stored encrypted: a holder of these addresses can send bytes to them. */
  upload: Schema.optionalKey(Upload),
  /** Unix time in milliseconds. */
  uploaded_at: Schema.optionalKey(Schema.Int),
  /** How often a file was still being processed. */
  looks: Schema.optionalKey(Schema.Int),
  /** The link card; without an article, why there is none. */
  card: Schema.optionalKey(
    Schema.Struct({ article: Schema.NullOr(Article), warnings: Schema.Array(Schema.String) })
  ),
  /** The post that LinkedIn named when it refused this one as a duplicate. */
  duplicate: Schema.optionalKey(Schema.String)
})
export interface LinkedInHandle extends Schema.Schema.Type<typeof LinkedInHandle> {}

const decodeHandle = Schema.decodeUnknownOption(LinkedInHandle)

export const readHandle = readHandleWith(decodeHandle, "LinkedIn")

export const startedHandle = (saved: Handle | null): LinkedInHandle =>
  Option.getOrElse(decodeHandle(saved), () => ({ assets: {} }))

/** As the engine stores it. */
export const storedHandle = (handle: LinkedInHandle): Handle => ({ ...handle })
