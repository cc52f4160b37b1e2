import type { PlatformData } from "@carillon/domain"
import { Clock, DateTime, Duration, Effect } from "effect"
import type { WithCredentials } from "../accounts/TokenVault.ts"
import type { ClaimedTarget } from "../engine/ClaimedTarget.ts"
import type { Handle } from "../engine/Handle.ts"
import { type Lease, millisOf, monotonicMillis } from "../engine/Lease.ts"
import type { TargetQueue } from "../engine/TargetQueue.ts"
import { SendGuard } from "../http/SendGuard.ts"
import {
  Accepted,
  type Platform,
  PublishError,
  type PublishRequest,
  WholeThread
} from "../platforms/Platform.ts"
import type { Ticket } from "./AccountQueue.ts"
import { FairSemaphore } from "./FairSemaphore.ts"
import { answeredWithAnother, type Outcomes, replyLost } from "./Outcomes.ts"

/** A commit does not start with less than this left of its lease: a frozen process must not send late. */
const leaseReserve = Duration.toMillis(Duration.seconds(5))

/** What stops an irreversible request of this claim; undefined: it is in time. */
export const lateBy = (lease: Lease, clock: Clock.Clock) => () =>
  lease.until - millisOf(clock) < leaseReserve ? stalled : undefined

/**
 * How soon a target that the account's gate held back is tried again. The first tries keep the claim, because releasing
 * and claiming again costs more than the commit; after them any process may take it.
 */
const gatePause = Duration.millis(250)
const gateTries = 8
const gateRest = Duration.seconds(1)

/** How soon the same commit is sent again after its reply was lost, where the platform honours that. */
const firstReplay = Duration.seconds(2)

const concurrentCommits = 2048

export interface Commit {
  readonly claimed: ClaimedTarget
  readonly lease: Lease
  readonly ticket: Ticket
  readonly platform: Platform
  readonly request: PublishRequest
  readonly handle: Handle
  readonly withCredentials: WithCredentials
  readonly failed: Outcomes["Service"]["retryOrFail"]
}

export const commitment = ({
  outcomes,
  queue
}: {
  readonly outcomes: Outcomes["Service"]
  readonly queue: TargetQueue["Service"]
}) => {
  const committing = new FairSemaphore(concurrentCommits)

  /** Calls in the account's order, within the limits, marked and at the instant; then stores the result. */
  const commit = (work: Commit) =>
    Effect.uninterruptibleMask((restore) => {
      const { claimed } = work
      const slot = workOf(claimed, work.platform)
      const taken = restore(committing.acquire(slot))
      const sent = Effect.ensuring(
        send(work),
        Effect.sync(() => committing.release(slot))
      )
      const attempt = (tries: number): Effect.Effect<void> =>
        Effect.flatMap(Effect.andThen(taken, sent), (settle) => {
          if (settle !== "not_its_turn") return settle()
          if (tries < gateTries)
            return Effect.andThen(restore(Effect.sleep(gatePause)), () => attempt(tries + 1))
          // It keeps its place in the order; behind later targets, which all wait for it, it would be last.
          return Effect.flatMap(DateTime.now, (now) =>
            queue.release({
              id: claimed.id,
              fence: claimed.fence,
              until: DateTime.addDuration(now, gateRest)
            })
          )
        })
      return Effect.andThen(restore(work.ticket.turn), attempt(1))
    })

  // Once it is marked a shutdown waits until the result is stored.
  const send = (work: Commit): Effect.Effect<Settle | "not_its_turn"> => {
    const { claimed, handle } = work
    return Effect.flatMap(
      queue.mark({ id: claimed.id, fence: claimed.fence, handle }),
      (marked): Effect.Effect<Settle | "not_its_turn"> => {
        switch (marked) {
          case "marked":
            return call(work)
          case "not_its_turn":
            return Effect.succeed(marked)
          case "lost":
            return Effect.succeed(() => Effect.void)
          case "account_closed":
            // The next claim finds out what it waits for.
            return Effect.map(DateTime.now, (now) => () => outcomes.release(claimed, now))
        }
      }
    )
  }

  const call = (work: Commit) =>
    answered(work).pipe(
      Effect.catch((failure) =>
        Effect.succeed((): Effect.Effect<void> =>
          failure.class === "ambiguous"
            ? lost(work.claimed, work.platform, failure)
            : work.failed(work.claimed, failure, true)
        )
      )
    )

  const answered = ({ claimed, lease, platform, request, handle, withCredentials, failed }: Commit) => {
    const called = Clock.clockWith((clock): Effect.Effect<Settle, PublishError> => {
      const late = lateBy(lease, clock)
      if (late() !== undefined) return Effect.succeed(() => failed(claimed, stalled, true))
      const limit = Duration.toMillis(platform.capabilities.commit_timeout)
      const deadline = { at: millisOf(clock) + limit }
      let published: PlatformData | undefined
      const answer = Effect.flatMap(
        Effect.provideService(
          withCredentials((credentials) => platform.commit(request, credentials, handle)),
          // Checked before the call, and again when its connection is open.
          SendGuard,
          late
        ),
        (data): Effect.Effect<PlatformData | WholeThread | Accepted> => {
          if (data instanceof Accepted || data instanceof WholeThread) return Effect.succeed(data)
          published = data
          deadline.at = millisOf(clock) + limit
          const confirmed = withCredentials((credentials) =>
            platform.confirm(request, credentials, handle, data)
          )
          return Effect.orElseSucceed(confirmed, (): PlatformData => data)
        }
      )
      // A confirmation that takes too long leaves a published post published.
      const cutOff = Effect.suspend(() =>
        Effect.andThen(
          overdue(deadline, lease),
          Effect.suspend(() => (published === undefined ? replyLost : Effect.succeed(published)))
        )
      )
      return Effect.flatMap(
        // Each of the two can be interrupted by the other, neither by a shutdown.
        Effect.raceFirst(Effect.interruptible(answer), Effect.interruptible(cutOff)),
        (data): Effect.Effect<Settle> =>
          data instanceof Accepted
            ? Effect.map(DateTime.now, (now) => () => {
                const at = DateTime.addDuration(now, data.ask_after)
                return outcomes.working(claimed, at, data.handle, true)
              })
            : Effect.succeed(() => answeredWith(claimed, platform, data))
      )
    })
    return Effect.andThen(until(claimed.due_at.epochMilliseconds), called)
  }

  const answeredWith = (claimed: ClaimedTarget, platform: Platform, data: PlatformData | WholeThread) =>
    platform.capabilities.by_words !== true
      ? outcomes.published(claimed, data)
      : Effect.flatMap(outcomes.publishedUnlessTaken(claimed, data), (settled) => {
          if (settled) return Effect.void
          // The key of a first commit is new, so the answer is its own, whatever a platform called another post before.
          return claimed.attempts === 0 || data instanceof WholeThread
            ? outcomes.published(claimed, data)
            : outcomes.unconfirmed(claimed, answeredWithAnother(data))
        })

  const lost = Effect.fnUntraced(function* (
    claimed: ClaimedTarget,
    platform: Platform,
    failure: PublishError
  ) {
    const now = yield* DateTime.now
    const kind = platform.capabilities.reconcile(claimed, now)
    if (kind === "none") return yield* outcomes.unconfirmed(claimed, failure)
    if (claimed.state === "unknown") return yield* outcomes.retryWhileUnknown(claimed, failure, true)
    const pause = kind === "lookup" ? platform.capabilities.settle_wait : firstReplay
    yield* outcomes.unknown(claimed, DateTime.addDuration(now, pause), failure, true)
  })

  return commit
}

/** Stores the result of a call, after its permit was released. */
type Settle = () => Effect.Effect<void>

/** Ends at the deadline, or sooner when the lease was not renewed: other processes may take the target then. */
const overdue = Effect.fnUntraced(function* (deadline: { readonly at: number }, lease: Lease) {
  while (true) {
    const left = Math.min(deadline.at, lease.until) - (yield* monotonicMillis)
    if (left <= 0) return
    yield* Effect.sleep(left)
  }
})

export const until = (instant: number) =>
  Clock.clockWith((clock) => {
    const left = instant - clock.currentTimeMillisUnsafe()
    return left > 0 ? Effect.sleep(left) : Effect.void
  })

export const workOf = ({ workspace_id, platform }: ClaimedTarget, { capabilities }: Platform) => ({
  workspace: workspace_id,
  platform,
  platformLimit: capabilities.concurrent_commits
})

const stalled = new PublishError({
  class: "transient",
  code: "process_stalled",
  message: "The service stalled between storing the attempt and sending it, so nothing was sent."
})
