import { Effect, Schedule } from "effect"

/**
 * Runs a loop in a fiber of the scope, for as long as the scope lives: what breaks it is logged as the stumbling of
 * `who`, and it begins again after a pause.
 */
export const supervised = <A, R>(
  fiber: string,
  who: string,
  effect: Effect.Effect<A, never, R>,
  pause: "1 second" | "5 seconds" = "1 second"
) =>
  effect.pipe(
    Effect.tapCause((cause) => Effect.logError(`${who} stumbled and goes on`, cause)),
    // A lost connection is a defect here; it must not end the fiber.
    Effect.sandbox,
    Effect.retry(Schedule.spaced(pause)),
    Effect.annotateLogs({ fiber }),
    Effect.forkScoped
  )
