import { Schema } from "effect"
import { PostId, SocialAccountId, TargetId } from "./Ids.ts"
import { Flag, List, paging, Several, SeveralIds } from "./Lists.ts"
import { ResultError } from "./Failure.ts"
import { PlatformId } from "./Platform.ts"
import { webAddress } from "./platforms/OptionFields.ts"
import { mostChainItems } from "./Thread.ts"
import { Timestamp } from "./Time.ts"

/**
 * The state of a target inside the engine.
 *
 * - `draft`: its post is a draft
 * - `waiting`: nothing is running; `next_step_at` says when the engine looks again
 * - `claimed`: one process holds it under a lease and prepares it
 * - `committing`: "about to commit" is stored; the platform may or may not have it
 * - `unknown`: it was committing when the reply or the process was lost; it must be reconciled
 * - `published`, `failed`, `unconfirmed`: terminal
 */
export const TargetState = Schema.Literals([
  "draft",
  "waiting",
  "claimed",
  "committing",
  "unknown",
  "published",
  "failed",
  "unconfirmed"
])
export type TargetState = typeof TargetState.Type

/** States that no event of the engine leaves. */
export const terminalStates: ReadonlySet<TargetState> = new Set(["published", "failed", "unconfirmed"])

/** The status of a target in the API: `publishing` from the moment before the call that publishes it. */
export const ResultStatus = Schema.Literals([
  "waiting",
  "publishing",
  "published",
  "failed",
  "unconfirmed"
]).annotate({ identifier: "ResultStatus" })
export type ResultStatus = typeof ResultStatus.Type

const statusOf: Record<TargetState, ResultStatus> = {
  draft: "waiting",
  waiting: "waiting",
  // A post that is prepared ahead of its time can still be changed.
  claimed: "waiting",
  committing: "publishing",
  unknown: "publishing",
  published: "published",
  failed: "failed",
  unconfirmed: "unconfirmed"
}

export const resultStatus = (state: TargetState): ResultStatus => statusOf[state]

/**
 * What a `waiting` result waits for.
 *
 * - `time`: nothing else; it goes out at `next_attempt_at`
 * - `retry`: a try failed (`error`), and the next one is at `next_attempt_at`
 * - `account`: its account has to be connected again, by a person
 * - `approval`: its post is a draft that an app asks to publish; a signed-in person decides
 * - `pause`: the platform asked for a pause of the whole account
 * - `person`: its post is a draft that nobody has scheduled
 * - `media`: its files are still being fetched, or the platform still works on them
 */
export const WaitingFor = Schema.Literals([
  "time",
  "retry",
  "account",
  "approval",
  "pause",
  "person",
  "media"
]).annotate({ identifier: "WaitingFor" })
export type WaitingFor = typeof WaitingFor.Type

/** The engine states behind a status, for filters. */
export const statesOf = (status: ResultStatus): ReadonlyArray<TargetState> =>
  TargetState.literals.filter((state) => statusOf[state] === status)

/** The states that a list of results shows; undefined: any. Not asked: the settled ones, because clients take a row as final. */
export const statesListed = (asked: PostResultFilter["status"]): ReadonlyArray<TargetState> | undefined =>
  asked === undefined
    ? [...terminalStates]
    : asked.includes("all")
      ? undefined
      : asked.flatMap((status) => (status === "all" ? [] : statesOf(status)))

/**
 * The platform's names for the published post. `id` is a string: platform ids exceed 2^53. `warnings`, only if there are
 * any: what the platform refused beside the post, such as its thumbnail, a playlist or the first comment.
 */
export const PlatformData = Schema.Struct({
  id: Schema.String,
  url: Schema.NullOr(Schema.String),
  username: Schema.NullOr(Schema.String),
  warnings: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(1000)))
}).annotate({ identifier: "PlatformData" })
export interface PlatformData extends Schema.Schema.Type<typeof PlatformData> {}

/** One item of a chain. After one that failed none is tried. */
export const ChainItem = Schema.Struct({
  index: Schema.Int.annotate({ description: "0 is the post itself." }),
  status: ResultStatus,
  platform_data: Schema.NullOr(PlatformData),
  error: Schema.NullOr(ResultError)
}).annotate({ identifier: "ChainItem" })
export interface ChainItem extends Schema.Schema.Type<typeof ChainItem> {}

/**
 * The items of a chain, of which the first so many are live. The target is about the first that is not: its state, and
 * its error. `published` with an item that is not live: the chain broke off there.
 */
export const chainResult = (
  count: number,
  live: ReadonlyArray<PlatformData | null>,
  target: { readonly state: TargetState; readonly error: ResultError | null }
): { readonly items: ReadonlyArray<ChainItem>; readonly failed_items: number } => {
  const over = terminalStates.has(target.state)
  const broken = target.state === "published" ? "failed" : resultStatus(target.state)
  const items = Array.from({ length: count }, (_, index): ChainItem => {
    if (index < live.length)
      return { index, status: "published", platform_data: live[index] ?? null, error: null }
    if (index === live.length) return { index, status: broken, platform_data: null, error: target.error }
    return {
      index,
      status: over && target.state !== "unconfirmed" ? "failed" : "waiting",
      platform_data: null,
      error: null
    }
  })
  return { items, failed_items: over && live.length > 0 ? count - live.length : 0 }
}

/** How many tries of a result are told, and how long each one's sentence may be. */
export const mostAttemptsTold = 20
export const longestAttemptMessage = 500

/**
 * A try that counted, or that may have reached the platform. `outcome` is the result's status after it: `waiting` to be
 * tried again, `publishing` while it is not known.
 */
export const Attempt = Schema.Struct({
  at: Timestamp.annotate({ description: "When it ended; when it began, if nobody saw its end." }),
  step: Schema.Literals(["prepare", "publish"]).annotate({
    description: "`prepare`: it ended before the call that publishes."
  }),
  outcome: ResultStatus,
  message: Schema.NullOr(Schema.String).annotate({
    description: `What went wrong, at most ${longestAttemptMessage} characters.`
  })
}).annotate({ identifier: "Attempt" })
export interface Attempt extends Schema.Schema.Type<typeof Attempt> {}

/** The result that is live instead of a failed one. */
export const RepairedBy = Schema.Struct({
  post_id: PostId,
  post_result_id: TargetId,
  url: Schema.NullOr(Schema.String)
}).annotate({
  identifier: "RepairedBy",
  description: "Only for a failed result: the post that is live on the account instead, and where."
})
export interface RepairedBy extends Schema.Schema.Type<typeof RepairedBy> {}

/** The result that may still go out instead of a failed one. */
export const OpenRepair = Schema.Struct({
  post_id: PostId,
  post_result_id: TargetId,
  status: ResultStatus
}).annotate({
  identifier: "OpenRepair",
  description:
    "Only for a failed result: the post, or draft, that is to go out on the account instead. There is one at a time."
})
export interface OpenRepair extends Schema.Schema.Type<typeof OpenRepair> {}

/** One row per target, from the moment the post exists. A target is an account, or one of its boards. */
export const PostResult = Schema.Struct({
  id: TargetId,
  post_id: PostId,
  social_account_id: SocialAccountId,
  platform: PlatformId,
  board_id: Schema.NullOr(Schema.String).annotate({
    description:
      "The board that this pin goes to: a post to several boards has a result for each. null: the platform has no boards."
  }),
  status: ResultStatus,
  waiting_for: Schema.NullOr(WaitingFor).annotate({
    description:
      "Only for a `waiting` result. `time`: it goes out at `next_attempt_at`. `retry`: a try failed, and the next one is then. " +
      "`account`: it must be connected again. `approval`: an app asks to publish the draft, and a person decides. `pause`: the platform " +
      "asked for a pause. `person`: a draft, which somebody has to schedule. `media`: files are being fetched or processed. " +
      "null: nothing holds it up, or it is no longer `waiting`."
  }),
  success: Schema.Boolean,
  attempts: Schema.Int,
  next_attempt_at: Schema.NullOr(Timestamp),
  published_at: Schema.NullOr(Timestamp),
  platform_data: Schema.NullOr(PlatformData),
  error: Schema.NullOr(ResultError),
  items: Schema.optionalKey(
    Schema.Array(ChainItem).check(Schema.isMaxLength(mostChainItems)).annotate({
      description:
        "Only for a thread, which is `published` once its first item is live: the outcome of each item. A retry continues after the last live one."
    })
  ),
  failed_items: Schema.optionalKey(
    Schema.Int.annotate({
      description: "Only for a thread: how many items are missing because it broke off after its first."
    })
  ),
  /** The failed result that its post goes out instead of. */
  repairs: Schema.optionalKey(TargetId),
  repaired_by: Schema.optionalKey(RepairedBy),
  open_repair: Schema.optionalKey(OpenRepair)
}).annotate({ identifier: "PostResult" })
export interface PostResult extends Schema.Schema.Type<typeof PostResult> {}

/** A result that was asked for by its id. */
export const SinglePostResult = Schema.Struct({
  ...PostResult.fields,
  attempts_log: Schema.Array(Attempt)
    .check(Schema.isMaxLength(mostAttemptsTold))
    .annotate({
      description: `Its last ${mostAttemptsTold} tries, oldest first, including those before a retry of the post.`
    })
}).annotate({ identifier: "SinglePostResult" })
export interface SinglePostResult extends Schema.Schema.Type<typeof SinglePostResult> {}

/** `POST /v1/post-results/{id}/confirm`: a person's word, after looking at the account, about an unconfirmed result. */
export const ConfirmResult = Schema.Struct({
  published: Schema.Boolean.annotate({ description: "Whether the post is live on the account." }),
  url: Schema.optionalKey(
    Schema.NullOr(webAddress).annotate({ description: "Where it is live. Only with `published: true`." })
  )
})
  .check(
    Schema.makeFilter(
      ({ published, url }) =>
        published ||
        (url ?? null) === null || { path: ["url"], issue: "is given, but published is false; leave it out" }
    )
  )
  .annotate({ identifier: "ConfirmResult" })
export interface ConfirmResult extends Schema.Schema.Type<typeof ConfirmResult> {}

/** `POST /v1/post-results/{id}/dismiss`. */
export const DismissResult = Schema.Struct({
  dismissed: Schema.Boolean.annotate({ description: "false: undoes the dismissal." })
}).annotate({ identifier: "DismissResult" })
export interface DismissResult extends Schema.Schema.Type<typeof DismissResult> {}

export const PostResultList = List(PostResult).annotate({ identifier: "PostResultList" })

const ResultStatusFilter = Schema.Literals([...ResultStatus.literals, "all"])

export const PostResultFilter = Schema.Struct({
  ...paging,
  post_id: Schema.optionalKey(SeveralIds),
  platform: Schema.optionalKey(Several(PlatformId)),
  social_account_id: Schema.optionalKey(SeveralIds),
  status: Schema.optionalKey(
    Several(ResultStatusFilter).annotate({
      description:
        "Default: the settled rows, which are all but `waiting` and `publishing`. `all`: every row. `failed` also finds threads that broke " +
        "off, which are `published` with `failed_items`."
    })
  ),
  dismissed: Schema.optionalKey(
    Flag.annotate({ description: "`false`: without dismissed and repaired results." })
  )
})
export interface PostResultFilter extends Schema.Schema.Type<typeof PostResultFilter> {}
