import { Schema } from "effect"
import { Flag, List, paging, Several, SeveralIds } from "./Lists.ts"
import { MediaId, PostId } from "./Ids.ts"
import { ErrorClass } from "./Failure.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"

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
  mime_type: field("The file's type. The bytes are checked against it.", MimeType),
  size_bytes: field(
    "The exact length of the file in bytes; an upload of another length is refused.",
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))
  ),
  name: field(
    "A file name for the library; directories are cut off. Default: one made of the type.",
    Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000))))
  )
}).annotate({ identifier: "ReserveUpload" })
export interface ReserveUpload extends Schema.Schema.Type<typeof ReserveUpload> {}

/** PUT the raw bytes to `upload_url` before `expires_at`, then POST to `complete_url` to confirm. */
export const UploadReservation = Schema.Struct({
  media_id: field("The id to use in posts. The item is `reserved` until the bytes have arrived.", MediaId),
  upload_url: field(
    "PUT the raw bytes here. The URL is signed: no `Authorization` is needed.",
    Schema.String
  ),
  complete_url: field(
    "POST here to confirm the upload. Optional: the bytes alone make the item `ready`.",
    Schema.String
  ),
  name: field("The name that the item has in the library: `name` of the request, cleaned.", Schema.String),
  expires_at: field("Until when `upload_url` takes the bytes; afterwards, reserve again.", Timestamp)
}).annotate({ identifier: "UploadReservation" })
export interface UploadReservation extends Schema.Schema.Type<typeof UploadReservation> {}

/** The address of a file that the service fetches itself: https or http, a public host, 8192 characters at most. */
export const MediaUrl = Schema.String.check(Schema.isMaxLength(8192)).annotate({ identifier: "MediaUrl" })

/** `POST /v1/media/import`. `name` is shown in the library; without it the server's name or the URL's is. */
export const ImportMedia = Schema.Struct({
  url: field(
    "The file's address: http or https on port 80 or 443 of a public host, without user name or password.",
    MediaUrl
  ),
  name: field(
    "A name for the library. Default: the one that its server gives, or the end of the URL.",
    Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000))))
  )
}).annotate({ identifier: "ImportMedia" })
export interface ImportMedia extends Schema.Schema.Type<typeof ImportMedia> {}

/** Why an item's bytes could not be fetched: the class that its posts fail with, a stable code, and a sentence. */
export const MediaError = Schema.Struct({
  code: field("A stable word for the cause, for programs.", Schema.String),
  class: field("The class of failure that posts with the item fail with.", ErrorClass),
  message: field("A sentence for people: what happened, and what to do.", Schema.String)
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
  name: field(
    "A new name in the library, 1 to 255 characters. Absent: unchanged.",
    Schema.optionalKey(Text.check(Schema.isBetweenLength(1, 255)))
  ),
  alt_text: field(
    "The description for people who cannot see it; posts with an `alt_text` of their own do not use it. null: none.",
    Schema.optionalKey(Schema.NullOr(AltText))
  )
}).annotate({ identifier: "UpdateMedia" })
export interface UpdateMedia extends Schema.Schema.Type<typeof UpdateMedia> {}

/**
 * `url` is signed and expires. Sizes are bytes and pixels, durations milliseconds, `sha256` is hexadecimal.
 * `mime_type` and `size_bytes` are null until an item that is fetched from a URL is ready. `expires_at` is when it will
 * be removed, where the operator has set a retention; null while a draft or scheduled post needs it. `importing`: its
 * bytes are being fetched from a URL, or will be.
 */
export const Media = Schema.Struct({
  id: field("A UUID; posts name it in `media`.", MediaId),
  media_id: field("The same as `id`.", MediaId),
  name: field("The file's name in the library; `PATCH` changes it.", Schema.String),
  alt_text: field(
    "The description for people who cannot see it; sent with posts that have no `alt_text` of their own. null: none.",
    Schema.NullOr(Schema.String)
  ),
  kind: field(
    "Image, video or document; null: not known until a file from a URL has been fetched.",
    Schema.NullOr(MediaKind)
  ),
  mime_type: field(
    "The type of the stored file; null: not known until a file from a URL has been fetched.",
    Schema.NullOr(MimeType)
  ),
  size_bytes: field(
    "The length in bytes; null: not known until a file from a URL has been fetched.",
    Schema.NullOr(Schema.Int)
  ),
  status: field(
    "`reserved` until the bytes have arrived. `failed`: they could not be fetched from their URL, which is tried again for scheduled posts.",
    MediaStatus
  ),
  importing: field("Whether its bytes are being fetched from a URL, or will be.", Schema.Boolean),
  error: field(
    "Why its bytes could not be fetched; null: they could, or it was uploaded.",
    Schema.NullOr(MediaError)
  ),
  width: field("Pixels, as shown; null: not known, or a document.", Schema.NullOr(Schema.Int)),
  height: field("Pixels, as shown; null: not known, or a document.", Schema.NullOr(Schema.Int)),
  duration_ms: field(
    "How long a video runs, in milliseconds; null: no video, or not known.",
    Schema.NullOr(Schema.Int)
  ),
  frame_rate: field(
    "Frames per second of a video; null: no video, or not known.",
    Schema.NullOr(Schema.Finite)
  ),
  frames: field(
    "How many frames an animated image has; null: no animated image.",
    Schema.NullOr(Schema.Finite)
  ),
  video_codec: field(
    "How a video's picture is encoded, such as `avc` or `hevc`; null: no video, or not known.",
    Schema.NullOr(Schema.String)
  ),
  audio_codec: field(
    "How its sound is encoded, such as `aac`; null: no sound, or not known.",
    Schema.NullOr(Schema.String)
  ),
  transfer: field(
    "The transfer curve of a video with a high dynamic range; null: a usual one, or no video.",
    Schema.NullOr(Schema.Literals(["pq", "hlg"]))
  ),
  sha256: field(
    "The SHA-256 of the bytes, in hexadecimal; null: they have not arrived.",
    Schema.NullOr(Schema.String)
  ),
  url: field(
    "A signed URL of the file, valid for at least a day; null: there are no bytes.",
    Schema.NullOr(Schema.String)
  ),
  thumbnail_url: field(
    "A signed URL of a WebP thumbnail of at most 480 pixels; for a video, of its first frame. null: no thumbnail, as for documents, for HEIC, and for videos if the service has no ffmpeg.",
    Schema.NullOr(Schema.String)
  ),
  created_at: field("When it was reserved or its import began, in UTC.", Timestamp),
  expires_at: field(
    "When it will be removed, where the operator has set a retention; null: never, or not while a draft or scheduled post needs it.",
    Schema.NullOr(Timestamp)
  ),
  used_by: field(
    "Ids of the posts that use it, 1,000 at most.",
    Schema.Array(PostId).check(Schema.isMaxLength(1000))
  ),
  object: field(
    "Some fields again, under the names that programs for Post Bridge read.",
    Schema.Struct({
      isDeleted: field("Whether the item has been deleted.", Schema.Boolean),
      url: field("The signed URL of the file, as in the item's own `url`.", Schema.NullOr(Schema.String)),
      size_bytes: field("The same as the item's `size_bytes`.", Schema.NullOr(Schema.Int)),
      name: field("The same as the item's `name`.", Schema.String)
    })
  )
}).annotate({ identifier: "Media" })
export interface Media extends Schema.Schema.Type<typeof Media> {}

export const MediaList = List(Media).annotate({ identifier: "MediaList" })

export const MediaFilter = Schema.Struct({
  ...paging,
  type: field("Only items of these kinds.", Schema.optionalKey(Several(MediaKind))),
  status: field("Only items with one of these statuses.", Schema.optionalKey(Several(MediaStatus))),
  post_id: field("Only items that one of these posts uses, by id.", Schema.optionalKey(SeveralIds)),
  q: field("Text in the name, in any case.", Schema.optionalKey(Text.check(Schema.isMaxLength(1000)))),
  unused: field(
    "true: only items that no post uses. false: only those that one does.",
    Schema.optionalKey(Flag)
  ),
  described: field(
    "true: only items with an `alt_text`. false: only those without.",
    Schema.optionalKey(Flag)
  )
})
export interface MediaFilter extends Schema.Schema.Type<typeof MediaFilter> {}

/** `drafts` names the drafts that lost the item. */
export const MediaDeleted = Schema.Struct({
  success: field("Always true; a failure has a status and a body of its own.", Schema.Literal(true)),
  id: field("The id of the item that is gone.", MediaId),
  drafts: field("Ids of the drafts that lost it.", Schema.Array(PostId).check(Schema.isMaxLength(100_000)))
}).annotate({ identifier: "MediaDeleted" })
export interface MediaDeleted extends Schema.Schema.Type<typeof MediaDeleted> {}
