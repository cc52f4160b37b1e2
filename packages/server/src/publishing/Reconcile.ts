import type { PlatformData } from "@carillon/domain"
import { DateTime, Duration, Effect } from "effect"
import type { WithCredentials } from "../accounts/TokenVault.ts"
import type { ClaimedTarget } from "../engine/ClaimedTarget.ts"
import type { RemotePosts } from "../engine/RemotePosts.ts"
import type { Platform, PublishError, WholeThread } from "../platforms/Platform.ts"
import { isCommenting } from "./FirstComments.ts"
import { alikeUnconfirmed, deadlineOf, type Outcomes, replyLost } from "./Outcomes.ts"
import type { PublishRequests } from "./PublishRequests.ts"

/**
 * `not_live`: certainly nothing is published, go on. `perhaps_live`: the same commit may be sent again, but its
 * failure proves nothing. `settled`: there is nothing to do now.
 */
export type Admission = "not_live" | "perhaps_live" | "settled"

/** So long past its deadline a post may still be at work on the platform; then a look that finds it so is the last one. */
const longestWork = Duration.hours(1)

export const reconciliation = ({
  outcomes,
  posts,
  requests
}: {
  readonly outcomes: Outcomes["Service"]
  readonly posts: RemotePosts["Service"]
  readonly requests: PublishRequests["Service"]
}) => {
  /** Finds out what became of a commit whose reply or process was lost. */
  const reconcile = Effect.fnUntraced(function* (
    claimed: ClaimedTarget,
    platform: Platform,
    withCredentials: WithCredentials
  ): Effect.fn.Return<Admission> {
    const now = yield* DateTime.now
    const deadline = deadlineOf(claimed)
    const kind = platform.capabilities.reconcile(claimed, now)
    const { account_status, paused_until } = claimed
    const isPaused = paused_until !== null && DateTime.isGreaterThan(paused_until, now)
    // The platform said that it works on the post. It is not late: it is asked what came of it.
    const isAccepted = kind === "lookup" && claimed.error === null && !claimed.taken_over
    if (
      kind === "none" ||
      account_status === "disconnected" ||
      (account_status === "needs_reconnect" && isCommenting(claimed)) ||
      (DateTime.isGreaterThan(now, deadline) && (!isAccepted || account_status !== "connected" || isPaused))
    ) {
      yield* outcomes.unconfirmed(claimed)
      return "settled"
    }
    if (account_status === "needs_reconnect") {
      yield* outcomes.unknown(claimed, deadline, replyLost, false)
      return "settled"
    }
    // A paused account is not asked either: while it may not send, the lookups would never end.
    if (isPaused) {
      yield* outcomes.release(claimed, DateTime.min(paused_until, deadline))
      return "settled"
    }
    if (kind === "replay") return "perhaps_live"

    const answerable = DateTime.addDuration(claimed.marked_at ?? now, platform.capabilities.settle_wait)
    if (DateTime.isLessThan(now, answerable)) {
      yield* isAccepted
        ? outcomes.release(claimed, answerable)
        : outcomes.unknown(claimed, answerable, replyLost, false)
      return "settled"
    }
    return yield* Effect.gen(function* (): Effect.fn.Return<Admission, PublishError> {
      const request = yield* requests.resolve(claimed, platform)
      const owner = {
        platform: claimed.platform,
        account: claimed.remote_id,
        owner: request.target_id
      }
      const found = yield* withCredentials((credentials) =>
        platform.reconcile(request, credentials, claimed.handle ?? {}, (ids) => posts.ofOthers(owner, ids))
      )
      if (found._tag === "not_published") {
        const apart = platform.capabilities.lookup_apart
        const before = claimed.looked_up_at
        if (before !== null && DateTime.isGreaterThanOrEqualTo(now, DateTime.addDuration(before, apart))) {
          return "not_live"
        }
        yield* outcomes.awaitSecondLookup(claimed, DateTime.addDuration(yield* DateTime.now, apart))
        return "settled"
      }
      switch (found._tag) {
        case "published":
          yield* found.exact === true ? named(claimed, found.data) : foundLive(claimed, platform, found.data)
          break
        case "thread_published":
          yield* foundLive(claimed, platform, found.thread)
          break
        case "working": {
          if (DateTime.isGreaterThan(now, DateTime.addDuration(deadline, longestWork))) {
            yield* outcomes.unconfirmed(claimed)
            break
          }
          const at = DateTime.addDuration(yield* DateTime.now, found.ask_after)
          yield* outcomes.working(claimed, at, found.handle, false)
          break
        }
        case "refused":
          yield* outcomes.retryOrFail(claimed, found.failure, false)
          break
        case "unknown":
          yield* outcomes.unconfirmed(claimed)
      }
      return "settled"
    }).pipe(
      Effect.catchTag("PublishError", (failure) =>
        Effect.as(outcomes.retryWhileUnknown(claimed, failure, false), "settled" as const)
      )
    )
  })

  /** A post that the platform named itself is this one, whatever others were taken for it by their words. */
  const named = Effect.fnUntraced(function* (claimed: ClaimedTarget, data: PlatformData) {
    if (!(yield* outcomes.publishedUnlessTaken(claimed, data))) yield* outcomes.published(claimed, data)
  })

  /**
   * Words alone do not say whose a post is. It is believed when no other commit to the account can still turn out to have
   * made it; of several that are looked up by words each takes one, once no more can come of any.
   */
  const foundLive = Effect.fnUntraced(function* (
    claimed: ClaimedTarget,
    platform: Platform,
    data: PlatformData | WholeThread
  ) {
    const { by_words, lookup_apart, reconcile: kindOf, settle_wait } = platform.capabilities
    if (by_words !== true) return yield* outcomes.published(claimed, data)
    const now = yield* DateTime.now
    const mayCome = ({ marked_at }: Pick<ClaimedTarget, "marked_at">) =>
      marked_at !== null &&
      DateTime.isLessThan(now, DateTime.addDuration(marked_at, Duration.sum(settle_wait, lookup_apart)))
    const others = yield* posts.doubtful(claimed)
    const isOpen = others.some(
      (other) =>
        other.state === "committing" ||
        (other.state === "unknown" && (kindOf(other, now) === "replay" || mayCome(other) || mayCome(claimed)))
    )
    if (!isOpen && others.some(({ state }) => state === "unconfirmed"))
      return yield* outcomes.unconfirmed(claimed, alikeUnconfirmed)
    if (isOpen || !(yield* outcomes.publishedUnlessTaken(claimed, data)))
      yield* outcomes.unknown(claimed, DateTime.addDuration(now, lookup_apart), replyLost, false)
  })

  return reconcile
}
