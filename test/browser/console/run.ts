import { Effect } from "effect"

/** What a service or the test network is asked from a walk. */
export const run = <A>(effect: Effect.Effect<A>) => Effect.runPromise(effect)
