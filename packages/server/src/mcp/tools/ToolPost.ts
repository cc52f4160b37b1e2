import { CreatedBy, Post, PostSummary, UpdatedBy } from "@carillon/domain"
import { Schema, Struct } from "effect"
import { LocalTime, localTimeOrNull } from "./LocalTime.ts"

const local = { scheduled_at_local: Schema.NullOr(LocalTime) }

/** The fields of a post in a list. */
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
  "approval",
  "created_at",
  "published_at"
] as const

/** A post in a list; fields of `detail: full` may be missing. */
export const ListedPost = Schema.Struct({
  ...Struct.pick(PostSummary.fields, concise),
  ...local,
  platform_configurations: Schema.optionalKey(PostSummary.fields.platform_configurations),
  account_configurations: Schema.optionalKey(PostSummary.fields.account_configurations),
  processing_enabled: Schema.optionalKey(PostSummary.fields.processing_enabled),
  updated_at: Schema.optionalKey(PostSummary.fields.updated_at),
  version: Schema.optionalKey(PostSummary.fields.version)
})

/** A post with the result of each account. */
export const WholePost = Schema.Struct({
  ...Post.fields,
  version: Schema.String,
  created_by: Schema.NullOr(CreatedBy),
  updated_by: Schema.NullOr(UpdatedBy),
  // As they were given.
  thread: Schema.Unknown,
  thread_fallback: Schema.Unknown,
  ...local,
  next_step: Schema.optionalKey(
    Schema.String.annotate({ description: "Where the post waits for the user's approval, or was refused." })
  )
})

export const listedPost = (post: PostSummary, timezone: string, full: boolean) => {
  const { is_draft: _, ...all } = post
  return {
    ...(full ? all : Struct.pick(post, concise)),
    scheduled_at_local: localTimeOrNull(post.scheduled_at, timezone)
  }
}

export const wholePost = (post: Post, timezone: string, publicUrl: string) => ({
  ...post,
  scheduled_at_local: localTimeOrNull(post.scheduled_at, timezone),
  ...nextStep(post, publicUrl)
})

/** The next step of a held post. */
const nextStep = ({ id, status, approval }: Post, publicUrl: string) => {
  if (status !== "draft" || approval === undefined || approval.status === "approved") return {}
  if (approval.status === "waiting") {
    return {
      next_step: `It waits for the user's approval; only they can let it go out. get_post tells later whether approval.status is approved or refused. Give them this link: ${publicUrl}/approvals/${id}`
    }
  }
  const why = approval.reason === null ? "without a reason" : `because: ${JSON.stringify(approval.reason)}`
  return {
    next_step: `The user refused it ${why}. Change it with update_post, which asks them again, or delete it with delete_post.`
  }
}
