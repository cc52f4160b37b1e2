import { DateTime, Duration, Effect, Exit, Fiber, FiberMap, Layer, Option, Schedule } from "effect"
import { Database } from "../sql/Sql.ts"
import { supervised } from "../Supervised.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import type { ClaimedTarget } from "../engine/ClaimedTarget.ts"
import { countClaims } from "../engine/EngineMetrics.ts"
import { FairClaim } from "./FairClaim.ts"
import { type Lease, monotonicMillis, Publish } from "./Publish.ts"
import { claimSize, lease, TargetQueue } from "../engine/TargetQueue.ts"

/** A wake-up from another process may be lost; nothing waits longer than this for one. */
export const longestSleep = Duration.seconds(1)
/** The pause before what is due and could not be taken is tried again. */
const shortestSleep = Duration.millis(20)
/** How often leases are checked, and how many are renewed in one statement. */
const heartbeatInterval = Duration.seconds(1)
const renewalSize = 200
/** Leases with less than this left are renewed; most targets are over long before. */
const renewalReserve = Duration.seconds(10)

interface Hold {
  readonly target: ClaimedTarget
  readonly lease: Lease
}

/**
 * The loop that publishes: it sleeps until the next step of any target is due, claims what is, and runs a fiber
 * for each. Closing its scope stops the claiming, lets marked commits finish and gives the rest back.
 */
export const SchedulerLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const queue = yield* TargetQueue
    const database = yield* Database
    const publish = yield* Publish
    const waiter = yield* (yield* Wakeup).subscribe
    const claims = new FairClaim(queue)
    const held = new Map<string, Hold>()
    const fibers = yield* FiberMap.make<string>()

    const start = (target: ClaimedTarget, until: number) => {
      const hold: Hold = { target, lease: { until } }
      held.set(target.id, hold)
      return FiberMap.run(
        fibers,
        target.id,
        Effect.onExit(publish.target(target, hold.lease), (exit) => {
          const ended = Effect.sync(() => {
            claims.untrack(target.workspace_id)
            if (held.get(target.id) === hold) held.delete(target.id)
          })
          if (Exit.isSuccess(exit)) return ended
          const left = Exit.hasInterrupts(exit)
            ? queue.release(target)
            : // The lease runs out and the target is taken up again.
              Effect.logError("a target's step failed", exit.cause)
          return Effect.ensuring(left, ended)
        })
      )
    }

    const claim = Effect.gen(function* () {
      const until = (yield* monotonicMillis) + Duration.toMillis(lease)
      const claimed = yield* claims.next
      yield* countClaims(claimed)
      for (const { workspace_id } of claimed) claims.track(workspace_id)
      return { claimed, until }
    })

    const startAll = ({ claimed, until }: Effect.Success<typeof claim>) =>
      Effect.forEach(claimed, (target) => start(target, until), { discard: true })

    /** Starts the claimed targets while the next claim runs; a short claim is the last one for now. */
    const claimAll = Effect.gen(function* () {
      let last = yield* claim
      while (last.claimed.length >= claimSize / 2) {
        const next = yield* Effect.forkChild(claim, { startImmediately: true })
        yield* startAll(last)
        last = yield* Fiber.join(next)
      }
      yield* startAll(last)
    })

    const loop = Effect.gen(function* () {
      while (true) {
        // Before the read, so that a commit between the two is not lost.
        yield* waiter.arm
        const next = yield* queue.nextStepAt
        const distance = Option.isNone(next)
          ? longestSleep
          : Duration.min(DateTime.distance(yield* DateTime.now, next.value), longestSleep)
        if (Duration.toMillis(distance) <= 0) {
          // The space that is left is for the outcomes of what is under way.
          if (yield* database.full) yield* Effect.sleep(longestSleep)
          else yield* claimAll
        }
        yield* Effect.timeoutOrElse(waiter.await, {
          duration: Duration.max(distance, shortestSleep),
          orElse: () => Effect.void
        })
      }
    })

    const renewDue = Effect.gen(function* () {
      const now = yield* monotonicMillis
      const until = now + Duration.toMillis(lease)
      const due = [...held.values()].filter(
        (hold) => hold.lease.until - now < Duration.toMillis(renewalReserve)
      )
      for (let from = 0; from < due.length; from += renewalSize) {
        const batch = due.slice(from, from + renewalSize)
        const kept = yield* queue.renew(
          batch.map(({ target }) => target),
          DateTime.addDuration(yield* DateTime.now, lease)
        )
        const ids = new Set(kept)
        for (const hold of batch) if (ids.has(hold.target.id)) hold.lease.until = until
      }
    })

    const heartbeat = Effect.repeat(renewDue, Schedule.spaced(heartbeatInterval))

    // The lock on its directory says that this is the only process.
    if (database.kind === "embedded") yield* queue.recover
    yield* supervised("engine loop", loop)
    yield* supervised("engine heartbeat", heartbeat)
  })
)
