import type { Media } from "@carillon/domain"
import { Effect, Struct } from "effect"
import { isReady, type MediaRow } from "./MediaRepository.ts"
import type { SignedUrls } from "./SignedUrls.ts"

/** What an item says of its row as it stands. */
const shown = [
  "id",
  "name",
  "mime_type",
  "size_bytes",
  "status",
  "error",
  "width",
  "height",
  "duration_ms",
  "sha256",
  "created_at",
  "expires_at",
  "used_by"
] as const

export const toMedia = Effect.fnUntraced(function* (urls: SignedUrls["Service"], row: MediaRow) {
  const gone = row.deleted_at !== null
  const url = isReady(row) && !gone ? yield* urls.file(row) : null
  return {
    ...Struct.pick(row, shown),
    media_id: row.id,
    url,
    object: { isDeleted: gone, url, size_bytes: row.size_bytes, name: row.name }
  } satisfies Media
})
