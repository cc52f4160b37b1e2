import { Schema } from "effect"
import { anyOf, Flag, List, paging, Several, SeveralIds } from "./Lists.ts"
import { MediaId, PostId } from "./Ids.ts"
import { ErrorClass } from "./Failure.ts"
import { Text } from "./Text.ts"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"
import { success } from "./Success.ts"

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
  mime_type: field(
    "The file's MIME type, such as `image/jpeg`. Bytes of another type are refused.",
    MimeType
  ),
  size_bytes: field(
    "The exact length of the file, in bytes. An upload of another length is refused.",
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))
  ),
  name: field(
    "A file name for the library, such as `bells.jpg`; directories, and all after 255 characters, are cut off. Default: one made from `mime_type`.",
    Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000))))
  )
}).annotate({ identifier: "ReserveUpload" })
export interface ReserveUpload extends Schema.Schema.Type<typeof ReserveUpload> {}

/** PUT the raw bytes to `upload_url` before `expires_at`, then POST to `complete_url` to confirm. */
export const UploadReservation = Schema.Struct({
  media_id: field(
    "The item's id, for `media` of posts. Upload first: a post to be published is refused while the item is `reserved`.",
    MediaId
  ),
  upload_url: field(
    "PUT the raw bytes here, with `mime_type` as the `Content-Type`. The URL is signed, so it needs no `Authorization`.",
    Schema.String
  ),
  complete_url: field(
    "POST here to confirm the upload. Optional: the bytes alone make the item `ready`.",
    Schema.String
  ),
  name: field("The item's name in the library: `name` of the request without directories.", Schema.String),
  expires_at: field(
    "When `upload_url` expires, in UTC: an hour after the request. Reserve again after that.",
    Timestamp
  )
}).annotate({ identifier: "UploadReservation" })
export interface UploadReservation extends Schema.Schema.Type<typeof UploadReservation> {}

/** The address of a file that the service fetches itself: https or http, a public host, 8192 characters at most. */
export const MediaUrl = Schema.String.check(Schema.isMaxLength(8192)).annotate({ identifier: "MediaUrl" })

/** `POST /v1/media/import`. `name` is shown in the library; without it the server's name or the URL's is. */
export const ImportMedia = Schema.Struct({
  url: field(
    "The file's URL: http or https, on port 80 or 443 of a public host, without user name or password.",
    MediaUrl
  ),
  name: field(
    "A file name for the library; directories, and all after 255 characters, are cut off. Default: the one that the file's server gives, else the end of the URL.",
    Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isMaxLength(1000))))
  )
}).annotate({ identifier: "ImportMedia" })
export interface ImportMedia extends Schema.Schema.Type<typeof ImportMedia> {}

/** Why an item's bytes could not be fetched: the class that its posts fail with, a stable code, and a sentence. */
export const MediaError = Schema.Struct({
  code: field("A stable name of the cause, for programs, such as `timed_out` or `too_large`.", Schema.String),
  class: field(
    "The kind of failure: the `class` of the error with which posts that use the item fail.",
    ErrorClass
  ),
  message: field("A sentence for people: what happened, and what to do. Its words may change.", Schema.String)
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
    "A description for people who cannot see it; a post's own `alt_text` wins. null: removes it. Absent: unchanged.",
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
  id: field("A UUID, for `media` of posts. It never changes.", MediaId),
  media_id: field("The same as `id`, under the name that uploads use.", MediaId),
  name: field("The file's name in the library, such as `bells.jpg`; `PATCH` can change it.", Schema.String),
  alt_text: field(
    "A description for people who cannot see it; a post's own `alt_text` wins. null: none.",
    Schema.NullOr(Schema.String)
  ),
  kind: field(
    "`image`, `video` or `document`, as the bytes show. null: a file from a URL that has not been fetched.",
    Schema.NullOr(MediaKind)
  ),
  mime_type: field(
    "The MIME type of the stored file, as its bytes show; null: a file from a URL that has not been fetched.",
    Schema.NullOr(MimeType)
  ),
  size_bytes: field(
    "The file's length, in bytes; null: a file from a URL that has not been fetched.",
    Schema.NullOr(Schema.Int)
  ),
  status: field(
    "`reserved`: the bytes have not arrived. `ready`: posts can use it. `failed`: the bytes could not be fetched from their URL; scheduled posts try again.",
    MediaStatus
  ),
  importing: field("Whether its bytes are being fetched from a URL, or will be.", Schema.Boolean),
  error: field(
    "Why its bytes could not be fetched from their URL; null: they were, or it has no URL.",
    Schema.NullOr(MediaError)
  ),
  width: field(
    "Width as shown, after rotation, in pixels; null: not known, or a document.",
    Schema.NullOr(Schema.Int)
  ),
  height: field(
    "Height as shown, after rotation, in pixels; null: not known, or a document.",
    Schema.NullOr(Schema.Int)
  ),
  duration_ms: field(
    "A video's length, in milliseconds; null: not a video, or not known.",
    Schema.NullOr(Schema.Int)
  ),
  frame_rate: field(
    "A video's frames per second; null: not a video, or not known.",
    Schema.NullOr(Schema.Finite)
  ),
  frames: field(
    "How many frames an animated image has; null: it is not an animated image.",
    Schema.NullOr(Schema.Finite)
  ),
  video_codec: field(
    "A video's picture codec, such as `avc` or `hevc`; null: not a video, or not known.",
    Schema.NullOr(Schema.String)
  ),
  audio_codec: field(
    "A video's sound codec, such as `aac`; null: no sound, or not known.",
    Schema.NullOr(Schema.String)
  ),
  transfer: field(
    "The transfer curve of an HDR video: `pq` or `hlg`. null: not an HDR video.",
    Schema.NullOr(Schema.Literals(["pq", "hlg"]))
  ),
  sha256: field(
    "The SHA-256 of the stored bytes, as 64 hexadecimal digits; null: they have not arrived.",
    Schema.NullOr(Schema.String)
  ),
  url: field(
    "A signed URL of the file, which needs no credential for at least 24 hours; read the item again for a fresh one. null: its bytes have not arrived.",
    Schema.NullOr(Schema.String)
  ),
  thumbnail_url: field(
    "A signed URL of a WebP thumbnail of at most 480 pixels; for a video, of its first frame. null: no thumbnail, as for documents, for HEIC, and for videos if the service has no ffmpeg.",
    Schema.NullOr(Schema.String)
  ),
  created_at: field(
    "When the upload was reserved, or the import requested, by itself or in a post's `media_urls`; in UTC.",
    Timestamp
  ),
  expires_at: field(
    "When it will be removed, in UTC, where the operator has set a retention; null: never, or not while a draft or scheduled post needs it.",
    Schema.NullOr(Timestamp)
  ),
  used_by: field(
    "Ids of the posts that use the item, drafts and published ones too, newest first: the newest 1,000, if there are more. Empty: none.",
    Schema.Array(PostId).check(Schema.isMaxLength(1000))
  ),
  object: field(
    "Some of the fields again, in the shape that clients of Post Bridge read.",
    Schema.Struct({
      isDeleted: field("true: the item has been deleted, and `url` is null.", Schema.Boolean),
      url: field(
        "The same as the item's `url`: signed, for at least 24 hours. null: its bytes have not arrived.",
        Schema.NullOr(Schema.String)
      ),
      size_bytes: field(
        "The same as the item's `size_bytes`: the file's length, in bytes. null: not known.",
        Schema.NullOr(Schema.Int)
      ),
      name: field("The same as the item's `name`: the file's name in the library.", Schema.String)
    })
  )
}).annotate({ identifier: "Media" })
export interface Media extends Schema.Schema.Type<typeof Media> {}

export const MediaList = List(Media).annotate({ identifier: "MediaList" })

export const MediaFilter = Schema.Struct({
  ...paging,
  type: anyOf("Only items of any of these kinds, as in `kind`.", Several(MediaKind)),
  status: anyOf("Only items with any of these statuses, such as `ready`.", Several(MediaStatus)),
  post_id: anyOf(
    "Only items that any of the posts with these ids uses; an unknown id finds nothing.",
    SeveralIds
  ),
  q: field(
    "Only items whose name contains this text, in any case. Absent: all.",
    Schema.optionalKey(Text.check(Schema.isMaxLength(1000)))
  ),
  unused: field(
    "true: only items that no post uses. false: only items that a post uses. Absent: both.",
    Schema.optionalKey(Flag)
  ),
  described: field(
    "true: only items with an `alt_text`. false: only items without one. Absent: both.",
    Schema.optionalKey(Flag)
  )
})
export interface MediaFilter extends Schema.Schema.Type<typeof MediaFilter> {}

/** `drafts` names the drafts that lost the item. */
export const MediaDeleted = Schema.Struct({
  success,
  id: field("The deleted item's id. Published posts still name it in `media`.", MediaId),
  drafts: field(
    "Ids of the drafts that the item was removed from; they stay without it. Empty: no draft had it.",
    Schema.Array(PostId).check(Schema.isMaxLength(100_000))
  )
}).annotate({ identifier: "MediaDeleted" })
export interface MediaDeleted extends Schema.Schema.Type<typeof MediaDeleted> {}
