import { type PlatformData, type ResultError, resultAction } from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Random } from "effect"
import type { Handle } from "../engine/Handle.ts"
import { PublishError, WholeThread } from "../platforms/Platform.ts"
import { type ClaimedTarget, commitKey } from "../engine/ClaimedTarget.ts"
import { countSettlement } from "../engine/EngineMetrics.ts"
import { backoff, decide } from "../engine/RetryPolicy.ts"
import { RemotePosts } from "../engine/RemotePosts.ts"
import { firstCommentFor, isCommenting, withoutComment } from "./FirstComments.ts"
import { firstReviewAt } from "./ReviewTimes.ts"
import type { Settlement } from "../engine/Settlements.ts"
import { TargetQueue } from "../engine/TargetQueue.ts"

type Outcome = Partial<Omit<Settlement, "id" | "fence" | "post_id">> & Pick<Settlement, "state">
type Prepared = Settlement["prepared"]

/** The one place that decides and stores a target's state after a claim. */
export class Outcomes extends Context.Service<
  Outcomes,
  {
    /** It is live. The next item of its thread, or its first comment, follows at once. */
    published(target: ClaimedTarget, data: PlatformData | WholeThread): Effect.Effect<void>
    /** The same, of what a network knows by words; false, with nothing settled: the post belongs to another target. */
    publishedUnlessTaken(target: ClaimedTarget, data: PlatformData | WholeThread): Effect.Effect<boolean>
    /** Nothing was published for certain, and nothing more is tried. A thread breaks off at this item; a post stays without its comment. */
    failed(target: ClaimedTarget, failure: PublishError): Effect.Effect<void>
    /** Nobody can know whether it was published; a person decides. */
    unconfirmed(target: ClaimedTarget, failure?: PublishError): Effect.Effect<void>
    /** The target is claimed again at that time; what was prepared meanwhile is stored. */
    reschedule(
      target: ClaimedTarget,
      at: DateTime.Utc,
      more?: { readonly failure?: PublishError; readonly prepared?: Prepared }
    ): Effect.Effect<void>
    /** The target goes back until then in the state in which it was claimed; nothing was tried. */
    release(target: ClaimedTarget, at: DateTime.Utc): Effect.Effect<void>
    /** The platform does not know the commit; that is believed when a second lookup then says so too. */
    awaitSecondLookup(target: ClaimedTarget, at: DateTime.Utc): Effect.Effect<void>
    /** The commit may have worked; then the platform is asked, or sent the same commit again. */
    unknown(
      target: ClaimedTarget,
      at: DateTime.Utc,
      failure: PublishError,
      counted: boolean
    ): Effect.Effect<void>
    /** The platform accepted the commit and works on it; it is asked then, with this handle. */
    working(target: ClaimedTarget, at: DateTime.Utc, handle: Handle, counted: boolean): Effect.Effect<void>
    /** Decides after a failure that certainly published nothing. `marked`: a commit was stored before it. */
    retryOrFail(target: ClaimedTarget, failure: PublishError, marked: boolean): Effect.Effect<void>
    /** Decides after a failure to commit again what may be live already: it proves nothing about the first commit. */
    retryWhileUnknown(target: ClaimedTarget, failure: PublishError, marked: boolean): Effect.Effect<void>
  }
>()("@carillon/server/publishing/Outcomes") {
  static readonly layer = Layer.effect(
    Outcomes,
    Effect.gen(function* () {
      const queue = yield* TargetQueue
      const posts = yield* RemotePosts

      const settle = (target: ClaimedTarget, outcome: Outcome) => {
        const settlement: Settlement = {
          id: target.id,
          fence: target.fence,
          post_id: target.post_id,
          resumed: target.state === "unknown",
          next_step_at: null,
          error: null,
          platform_data: null,
          live: [],
          published_at: null,
          looked_up_at: null,
          review_at: null,
          counted: false,
          prepared: "as_before",
          ...outcome
        }
        return Effect.flatMap(queue.settle(settlement), (ours) =>
          ours
            ? Effect.andThen(
                Effect.logDebug(`settled: ${outcome.state}`),
                countSettlement(target, settlement)
              )
            : Effect.logDebug("not settled: it is no longer ours")
        )
      }

      const published = (target: ClaimedTarget, data: PlatformData | WholeThread) =>
        Effect.flatMap(DateTime.now, (now) => {
          if (isCommenting(target)) return settle(target, { state: "published", counted: true })
          const live = data instanceof WholeThread ? data.items : [data]
          const isCommented = firstCommentFor(target) !== undefined
          const goesOn = isCommented || target.items.length + live.length < (target.item_count ?? 1)
          return settle(target, {
            state: goesOn ? "waiting" : "published",
            platform_data: live[0] ?? null,
            published_at: now,
            live: isCommented || target.item_count !== null ? live : [],
            review_at: target.item_count === null ? firstReviewAt(live[0], now) : null,
            counted: true,
            ...(goesOn ? { next_step_at: now, prepared: "discarded" } : {})
          })
        })

      // Stored before the settlement: a commit to the account counts as open until it is settled, so that nobody takes the
      // post in between.
      const publishedUnlessTaken = Effect.fnUntraced(function* (
        target: ClaimedTarget,
        data: PlatformData | WholeThread
      ) {
        const live = data instanceof WholeThread ? data.items : [data]
        const taken = yield* Effect.forEach(live, ({ id }, index) =>
          posts.take({
            id: target.id,
            fence: target.fence,
            platform: target.platform,
            account: target.remote_id,
            remote_id: id,
            owner: commitKey(target, target.items.length + index)
          })
        )
        const isOurs = taken.every(Boolean)
        if (isOurs) yield* published(target, data)
        return isOurs
      })

      const failed = (target: ClaimedTarget, failure: PublishError) =>
        settle(target, {
          state: target.items.length > 0 ? "published" : "failed",
          error: resultError(failure, null),
          platform_data: isCommenting(target)
            ? withoutComment(target, `The first comment could not be posted. ${failure.message}`)
            : null,
          counted: true
        })

      const unconfirmed = (target: ClaimedTarget, failure = replyLost) =>
        settle(target, {
          state: isCommenting(target) ? "published" : "unconfirmed",
          error: { ...resultError(failure, null), class: "ambiguous", action: resultAction("ambiguous") },
          platform_data: isCommenting(target) ? withoutComment(target, commentInDoubt) : null,
          counted: true
        })

      const reschedule: Outcomes["Service"]["reschedule"] = (
        target,
        at,
        { failure, prepared = "as_before" } = {}
      ) =>
        settle(target, {
          state: "waiting",
          next_step_at: at,
          error: failure === undefined ? null : resultError(failure, at),
          prepared
        })

      const release = (target: ClaimedTarget, at: DateTime.Utc) =>
        settle(target, {
          state: target.state === "unknown" ? "unknown" : "waiting",
          next_step_at: at,
          error: target.error,
          looked_up_at: target.looked_up_at
        })

      const awaitSecondLookup = (target: ClaimedTarget, at: DateTime.Utc) =>
        Effect.flatMap(DateTime.now, (now) =>
          settle(target, {
            state: "unknown",
            next_step_at: at,
            error: resultError(replyLost, at),
            looked_up_at: now
          })
        )

      const unknown = (target: ClaimedTarget, at: DateTime.Utc, failure: PublishError, counted: boolean) =>
        settle(target, {
          state: "unknown",
          next_step_at: at,
          error: resultError(failure, at),
          counted,
          looked_up_at: counted ? null : target.looked_up_at
        })

      const working = (target: ClaimedTarget, at: DateTime.Utc, handle: Handle, counted: boolean) =>
        settle(target, {
          state: "unknown",
          next_step_at: at,
          counted,
          prepared: { handle, step: "commit" }
        })

      const retryOrFail = Effect.fnUntraced(function* (
        target: ClaimedTarget,
        failure: PublishError,
        marked: boolean
      ) {
        const now = yield* DateTime.now
        const decision = decide(failure, target.attempts + 1, now, deadlineOf(target), yield* Random.next)
        // A live post does not wait for its comment, and no other post does.
        if (isCommenting(target) && decision._tag !== "retry") return yield* failed(target, failure)
        const again = (at: DateTime.Utc, counted: boolean) =>
          settle(target, {
            state: "waiting",
            next_step_at: at,
            error: resultError(failure, at),
            counted: counted || marked,
            prepared: failure.discard_handle ? "discarded" : "as_before"
          })
        switch (decision._tag) {
          case "fail":
            return yield* failed(target, failure)
          case "retry":
            return yield* again(decision.at, decision.counted)
          case "pause":
            yield* queue.pauseAccount(target.social_account_id, decision.until)
            return yield* again(decision.until, false)
          case "reconnect":
            yield* queue.accountNeedsReconnect(target.social_account_id, failure.message)
            return yield* again(decision.at, false)
        }
      })

      const retryWhileUnknown = Effect.fnUntraced(function* (
        target: ClaimedTarget,
        failure: PublishError,
        marked: boolean
      ) {
        const now = yield* DateTime.now
        const deadline = deadlineOf(target)
        if (isCommenting(target) && failure.class !== "ambiguous" && failure.class !== "transient")
          return yield* unconfirmed(target, failure)
        if (failure.class === "reconnect") {
          yield* queue.accountNeedsReconnect(target.social_account_id, failure.message)
          return yield* unknown(target, deadline, failure, marked)
        }
        const pause = DateTime.addDuration(now, backoff(target.attempts + 1, yield* Random.next))
        const at = DateTime.max(failure.retry_at ?? now, pause)
        return passing.has(failure.class) && DateTime.isLessThan(at, deadline)
          ? yield* unknown(target, at, failure, marked)
          : yield* unconfirmed(target, failure)
      })

      return Outcomes.of({
        published,
        publishedUnlessTaken,
        failed,
        unconfirmed,
        reschedule,
        release,
        awaitSecondLookup,
        unknown,
        working,
        retryOrFail,
        retryWhileUnknown
      })
    })
  )
}

/** Classes of failures that may be over at the next try. */
const passing: ReadonlySet<PublishError["class"]> = new Set([
  "ambiguous",
  "transient",
  "media_unreachable",
  "rate_limited",
  "quota_exhausted"
])

/** The time after which a post is too late to go out. */
export const deadlineOf = (target: ClaimedTarget) =>
  DateTime.makeUnsafe(target.due_at.epochMilliseconds + target.lateness_limit_seconds * 1000)

const resultError = (failure: PublishError, retryAt: DateTime.Utc | null): ResultError => ({
  code: failure.code,
  class: failure.class,
  message: failure.message,
  action: resultAction(failure.class),
  retry_at: retryAt,
  ...(failure.platform_response === undefined ? {} : { platform_response: failure.platform_response })
})

export const replyLost = new PublishError({
  class: "ambiguous",
  code: "reply_lost",
  message:
    "The platform's reply was lost; the post may or may not be live. Check the account before posting it again."
})

const commentInDoubt =
  "The first comment may be missing: the platform's reply was lost, and it does not say whether the comment is there. Look at the post."

/** The platform answered a commit with a post that is another target's: it took the key of one for the other's. */
export const answeredWithAnother = (data: PlatformData) =>
  new PublishError({
    class: "ambiguous",
    code: "answered_with_another",
    message:
      `The platform answered with ${data.url ?? data.id}, which is another post of the same words. ` +
      "Check on the account whether both are there before posting it again."
  })

export const alikeUnconfirmed = new PublishError({
  class: "ambiguous",
  code: "alike_unconfirmed",
  message:
    "The platform's reply was lost. A post of the same words is on the account, but another result of those words is " +
    "unconfirmed too, and it may be that one's. Check the account before posting it again."
})
