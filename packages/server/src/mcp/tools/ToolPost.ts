import { Post, PostSummary } from "@carillon/domain"
import { Schema, Struct } from "effect"
import { LocalTime, localTimeOrNull } from "./LocalTime.ts"

const local = { scheduled_at_local: Schema.NullOr(LocalTime) }

/** What a list needs to say of a post. */
const concise = [
  "id",
  "status",
  "caption",
  "scheduled_at",
  "use_queue",
  "social_accounts",
  "media",
  "progress",
  "warnings",
  "created_at",
  "published_at"
] as const

/** A post in a list; what belongs to `detail: full` alone may be missing. */
export const ListedPost = Schema.Struct({
  ...Struct.pick(PostSummary.fields, concise),
  ...local,
  platform_configurations: Schema.optionalKey(PostSummary.fields.platform_configurations),
  account_configurations: Schema.optionalKey(PostSummary.fields.account_configurations),
  processing_enabled: Schema.optionalKey(PostSummary.fields.processing_enabled),
  updated_at: Schema.optionalKey(PostSummary.fields.updated_at)
})

/** A post with the result of each account. */
export const WholePost = Schema.Struct({ ...Post.fields, ...local })

export const listedPost = (post: PostSummary, timezone: string, full: boolean) => {
  const { is_draft: _, ...all } = post
  return {
    ...(full ? all : Struct.pick(post, concise)),
    scheduled_at_local: localTimeOrNull(post.scheduled_at, timezone)
  }
}

export const wholePost = (post: Post, timezone: string) => ({
  ...post,
  scheduled_at_local: localTimeOrNull(post.scheduled_at, timezone)
})
