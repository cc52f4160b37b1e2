import {
  type ApprovePost,
  type BadRequest,
  badRequest,
  type Conflict,
  type CreatePost,
  creatorOf,
  CurrentActor,
  type PostId,
  problem,
  type RequestApproval,
  type UpdatePost
} from "@carillon/domain"
import { DateTime, Effect } from "effect"
import { actingCredential, type Audit } from "../audit/Audit.ts"
import { passedPlan, type PostChange, readTime } from "./PostTimes.ts"
import type { PostRow } from "./PostColumns.ts"
import type { StoredApproval } from "./StoredApproval.ts"

type Asker = Pick<StoredApproval, "asked_by" | "grant_id">
type Wish = Pick<StoredApproval, "wants" | "queue_timezone">

/** The change, limited so that the post stays a draft. */
export const asDraft = ({ use_queue, publish, ...changes }: PostChange): UpdatePost => ({
  ...changes,
  ...(use_queue || publish ? { scheduled_at: null } : {}),
  is_draft: true
})

const wishIn = ({ use_queue, scheduled_at, is_draft, publish }: PostChange): Wish | "none" | "unsaid" => {
  if (is_draft) return "none"
  if (use_queue) {
    return { wants: "queue", queue_timezone: use_queue === true ? null : (use_queue.timezone ?? null) }
  }
  if (publish) return { wants: "now", queue_timezone: null }
  if (scheduled_at === null) return "none"
  return scheduled_at === undefined ? "unsaid" : { wants: "scheduled", queue_timezone: null }
}

export const askerOf = (actor: CurrentActor["Service"]): Asker => ({
  asked_by: creatorOf(actor),
  grant_id: actor.grant?.id ?? null
})

const waiting = (wish: Wish, asker: Asker, asked_at: DateTime.Utc): StoredApproval => ({
  ...wish,
  ...asker,
  status: "waiting",
  asked_at,
  decided_at: null,
  decided_by: null,
  reason: null
})

/** The change by which a post is put before a person. */
export const requesting = ({ scheduled_at, use_queue }: RequestApproval): PostChange => ({
  asksApproval: true,
  is_draft: false,
  ...((scheduled_at ?? null) === null ? {} : { scheduled_at }),
  ...(use_queue ? { use_queue } : {})
})

/** The approval that a new post of who is held asks for; null: it is meant to stay a draft. */
export const approvalOnCreate = (
  request: Omit<CreatePost, "social_accounts">,
  asker: Asker,
  now: DateTime.Utc
): StoredApproval | null => {
  const wish = wishIn({ ...request, publish: (request.scheduled_at ?? null) === null })
  return wish === "none" || wish === "unsaid" ? null : waiting(wish, asker, now)
}

/** The request is open or was refused: it says when the post is to go out. */
export const isRequested = (approval: StoredApproval | null): approval is StoredApproval =>
  approval !== null && approval.status !== "approved"

/**
 * The approval that a change asks for, which is a request or made by who is held: an open request stays open, a refused one is made again, and so is that of a
 * post that would go out already.
 */
export const approvalOnUpdate = (
  changes: PostChange,
  { approval, scheduled_at, status }: Pick<PostRow, "approval" | "scheduled_at" | "status">,
  asker: Asker,
  now: DateTime.Utc
): StoredApproval | null => {
  const wish = wishIn(changes)
  if (wish === "none") return null
  const isAsked = isRequested(approval)
  const goesOut = status === "scheduled"
  const onlyPlans =
    !goesOut && typeof changes.scheduled_at === "string" && !changes.use_queue && changes.is_draft !== false
  if (wish !== "unsaid" && (isAsked || !onlyPlans)) return waiting(wish, asker, now)
  if (isAsked) return waiting(approval, asker, now)
  if (!goesOut && changes.is_draft !== false) return null
  const wants = scheduled_at === null ? "now" : "scheduled"
  return waiting({ wants, queue_timezone: null }, asker, now)
}

/** The change by which a person lets a waiting post go out: as was asked, or when they say. */
export const approving = Effect.fnUntraced(function* (
  { id, scheduled_at: planned }: Pick<PostRow, "id" | "scheduled_at">,
  { queue_timezone, wants }: Wish,
  { publish_now, scheduled_at = null, use_queue }: ApprovePost,
  timezone: string
): Effect.fn.Return<PostChange, BadRequest | Conflict> {
  if ([publish_now, scheduled_at, use_queue].filter(Boolean).length > 1) {
    return yield* badRequest([
      {
        path: "",
        code: "schedule_conflict",
        message: "scheduled_at, use_queue and publish_now cannot be combined; give only one of them."
      }
    ])
  }
  const now = yield* DateTime.now
  if (publish_now) return { publish: true }
  if (use_queue) return { use_queue }
  if (scheduled_at !== null) {
    const { instant } = readTime(scheduled_at, timezone, now)
    const passed = passedPlan(instant, now)
    return passed.length > 0 ? yield* badRequest(passed) : { scheduled_at, is_draft: false }
  }
  if (wants === "queue") return { use_queue: queue_timezone === null ? true : { timezone: queue_timezone } }
  if (wants === "scheduled" && planned !== null && DateTime.isGreaterThan(planned, now)) {
    return { is_draft: false }
  }
  const why =
    wants === "scheduled" && planned !== null
      ? `The time of the post ${id}, ${DateTime.formatIso(planned)}, has passed; it is now ${DateTime.formatIso(now)}`
      : `The post ${id} is to go out at once, and no approval does that by itself`
  return yield* problem(
    "approval_needs_time",
    `${why}. Approve it with scheduled_at, use_queue or publish_now: true.`
  )
})

/** What a person's own change makes of the request: to let the post go out is to approve it. */
export const approvalAfterEdit = (
  approval: StoredApproval | null,
  changes: PostChange,
  goesOut: boolean,
  decision: Pick<StoredApproval, "decided_at" | "decided_by">
): StoredApproval | null => {
  if (!isRequested(approval)) return approval
  if (goesOut) return { ...approval, ...decision, status: "approved", reason: null }
  return changes.scheduled_at === undefined
    ? approval
    : { ...approval, wants: changes.scheduled_at === null ? "now" : "scheduled" }
}

/** A decision of the person who asks now. */
export const decisionOf = ({ member }: CurrentActor["Service"], now: DateTime.Utc) => ({
  decided_at: now,
  decided_by: member && { name: member.name }
})

/** Records a person's decision, in its transaction. */
export const decided = Effect.fnUntraced(function* (
  audit: Audit["Service"],
  action: "post.approved" | "post.refused",
  id: PostId
) {
  const { workspace_id } = yield* CurrentActor
  const subject = { type: "post", id, name: null } as const
  yield* audit.record({ workspace_id, actor: yield* actingCredential, action, subject })
})

const beginning = "This is a draft: it waits for a person's approval"
/** As 0.1.0 wrote it. */
const earlierBeginning = "This is a draft: what this app writes is held for a person's approval"

/** The warning that a post carries as long as it waits for approval. */
export const heldWarning = (publicUrl: string) =>
  `${beginning} and goes out once they approve it at ${publicUrl}/approvals.`

export const isHeldWarning = (warning: string) =>
  warning.startsWith(beginning) || warning.startsWith(earlierBeginning)
