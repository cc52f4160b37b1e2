import { Effect } from "effect"
import { setFlagsFromString } from "node:v8"

/**
 * Opens the embedded database in less memory, which counts where a limit ends the process. V8 would soon compile its
 * largest functions again with the optimizing compiler, which takes half a gigabyte for a moment: they stay as they are,
 * and long queries take about a tenth more CPU. And it would let the garbage of the start grow: until the database is open,
 * it collects early. Collecting early takes three times the CPU in long lists, so it ends with the start.
 */
export const frugally = <A, E, R>(open: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      // `--liftoff-only` stands for these two, but only on the command line of Node.
      setFlagsFromString("--no-wasm-tier-up")
      setFlagsFromString("--no-wasm-dynamic-tiering")
      setFlagsFromString("--optimize-for-size")
    }),
    () => open,
    () => Effect.sync(() => setFlagsFromString("--no-optimize-for-size"))
  )
