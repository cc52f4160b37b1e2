import type { Media } from "@carillon/domain"
import { Effect, Struct } from "effect"
import { isReady, type MediaRow } from "../files/MediaRow.ts"
import { toPreflightMedia } from "../Preflight.ts"
import type { SignedUrls } from "../files/SignedUrls.ts"
import { thumbnailUrl } from "../images/Thumbnails.ts"
import type { VideoFrames } from "../videos/VideoFrames.ts"

/** What an item says of its row as it stands. */
const shown = [
  "id",
  "name",
  "alt_text",
  "kind",
  "mime_type",
  "size_bytes",
  "status",
  "importing",
  "error",
  "width",
  "height",
  "duration_ms",
  "sha256",
  "created_at",
  "expires_at",
  "used_by"
] as const

/** What it says of its file besides. */
const probed = ["frame_rate", "frames", "video_codec", "audio_codec", "transfer"] as const

export const toMedia = Effect.fnUntraced(function* (
  urls: SignedUrls["Service"],
  frames: VideoFrames["Service"],
  row: MediaRow
) {
  const gone = row.deleted_at !== null
  const there = isReady(row) && !gone ? row : null
  const url = there === null ? null : yield* urls.file(there)
  const thumbnail_url = there === null ? null : yield* thumbnailUrl(urls, frames, there)
  return {
    ...Struct.pick(row, shown),
    ...Struct.pick(toPreflightMedia(row), probed),
    media_id: row.id,
    url,
    thumbnail_url,
    object: { isDeleted: gone, url, size_bytes: row.size_bytes, name: row.name }
  } satisfies Media
})
