import {
  type ApprovePost,
  type BadRequest,
  type Conflict,
  type CreatePost,
  parseScheduledAt,
  type PostId,
  type ProblemItem,
  type UpdatePost
} from "@carillon/domain"
import { DateTime, Duration, Result } from "effect"
import { isTooSoon } from "../auth/EarliestTime.ts"
import type { TakenSlot } from "../queue/Queue.ts"
import type { PostRow } from "./PostColumns.ts"

/** When a post goes out. The instant of a draft is only a plan. */
export type When =
  /** `asked`: a time that has just passed. */
  | { readonly _tag: "now"; readonly asked?: DateTime.Utc }
  | { readonly _tag: "at"; readonly instant: DateTime.Utc; readonly slot: DateTime.Utc | null }
  | { readonly _tag: "draft"; readonly instant: DateTime.Utc | null }

/** The next free slot of the queue, or the one at `slot`, which `Queue.take` finds; `post` is the one that moves there. */
export interface InQueue {
  readonly _tag: "queue"
  readonly timezone: string | null
  readonly slot: DateTime.Utc | null
  readonly post: PostId | null
}

/**
 * A change of a post. `publish`: it goes out at once, whatever time it has. `asksApproval`: it waits for a person, whoever asks.
 * `approve`: it goes out as was asked, or when the person says. `keepsDraft`: the queue alone does not schedule a draft.
 */
export interface PostChange extends UpdatePost {
  readonly publish?: boolean
  readonly asksApproval?: boolean
  readonly approve?: ApprovePost
  readonly keepsDraft?: boolean
}

type StoredTime = Pick<PostRow, "status" | "scheduled_at" | "queue_slot">

export const readTime = (text: string | null, timezone: string, now: DateTime.Utc) => {
  if (text === null) return { instant: null, warnings: [], problems: [] }
  const parsed = parseScheduledAt(text, timezone)
  if (Result.isFailure(parsed)) {
    return {
      instant: null,
      warnings: [],
      problems: [{ path: "scheduled_at", code: "scheduled_at_invalid", message: parsed.failure }]
    }
  }
  const { instant, warnings } = parsed.success
  return { instant, warnings, problems: isLongOver(instant, now) ? [past(text, now)] : [] }
}

/** When a new post goes out. `mustWait`: its app may only write drafts. */
export const schedule = (
  { use_queue, is_draft }: Pick<CreatePost, "use_queue" | "is_draft">,
  instant: DateTime.Utc | null,
  mustWait: boolean,
  now: DateTime.Utc
): When | InQueue => {
  if (mustWait) return { _tag: "draft", instant }
  if (use_queue) return inQueue(use_queue, null)
  if (is_draft) return { _tag: "draft", instant }
  return instant === null ? { _tag: "now" } : goingOut(instant, now)
}

const goingOut = (instant: DateTime.Utc, now: DateTime.Utc): When =>
  isOver(instant, now) && !isLongOver(instant, now)
    ? { _tag: "now", asked: instant }
    : { _tag: "at", instant, slot: null }

/** What a change does to the time of a post. */
export const reschedule = (
  before: StoredTime & Pick<PostRow, "id">,
  { use_queue, is_draft, scheduled_at, publish }: PostChange,
  given: DateTime.Utc | null,
  now: DateTime.Utc
): When | InQueue => {
  if (publish) return { _tag: "now" }
  const isGiven = scheduled_at !== undefined && !use_queue
  // A new time leaves a draft a draft, and a post that loses its time becomes one. is_draft: false and the queue send it out.
  if (is_draft ?? (!use_queue && (scheduled_at === null || before.status === "draft")))
    return { _tag: "draft", instant: isGiven ? given : before.scheduled_at }
  // A queued post keeps its slot unless another time zone is asked for.
  if (use_queue && (before.queue_slot === null || use_queue !== true)) return inQueue(use_queue, before.id)
  const instant = isGiven ? given : before.scheduled_at
  if (instant === null) return { _tag: "now" }
  const slot = use_queue === false ? null : before.queue_slot
  // Only a time that is given now comes from another clock. A plan that passed while nobody looked is not taken as now.
  return isGiven ? goingOut(instant, now) : { _tag: "at", instant, slot }
}

/** A draft is scheduled for a time. To publish it at once is a request of its own. */
export const missingTime = (
  before: StoredTime,
  { use_queue, is_draft, scheduled_at, publish }: PostChange
): ReadonlyArray<ProblemItem> => {
  const keepsNone = scheduled_at === undefined && before.status === "draft" && before.scheduled_at === null
  return is_draft !== false || use_queue || publish || (scheduled_at !== null && !keepsNone)
    ? []
    : [
        {
          path: "scheduled_at",
          code: "time_required",
          message:
            "is_draft: false schedules a post, but this one has no time; give scheduled_at or use_queue."
        }
      ]
}

/** For callers that know drafts as what stays one until they say otherwise. */
export const keptDraft = (
  before: Pick<PostRow, "id" | "status">,
  { use_queue, is_draft, keepsDraft }: PostChange
): ReadonlyArray<ProblemItem> =>
  keepsDraft && use_queue && before.status === "draft" && is_draft !== false
    ? [
        {
          path: "use_queue",
          code: "invalid_request",
          message: `The post ${before.id} is a draft, and use_queue would schedule it; to schedule it call schedule_post with use_queue, or give is_draft: false too.`
        }
      ]
    : []

/** A time that has passed is a problem, except of a scheduled post whose time stays. */
export const overdueProblems = (
  before: Pick<PostRow, "status">,
  { scheduled_at }: UpdatePost,
  when: When | InQueue,
  now: DateTime.Utc
): ReadonlyArray<ProblemItem> =>
  when._tag !== "at" ||
  !isOver(when.instant, now) ||
  (scheduled_at === undefined && before.status === "scheduled")
    ? []
    : [past(DateTime.formatIso(when.instant), now)]

/** The plan of a draft, when nobody let it go out in time. */
export const passedPlan = (instant: DateTime.Utc | null, now: DateTime.Utc): ReadonlyArray<ProblemItem> =>
  instant === null || !isOver(instant, now) ? [] : [past(DateTime.formatIso(instant), now)]

/** Clocks differ, so that a time that passed this recently is taken as now. */
const tolerance = Duration.minutes(1)

const isLongOver = (instant: DateTime.Utc, now: DateTime.Utc) =>
  DateTime.isLessThan(instant, DateTime.subtractDuration(now, tolerance))

export const lateWarnings = (when: When | InQueue): ReadonlyArray<string> =>
  when._tag === "now" && when.asked !== undefined
    ? [
        `scheduled_at ${DateTime.formatIso(when.asked)} was less than a minute in the past, so the post is published now; check the clock of the machine that sent it.`
      ]
    : []

const isOver = (instant: DateTime.Utc, now: DateTime.Utc) => DateTime.isLessThanOrEqualTo(instant, now)

const past = (text: string, now: DateTime.Utc): ProblemItem => ({
  path: "scheduled_at",
  code: "scheduled_at_past",
  message: `scheduled_at ${text} has passed; it is now ${DateTime.formatIso(now)}. Choose a time in the future.`
})

export const tooSoon = (
  when: When | InQueue,
  earliest: DateTime.Utc | null,
  publicUrl: string
): ReadonlyArray<ProblemItem> => {
  const [path, instant] =
    when._tag === "queue"
      ? ["use_queue", when.slot]
      : ["scheduled_at", when._tag === "at" ? when.instant : null]
  if (earliest === null || instant === null || !isTooSoon(instant, earliest)) return []
  // A whole minute, which leaves time for another request.
  const named = DateTime.startOf(DateTime.add(earliest, { minutes: 2 }), "minute")
  return [
    {
      path,
      code: "scheduled_at_too_soon",
      message:
        `${path} ${DateTime.formatIso(instant)} is less than ten minutes ahead, and this app lacks the right posts:publish. Without it the ` +
        `earliest time is ${DateTime.formatIso(named)} at present; give that or a later one, or ask the person to grant posts:publish at ${publicUrl}/connected-apps.`
    }
  ]
}

const inQueue = (useQueue: true | AskedSlot, post: PostId | null): InQueue => ({
  _tag: "queue",
  timezone: useQueue === true ? null : (useQueue.timezone ?? null),
  slot: useQueue === true ? null : (useQueue.slot ?? null),
  post
})

type AskedSlot = Exclude<UpdatePost["use_queue"], boolean | null | undefined>

export const atSlot = ({ slot, scheduled_at, warnings }: TakenSlot) => ({
  when: { _tag: "at", instant: scheduled_at, slot } satisfies When,
  warnings
})

export const queueConflicts = ({
  use_queue,
  scheduled_at,
  is_draft
}: UpdatePost): ReadonlyArray<ProblemItem> => {
  if (!use_queue) return []
  const conflict = (message: string) => [{ path: "use_queue", code: "schedule_conflict", message }]
  return [
    ...(typeof scheduled_at === "string"
      ? conflict("scheduled_at and use_queue cannot be combined; give only one of them.")
      : []),
    ...(is_draft
      ? conflict(
          "is_draft and use_queue cannot be combined: a draft holds no slot; give use_queue when you schedule it."
        )
      : [])
  ]
}

/** A full queue is a conflict with the state, reported only for a request that is right otherwise. */
export const queueProblems = (
  taken: Result.Result<TakenSlot, BadRequest | Conflict>
): ReadonlyArray<ProblemItem> =>
  Result.isFailure(taken) && taken.failure._tag === "BadRequest"
    ? taken.failure.errors.map((item) => ({ ...item, path: "use_queue" }))
    : []

/** Whether a post gets its time: it is new or was not scheduled, or it moves. */
export const isScheduledAnew = (
  before: Pick<PostRow, "status" | "scheduled_at"> | null,
  { status, scheduled_at }: Pick<PostRow, "status" | "scheduled_at">
): boolean =>
  status === "scheduled" &&
  (before?.status !== "scheduled" ||
    scheduled_at?.epochMilliseconds !== before.scheduled_at?.epochMilliseconds)

export const storedTime = (when: When): StoredTime => ({
  status: when._tag === "draft" ? "draft" : "scheduled",
  scheduled_at: when._tag === "now" ? null : when.instant,
  queue_slot: when._tag === "at" ? when.slot : null
})
