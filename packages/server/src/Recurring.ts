import { type Duration, Effect } from "effect"

/** Work that is done again and again for as long as the service runs. Every process does it. */
export interface Recurring {
  /** Names its fiber and its failures in the log. */
  readonly name: string
  /** The pause after a run; or an effect that ends when the next run is due. */
  readonly every: Duration.Input | Effect.Effect<void>
  readonly run: Effect.Effect<void>
}

/**
 * Runs each in a fiber of the scope: at once, then again and again. A failure is logged with the name and ends that run only. The
 * next one follows after the usual pause, or after 5 seconds if the work decides by itself when it is due.
 */
export const runRecurring = (all: ReadonlyArray<Recurring>) =>
  Effect.forEach(
    all,
    ({ name, every, run }) => {
      const [pause, pauseAfterFailure] = Effect.isEffect(every)
        ? [every, Effect.sleep("5 seconds")]
        : [Effect.sleep(every), Effect.sleep(every)]
      return Effect.andThen(run, pause).pipe(
        // A lost connection is a defect here; it must not end the fiber.
        Effect.catchCause((cause) =>
          Effect.andThen(Effect.logError(`${name} failed`, cause), pauseAfterFailure)
        ),
        Effect.forever,
        Effect.annotateLogs({ fiber: name }),
        Effect.forkScoped
      )
    },
    { discard: true }
  )
