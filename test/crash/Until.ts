import { Effect, Schedule } from "effect"

/** Asks again and again until it holds; what it was about is said when the time is over. */
export const until = <R>(what: string, holds: Effect.Effect<boolean, never, R>, withinSeconds: number) =>
  holds.pipe(
    Effect.repeat({ until: (value) => value, schedule: Schedule.spaced("100 millis") }),
    Effect.timeoutOrElse({
      duration: withinSeconds * 1000,
      orElse: () => Effect.die(new Error(`${what}: not within ${withinSeconds} s`))
    })
  )
