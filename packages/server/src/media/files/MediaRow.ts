import { MediaError, MediaId, MediaKind, MediaStatus, MimeType, PostId, WorkspaceId } from "@carillon/domain"
import { Schema } from "effect"
import { Instant, Int8 } from "../../sql/Rows.ts"

/** Facts that only some platforms ask for: container, codecs, frame rate, animation. */
export const ProbeDetails = Schema.Record(
  Schema.String,
  Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])
)
export interface ProbeDetails extends Schema.Schema.Type<typeof ProbeDetails> {}

/** The codecs for the rules: null where there is no sound, and where the probe does not know. */
export const codecsOf = (probe: ProbeDetails | null) => ({
  video_codec: codec(probe?.["video_codec"]),
  audio_codec: codec(probe?.["audio_codec"])
})

/** The transfer curve of a video with a high dynamic range, `pq` or `hlg`. */
export const transferOf = (probe: ProbeDetails | null) => {
  const transfer = probe?.["transfer"]
  return transfer === "pq" || transfer === "hlg" ? transfer : null
}

const codec = (found: unknown) =>
  typeof found === "string" && found !== "unknown" && found !== "none" ? found : null

/**
 * A row of `media`. `used_by` are the visible posts that use the item anywhere, newest first, a thousand at most. Type
 * and size are null until a fetch has found them; `importing`: it is being fetched, or will be; a failed one is being
 * fetched.
 */
export const MediaRow = Schema.Struct({
  id: MediaId,
  workspace_id: WorkspaceId,
  name: Schema.String,
  alt_text: Schema.NullOr(Schema.String),
  mime_type: Schema.NullOr(MimeType),
  kind: Schema.NullOr(MediaKind),
  size_bytes: Schema.NullOr(Int8),
  status: MediaStatus,
  error: Schema.NullOr(MediaError),
  importing: Schema.Boolean,
  next_try_at: Schema.NullOr(Instant),
  width: Schema.NullOr(Schema.Int),
  height: Schema.NullOr(Schema.Int),
  duration_ms: Schema.NullOr(Schema.Int),
  sha256: Schema.NullOr(Schema.String),
  probe: Schema.NullOr(ProbeDetails),
  upload_expires_at: Schema.NullOr(Instant),
  created_at: Instant,
  deleted_at: Schema.NullOr(Instant),
  expires_at: Schema.NullOr(Instant),
  used_by: Schema.Array(PostId)
})
export interface MediaRow extends Schema.Schema.Type<typeof MediaRow> {}

export type NewMedia = Pick<
  MediaRow,
  "id" | "workspace_id" | "name" | "mime_type" | "kind" | "size_bytes" | "upload_expires_at" | "created_at"
>

/** The facts that the bytes turned out to have. */
export type MediaFacts = Pick<MediaRow, "width" | "height" | "duration_ms" | "probe">

/** Bytes as they are in the store. */
export interface StoredFile extends MediaFacts {
  readonly name: string
  readonly mime_type: MimeType
  readonly kind: MediaKind
  readonly size_bytes: number
  readonly sha256: string
}

/** An item whose bytes are in the store. */
export type ReadyMedia = MediaRow & StoredFile

export const isReady = (row: MediaRow): row is ReadyMedia =>
  row.status === "ready" &&
  row.mime_type !== null &&
  row.kind !== null &&
  row.size_bytes !== null &&
  row.sha256 !== null
