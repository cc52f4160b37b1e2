import { Effect, Schedule } from "effect"

/** Runs a loop in a fiber of the scope. A failure is logged, and the loop restarts after a pause. */
export const supervised = <A, R>(
  name: string,
  effect: Effect.Effect<A, never, R>,
  pause: "1 second" | "5 seconds" = "1 second"
) =>
  effect.pipe(
    Effect.tapCause((cause) => Effect.logError(`${name} failed; restarting in ${pause}`, cause)),
    // A lost connection is a defect here; it must not end the fiber.
    Effect.sandbox,
    Effect.retry(Schedule.spaced(pause)),
    Effect.annotateLogs({ fiber: name }),
    Effect.forkScoped
  )
