import { Schema } from "effect"
import { PostId, SocialAccountId, TargetId } from "./Ids.ts"
import { anyOf, Flag, List, paging, Several, SeveralIds } from "./Lists.ts"
import { ResultError } from "./Failure.ts"
import { PlatformId } from "./Platform.ts"
import { webAddress } from "./platforms/OptionFields.ts"
import { mostThreadItems } from "./Thread.ts"
import { Timestamp } from "./Time.ts"
import { field } from "./Field.ts"

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

/** What a platform found that reviews a post after it was published. `rejected` is final. */
export const PostReview = Schema.Literals(["pending", "approved", "rejected"]).annotate({
  identifier: "PostReview"
})
export type PostReview = typeof PostReview.Type

/** How many characters of a platform's reason are kept. */
export const longestReviewReason = 1000

/**
 * The platform's names for the published post. `id` is a string: platform ids exceed 2^53. `warnings`, only if there are
 * any: what the platform refused beside the post, such as its thumbnail, a playlist or the first comment.
 */
export const PlatformData = Schema.Struct({
  id: field(
    "The platform's id of the post. Text even if it is a number, because some exceed 2^53. If a person confirmed the post: the URL that they gave, or empty if none.",
    Schema.String
  ),
  url: field(
    "The post's URL on the platform; null: the platform gives none, such as for private posts.",
    Schema.NullOr(Schema.String)
  ),
  username: field(
    "The account's name on the platform when it was sent; null: not known.",
    Schema.NullOr(Schema.String)
  ),
  warnings: field(
    "What the platform refused although the post is live, such as its thumbnail, a playlist or the first comment. Absent: nothing.",
    Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(1000)))
  ),
  review: field(
    "What the platform's review after publication found. `pending`: it has not decided, or was not asked any more. `approved`: it shows the post. `rejected`: it does not; the result stays `published`. Absent: it reviews no posts.",
    Schema.optionalKey(PostReview)
  ),
  review_reason: field(
    "Why the platform rejected the post, in its own words; null: it gives no reason. Absent: it has not rejected it.",
    Schema.optionalKey(Schema.NullOr(Schema.String))
  )
}).annotate({ identifier: "PlatformData" })
export interface PlatformData extends Schema.Schema.Type<typeof PlatformData> {}

/** The outcome of one item of a thread. Items after a failed one are not tried. */
export const ThreadItemResult = Schema.Struct({
  index: field("Its place in the thread: 0 is the post itself, 1 the first item of `thread`.", Schema.Int),
  status: field(
    "The item's own status: `published` once it is live. Items after a failed one are not tried and are `failed` too.",
    ResultStatus
  ),
  platform_data: field(
    "The item's id and URL on the platform; null: it is not live.",
    Schema.NullOr(PlatformData)
  ),
  error: field(
    "Why this item failed. null: it is live, still waiting, or was not tried because an earlier item failed.",
    Schema.NullOr(ResultError)
  )
})
  // Its name in OpenAPI, and so in clients generated from it.
  .annotate({ identifier: "ChainItem" })
export interface ThreadItemResult extends Schema.Schema.Type<typeof ThreadItemResult> {}

/**
 * The items of a thread, the first of them live. The target's state and error are those of the first item that is not.
 * `published` with an item that is not live: the thread broke off there.
 */
export const threadResult = (
  count: number,
  live: ReadonlyArray<PlatformData | null>,
  target: { readonly state: TargetState; readonly error: ResultError | null }
): { readonly items: ReadonlyArray<ThreadItemResult>; readonly failed_items: number } => {
  const over = terminalStates.has(target.state)
  const broken = target.state === "published" ? "failed" : resultStatus(target.state)
  const items = Array.from({ length: count }, (_, index): ThreadItemResult => {
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
  at: field("When the attempt ended or, if its end was not seen, when it began; in UTC.", Timestamp),
  step: field(
    "How far the attempt got. `prepare`: it ended before the call that publishes, so nothing is live. `publish`: that call was made.",
    Schema.Literals(["prepare", "publish"])
  ),
  outcome: field(
    "The result's status after the attempt: `waiting` for another attempt, `publishing` while the outcome is not known.",
    ResultStatus
  ),
  message: field(
    `What went wrong, for people, in at most ${longestAttemptMessage} characters; null: nothing did.`,
    Schema.NullOr(Schema.String)
  )
}).annotate({ identifier: "Attempt" })
export interface Attempt extends Schema.Schema.Type<typeof Attempt> {}

/** The result that is live instead of a failed one. */
export const RepairedBy = Schema.Struct({
  post_id: field("The id of the post that repaired it and is live on the account in its place.", PostId),
  post_result_id: field(
    "The id of that post's result on the account, for `GET /v1/post-results/{result_id}`.",
    TargetId
  ),
  url: field("That post's URL on the platform; null: the platform gives none.", Schema.NullOr(Schema.String))
}).annotate({
  identifier: "RepairedBy",
  description: "Only for a failed result: the post that is live on the account instead, and where."
})
export interface RepairedBy extends Schema.Schema.Type<typeof RepairedBy> {}

/** The result that may still go out instead of a failed one. */
export const OpenRepair = Schema.Struct({
  post_id: field(
    "The id of the post or draft that repairs it and is to go out on the account in its place.",
    PostId
  ),
  post_result_id: field(
    "The id of that post's result on the account, for `GET /v1/post-results/{result_id}`.",
    TargetId
  ),
  status: field(
    "The status of that post's result: `waiting`, `publishing`, or `unconfirmed` until a person confirms whether it is live; `published` if the platform rejected it afterwards.",
    ResultStatus
  )
}).annotate({
  identifier: "OpenRepair",
  description:
    "The one post or draft that is to go out on the account in place of this failed result. Absent: none."
})
export interface OpenRepair extends Schema.Schema.Type<typeof OpenRepair> {}

/** One row per target, from the moment the post exists. A target is an account, or one of its boards. */
export const PostResult = Schema.Struct({
  id: field("A UUID that never changes, not even when the post is retried.", TargetId),
  post_id: field(
    "The id of the post that this is a result of; `GET /v1/posts/{post_id}` has all of them.",
    PostId
  ),
  social_account_id: field(
    "The id of the account that this result is for; several boards share it.",
    SocialAccountId
  ),
  platform: field("The platform that the account is on, such as `bluesky`; `twitter` is X.", PlatformId),
  board_id: field(
    "Pinterest: the id of the board that this pin goes to; a post to several boards has a result for each. null: the platform has no boards.",
    Schema.NullOr(Schema.String)
  ),
  status: field(
    "`waiting`: for what `waiting_for` says. `publishing`: being sent. `published`: live. `failed`: not live. `unconfirmed`: nobody knows, a person must look. The last three are final, unless a person retries or confirms.",
    ResultStatus
  ),
  waiting_for: field(
    "What a `waiting` result waits for. `time`: `next_attempt_at`. `retry`: an attempt failed; the next is at `next_attempt_at`. `account`: to be reconnected. `approval`: a person decides whether the app's draft goes out. `pause`: the platform asked for a pause. `person`: someone must schedule the draft. `media`: files are being fetched or processed. null: nothing holds it up, or it is not `waiting`.",
    Schema.NullOr(WaitingFor)
  ),
  success: field("The same as `status: published`. false: any other status.", Schema.Boolean),
  attempts: field(
    "How many times it has been tried, counted anew after a retry. Waiting for a time, an account or a quota does not count.",
    Schema.Int
  ),
  next_attempt_at: field(
    "When it goes out or is tried again, in UTC; in the past if something else holds it up. null: it is settled, being sent right now, or its post is a draft.",
    Schema.NullOr(Timestamp)
  ),
  published_at: field(
    "When it went live, in UTC; for a confirmed result, when it was last sent. null: it is not live.",
    Schema.NullOr(Timestamp)
  ),
  platform_data: field(
    "The post's id and URL on the platform; null: it is not live.",
    Schema.NullOr(PlatformData)
  ),
  error: field(
    "The last failure, even if it is to be tried again; null: nothing has failed since it was last sent.",
    Schema.NullOr(ResultError)
  ),
  items: field(
    "The outcome of each item of a thread. The result is `published` once the first item is live; a retry continues after the last live one. Absent: not a thread.",
    Schema.optionalKey(Schema.Array(ThreadItemResult).check(Schema.isMaxLength(mostThreadItems)))
  ),
  failed_items: field(
    "How many items are missing from a thread that broke off after its first item. Absent: none.",
    Schema.optionalKey(Schema.Int)
  ),
  repairs: field(
    "The id of the failed result that this result's post repairs. Absent: it repairs none.",
    Schema.optionalKey(TargetId)
  ),
  repaired_by: field(
    "The post that is live on the account in place of this failed result. Absent: none.",
    Schema.optionalKey(RepairedBy)
  ),
  open_repair: field(
    "The one post or draft that is to go out on the account in place of this failed result. Absent: none.",
    Schema.optionalKey(OpenRepair)
  )
}).annotate({ identifier: "PostResult" })
export interface PostResult extends Schema.Schema.Type<typeof PostResult> {}

/** A result that was asked for by its id. */
export const SinglePostResult = Schema.Struct({
  ...PostResult.fields,
  attempts_log: field(
    `The last ${mostAttemptsTold} attempts, oldest first, including those before a retry of the post.`,
    Schema.Array(Attempt).check(Schema.isMaxLength(mostAttemptsTold))
  )
}).annotate({ identifier: "SinglePostResult" })
export interface SinglePostResult extends Schema.Schema.Type<typeof SinglePostResult> {}

/** `POST /v1/post-results/{id}/confirm`: a person's word, after looking at the account, about an unconfirmed result. */
export const ConfirmResult = Schema.Struct({
  published: field(
    "true: the post is live, and the result becomes `published`. false: it is not, and the result becomes `failed`; a retry can send it again.",
    Schema.Boolean
  ),
  url: field(
    "The post's http or https URL on the platform, which becomes `platform_data.url`. Only with `published: true`. null or absent: none.",
    Schema.optionalKey(Schema.NullOr(webAddress))
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
  dismissed: field(
    "true: lists with `dismissed=false` leave the failure out until it is sent again. false: they show it again.",
    Schema.Boolean
  )
}).annotate({ identifier: "DismissResult" })
export interface DismissResult extends Schema.Schema.Type<typeof DismissResult> {}

export const PostResultList = List(PostResult).annotate({ identifier: "PostResultList" })

const ResultStatusFilter = Schema.Literals([...ResultStatus.literals, "all"])

export const PostResultFilter = Schema.Struct({
  ...paging,
  post_id: anyOf("Only results of the posts with any of these ids; an unknown id finds nothing.", SeveralIds),
  platform: anyOf("Only results on any of these platforms, such as `bluesky`.", Several(PlatformId)),
  social_account_id: anyOf(
    "Only results on the accounts with any of these ids; an unknown id finds nothing.",
    SeveralIds
  ),
  status: anyOf(
    "Only results with any of these statuses. `all`: every status. `failed` also finds what is `published` and yet went wrong: threads that broke off (`failed_items`), and posts that the platform rejected (`platform_data.review`).",
    Several(ResultStatusFilter),
    "all but `waiting` and `publishing`"
  ),
  dismissed: field(
    "true: only dismissed results. false: only results that are neither dismissed nor repaired by another post. Absent: all.",
    Schema.optionalKey(Flag)
  )
})
export interface PostResultFilter extends Schema.Schema.Type<typeof PostResultFilter> {}
