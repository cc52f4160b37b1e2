import { Duration, Effect, Layer } from "effect"
import { countClaims } from "../engine/EngineMetrics.ts"
import { runLoop } from "../engine/Loop.ts"
import { claimSize, lease } from "../engine/Claims.ts"
import { TargetQueue } from "../engine/TargetQueue.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { FairClaim, maximumHeld } from "./FairClaim.ts"
import { Publish } from "./Publish.ts"

/** A wake-up from another process may be lost; nothing waits longer than this for one. */
export const longestSleep = Duration.seconds(1)

/** The loop that publishes. */
export const SchedulerLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const queue = yield* TargetQueue
    const publish = yield* Publish
    const claims = new FairClaim(queue)
    yield* runLoop({
      name: "target",
      signal: yield* Wakeup,
      longestSleep,
      capacity: maximumHeld,
      minRoom: claimSize,
      lease,
      id: ({ id }) => id,
      group: ({ workspace_id }) => workspace_id,
      claim: (held) =>
        Effect.map(Effect.tap(claims.next(held), countClaims), (items) => ({
          items,
          // A claim reads past all that is held: after a short one it is not worth it at once.
          more: items.length >= claimSize / 2
        })),
      nextAt: () => queue.nextStepAt,
      looksAfterEach: false,
      run: publish.target,
      release: queue.release,
      renew: queue.renew,
      recover: queue.recover
    })
  })
)
