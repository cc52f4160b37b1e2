import { Schema } from "effect"

const flag = Schema.optionalKey(Schema.Boolean)
const text = Schema.optionalKey(Schema.String)

const VideoInfo = Schema.Struct({
  title: text,
  privacy_level: Schema.String,
  disable_duet: flag,
  disable_stitch: flag,
  disable_comment: flag,
  video_cover_timestamp_ms: Schema.optionalKey(Schema.Int),
  brand_content_toggle: flag,
  brand_organic_toggle: flag,
  is_aigc: flag
})
export type VideoInfo = typeof VideoInfo.Type

const FileUpload = Schema.Struct({
  source: Schema.Literal("FILE_UPLOAD"),
  video_size: Schema.Int,
  chunk_size: Schema.Int,
  total_chunk_count: Schema.Int
})
export type FileUpload = typeof FileUpload.Type

const source_info = Schema.Union([
  FileUpload,
  Schema.Struct({ source: Schema.Literal("PULL_FROM_URL"), video_url: Schema.String })
])

/** `video/init/`. */
export const VideoInit = Schema.Struct({ post_info: VideoInfo, source_info })

/** `inbox/video/init/`: only the file; everything else is dropped, as TikTok does. */
export const InboxInit = Schema.Struct({ source_info })

const ContentInfo = Schema.Struct({
  title: text,
  description: text,
  privacy_level: text,
  disable_comment: flag,
  auto_add_music: flag,
  brand_content_toggle: flag,
  brand_organic_toggle: flag
})
export type ContentInfo = typeof ContentInfo.Type

const PhotoSource = Schema.Struct({
  source: Schema.Literal("PULL_FROM_URL"),
  photo_images: Schema.Array(Schema.String),
  photo_cover_index: Schema.Int
})
export type PhotoSource = typeof PhotoSource.Type

/** `content/init/`. The AI label is beside `post_info`, not in it. */
export const ContentInit = Schema.Struct({
  media_type: Schema.Literal("PHOTO"),
  post_mode: Schema.Literals(["DIRECT_POST", "MEDIA_UPLOAD"]),
  post_info: ContentInfo,
  source_info: PhotoSource,
  is_aigc: flag
})

export const PublishId = Schema.Struct({ publish_id: Schema.String })
