import { Effect } from "effect"
import { monitorEventLoopDelay } from "node:perf_hooks"

/**
 * The longest time in milliseconds that this process stood still since the scope began. Where its machine stands still,
 * everything that is timed is as late.
 */
export const stalled = Effect.map(
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
