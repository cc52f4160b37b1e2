import { Effect } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"

/**
 * For how many milliseconds this process has stood still at most, since the scope began: where its machine stood, everything
 * that is timed is as late, whoever is timed.
 */
export const stoodStill = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const delays = monitorEventLoopDelay()
      delays.enable()
      return delays
    }),
    (delays) => Effect.sync(() => delays.disable())
  ),
  (delays) => () => delays.max / 1e6
)
