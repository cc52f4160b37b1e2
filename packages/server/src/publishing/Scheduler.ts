import { DateTime, Duration, Effect, FiberMap, Layer, Option, Schedule } from "effect"
import { Database } from "../sql/Sql.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { Publish } from "./Publish.ts"
import { type ClaimedTarget, lease, TargetQueue } from "./TargetQueue.ts"

/** How many targets one process holds at once, waiting ones included. */
const maximumHeld = 2000
const batch = 200
/** A wake-up from another process may be lost; nothing waits longer than this for one. */
const longestSleep = Duration.seconds(5)

/**
 * The loop that publishes: it sleeps until the next step of any target is due, claims what is, and runs a fiber
 * for each. Closing its scope stops the claiming, lets marked commits finish and gives the rest back.
 */
export const SchedulerLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const queue = yield* TargetQueue
    const publish = yield* Publish
    const waiter = yield* (yield* Wakeup).subscribe
    const held = new Map<string, ClaimedTarget>()
    const fibers = yield* FiberMap.make<string>()

    const start = (target: ClaimedTarget) => {
      held.set(target.id, target)
      return FiberMap.run(
        fibers,
        target.id,
        publish.target(target).pipe(
          Effect.onInterrupt(() => queue.release(target)),
          // The lease runs out and the target is taken up again.
          Effect.catchCause((cause) => Effect.logError("a target's step failed", cause)),
          Effect.ensuring(Effect.sync(() => held.get(target.id) === target && held.delete(target.id)))
        )
      )
    }

    const untilNextStep = Effect.gen(function* () {
      const next = yield* queue.nextStepAt
      if (Option.isNone(next)) return longestSleep
      return Duration.min(DateTime.distance(yield* DateTime.now, next.value), longestSleep)
    })

    const loop = Effect.gen(function* () {
      while (true) {
        // Before the read, so that a commit between the two is not lost.
        yield* waiter.arm
        const room = maximumHeld - held.size
        const claimed = room > 0 ? yield* queue.claim(Math.min(room, batch)) : []
        yield* Effect.forEach(claimed, start, { discard: true })
        if (claimed.length === batch) continue
        const sleep = room > 0 ? yield* untilNextStep : Duration.millis(50)
        yield* Effect.timeoutOrElse(waiter.await, { duration: sleep, orElse: () => Effect.void })
      }
    })

    const heartbeat = Effect.gen(function* () {
      if (held.size === 0) return
      yield* queue.renew([...held.values()], DateTime.addDuration(yield* DateTime.now, lease))
    }).pipe(Effect.repeat(Schedule.spaced(Duration.times(lease, 1 / 3))))

    const supervised = <A, R>(fiber: string, effect: Effect.Effect<A, never, R>) =>
      effect.pipe(
        Effect.tapCause((cause) => Effect.logError("the engine stumbled and goes on", cause)),
        // A lost connection is a defect here; it must not end the fiber.
        Effect.sandbox,
        Effect.retry(Schedule.spaced("1 second")),
        Effect.annotateLogs({ fiber }),
        Effect.forkScoped
      )

    // The lock on its directory says that this is the only process.
    if ((yield* Database).kind === "embedded") yield* queue.recover
    yield* supervised("scheduler", loop)
    yield* supervised("heartbeat", heartbeat)
  })
)
