import { PostId } from "@carillon/domain"
import { DateTime } from "effect"
import { SecureRandom } from "effect/crypto"

const withTime = (at: DateTime.Utc, rest: string) => {
  const time = DateTime.toEpochMillis(at).toString(16).padStart(12, "0")
  return `${time.slice(0, 8)}-${time.slice(8)}${rest}`
}

/** A new UUID v7 whose time is exactly the post's `created_at`, because lists are in the order of the ids. */
export const newPostId = (createdAt: DateTime.Utc): PostId =>
  PostId.make(withTime(createdAt, SecureRandom.uuidV7Unsafe().slice(13)))

/** The times that fit into an id. */
const inIds = { minimum: DateTime.makeUnsafe(0), maximum: DateTime.makeUnsafe(2 ** 48 - 1) }

/** The lowest id that a post created at this time can have. */
export const firstPostIdAt = (at: DateTime.Utc): string =>
  withTime(DateTime.clamp(at, inIds), "-7000-8000-000000000000")
