import { Schema } from "effect"
import { Flag, List, paging, Several, SeveralIds } from "./Lists.ts"
import { MediaId, PostId } from "./Ids.ts"
import { ErrorClass } from "./Failure.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"

/** Every type that can be uploaded. */
export const mimeTypes = {
  "image/jpeg": "image",
  "image/png": "image",
  "image/webp": "image",
  "image/gif": "image",
  "image/heic": "image",
  "video/mp4": "video",
  "video/quicktime": "video",
  "video/webm": "video",
  "application/pdf": "document"
} as const

export const MimeType = Schema.Literals(Object.keys(mimeTypes) as Array<keyof typeof mimeTypes>).annotate({
  identifier: "MimeType"
})
export type MimeType = typeof MimeType.Type

export const MediaKind = Schema.Literals(["image", "video", "document"]).annotate({ identifier: "MediaKind" })
export type MediaKind = typeof MediaKind.Type

/**
 * `reserved` until the bytes have arrived; `failed` when they could not be fetched from their URL, which is tried again for
 * scheduled posts.
 */
export const MediaStatus = Schema.Literals(["reserved", "ready", "failed"]).annotate({
  identifier: "MediaStatus"
})
export type MediaStatus = typeof MediaStatus.Type

/** Removes directories and control characters from a file name that somebody sent. */
export const cleanFileName = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? "")
    // Control characters, and the marks that reverse the reading direction to disguise an extension.
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "")
    .trim()
    .slice(0, 255)

/** `POST /v1/media/create-upload-url`. `size_bytes` is the exact length of the file in bytes. */
export const ReserveUpload = Schema.Struct({
  mime_type: MimeType,
  size_bytes: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  name: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000))))
}).annotate({ identifier: "ReserveUpload" })
export interface ReserveUpload extends Schema.Schema.Type<typeof ReserveUpload> {}

/** PUT the raw bytes to `upload_url` before `expires_at`, then POST to `complete_url` to confirm. */
export const UploadReservation = Schema.Struct({
  media_id: MediaId,
  upload_url: Schema.String,
  complete_url: Schema.String,
  name: Schema.String,
  expires_at: Timestamp
}).annotate({ identifier: "UploadReservation" })
export interface UploadReservation extends Schema.Schema.Type<typeof UploadReservation> {}

/** The address of a file that the service fetches itself: https or http, a public host, 8192 characters at most. */
export const MediaUrl = Schema.String.check(Schema.isMaxLength(8192)).annotate({ identifier: "MediaUrl" })

/** `POST /v1/media/import`. `name` is shown in the library; without it the server's name or the URL's is. */
export const ImportMedia = Schema.Struct({
  url: MediaUrl,
  name: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000))))
}).annotate({ identifier: "ImportMedia" })
export interface ImportMedia extends Schema.Schema.Type<typeof ImportMedia> {}

/** Why an item's bytes could not be fetched: the class that its posts fail with, a stable code, and a sentence. */
export const MediaError = Schema.Struct({
  code: Schema.String,
  class: ErrorClass,
  message: Schema.String
}).annotate({ identifier: "MediaError" })
export interface MediaError extends Schema.Schema.Type<typeof MediaError> {}

/** The longest description of a medium; networks that take less get its beginning. */
export const longestAltText = 2000

export const AltText = Text.check(Schema.isMaxLength(longestAltText)).annotate({
  description:
    "The description for people who cannot see it; sent with posts that have no `alt_text` of their own."
})

/** `PATCH /v1/media/{id}`: an absent key is unchanged. */
export const UpdateMedia = Schema.Struct({
  name: Schema.optionalKey(Text.check(Schema.isBetweenLength(1, 255))),
  alt_text: Schema.optionalKey(Schema.NullOr(AltText))
}).annotate({ identifier: "UpdateMedia" })
export interface UpdateMedia extends Schema.Schema.Type<typeof UpdateMedia> {}

/**
 * `url` is signed and expires. Sizes are bytes and pixels, durations milliseconds, `sha256` is hexadecimal.
 * `mime_type` and `size_bytes` are null until an item that is fetched from a URL is ready. `expires_at` is when it will
 * be removed, where the operator has set a retention; null while a draft or scheduled post needs it. `importing`: its
 * bytes are being fetched from a URL, or will be.
 */
export const Media = Schema.Struct({
  id: MediaId,
  media_id: MediaId,
  name: Schema.String,
  alt_text: Schema.NullOr(Schema.String).annotate({
    description:
      "The description for people who cannot see it; sent with posts that have no `alt_text` of their own."
  }),
  kind: Schema.NullOr(MediaKind),
  mime_type: Schema.NullOr(MimeType),
  size_bytes: Schema.NullOr(Schema.Int),
  status: MediaStatus,
  importing: Schema.Boolean,
  error: Schema.NullOr(MediaError),
  width: Schema.NullOr(Schema.Int),
  height: Schema.NullOr(Schema.Int),
  duration_ms: Schema.NullOr(Schema.Int),
  frame_rate: Schema.NullOr(Schema.Finite).annotate({ description: "Frames per second of a video." }),
  frames: Schema.NullOr(Schema.Finite).annotate({ description: "Frames of an animated image." }),
  video_codec: Schema.NullOr(Schema.String),
  audio_codec: Schema.NullOr(Schema.String).annotate({ description: "null: no sound, or unknown." }),
  transfer: Schema.NullOr(Schema.Literals(["pq", "hlg"])).annotate({
    description: "The transfer curve of a video with a high dynamic range."
  }),
  sha256: Schema.NullOr(Schema.String),
  url: Schema.NullOr(Schema.String),
  thumbnail_url: Schema.NullOr(Schema.String).annotate({
    description:
      "A signed URL of a WebP thumbnail of at most 480 pixels; for a video, of its first frame. null: no thumbnail, as for documents, for HEIC, and for videos if the service has no ffmpeg."
  }),
  created_at: Timestamp,
  expires_at: Schema.NullOr(Timestamp),
  used_by: Schema.Array(PostId).check(Schema.isMaxLength(1000)),
  object: Schema.Struct({
    isDeleted: Schema.Boolean,
    url: Schema.NullOr(Schema.String),
    size_bytes: Schema.NullOr(Schema.Int),
    name: Schema.String
  })
}).annotate({ identifier: "Media" })
export interface Media extends Schema.Schema.Type<typeof Media> {}

export const MediaList = List(Media).annotate({ identifier: "MediaList" })

export const MediaFilter = Schema.Struct({
  ...paging,
  type: Schema.optionalKey(Several(MediaKind)),
  status: Schema.optionalKey(Several(MediaStatus)),
  post_id: Schema.optionalKey(SeveralIds),
  q: Schema.optionalKey(Text.check(Schema.isMaxLength(1000))),
  unused: Schema.optionalKey(Flag.annotate({ description: "`true`: only items on no post." })),
  described: Schema.optionalKey(Flag.annotate({ description: "`false`: only items without an `alt_text`." }))
})
export interface MediaFilter extends Schema.Schema.Type<typeof MediaFilter> {}

/** `drafts` names the drafts that lost the item. */
export const MediaDeleted = Schema.Struct({
  success: Schema.Literal(true),
  id: MediaId,
  drafts: Schema.Array(PostId).check(Schema.isMaxLength(100_000))
}).annotate({ identifier: "MediaDeleted" })
export interface MediaDeleted extends Schema.Schema.Type<typeof MediaDeleted> {}
