import type { ContentInfo, FileUpload, PhotoSource, VideoInfo } from "./PostInit.ts"

const megabyte = 1_000_000

type Problem = string | undefined

/** The chunk rules of a push: https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide */
export const pushProblem = ({ video_size, chunk_size, total_chunk_count }: FileUpload): Problem => {
  if (video_size < 1 || video_size > 4000 * megabyte) return "video_size must be 1 byte to 4 GB."
  if (chunk_size < 1 || chunk_size > 64 * megabyte) return "chunk_size must be at most 64 MB."
  if (chunk_size < 5 * megabyte && chunk_size !== video_size) return "chunk_size must be at least 5 MB."
  if (total_chunk_count !== Math.floor(video_size / chunk_size)) {
    return "total_chunk_count must be video_size divided by chunk_size, rounded down."
  }
  if (total_chunk_count < 1 || total_chunk_count > 1000) return "total_chunk_count must be 1 to 1000."
  if (video_size > 64 * megabyte && total_chunk_count === 1) return "Over 64 MB there must be several chunks."
  return undefined
}

export const videoProblem = ({ title = "", privacy_level, brand_content_toggle }: VideoInfo): Problem => {
  if (title.length > 2200) return "title has more than 2200 UTF-16 code units."
  return brandProblem(brand_content_toggle, privacy_level)
}

export const contentProblem = (
  { title = "", description = "", privacy_level, brand_content_toggle }: ContentInfo,
  { photo_images, photo_cover_index }: PhotoSource
): Problem => {
  if (title.length > 90) return "title has more than 90 UTF-16 code units."
  if (description.length > 4000) return "description has more than 4000 UTF-16 code units."
  if (photo_images.length < 1 || photo_images.length > 35) return "photo_images must be 1 to 35."
  if (photo_cover_index < 0 || photo_cover_index >= photo_images.length) {
    return "photo_cover_index is not that of a photo."
  }
  return brandProblem(brand_content_toggle, privacy_level)
}

const brandProblem = (branded: boolean | undefined, privacyLevel: string | undefined): Problem =>
  branded === true && privacyLevel === "SELF_ONLY" ? "Branded content cannot be SELF_ONLY." : undefined
