import type { PostRow } from "./PostColumns.ts"
import { isScheduledAnew } from "./PostTimes.ts"

type Change = Pick<PostRow, "approval" | "scheduled_at" | "status">

/** What happened to a post that was `before`, null: not there, in the order in which it is told. */
export const eventsOf = (before: Change | null, post: Change) => [
  before === null ? ("post.created" as const) : ("post.updated" as const),
  ...(isWaiting(post) && !isWaiting(before) ? (["post.approval_requested"] as const) : []),
  ...(isScheduledAnew(before, post) ? (["post.scheduled"] as const) : [])
]

const isWaiting = (post: Change | null) => post?.approval?.status === "waiting"
