import { Clock, Effect } from "effect"

const window = 60_000

/** Counts calls in a sliding minute, in memory. */
export class RateWindows {
  readonly #calls = new Map<string, ReadonlyArray<number>>()

  /** Whether one more call of this key fits under the limit; if so, it is counted. */
  take(key: string, limit: number): Effect.Effect<boolean> {
    return Effect.map(Clock.currentTimeMillis, (now) => {
      const recent = (this.#calls.get(key) ?? []).filter((at) => at > now - window)
      const fits = recent.length < limit
      this.#calls.set(key, fits ? [...recent, now] : recent)
      return fits
    })
  }

  /** How many more calls of this key fit now. */
  left(key: string, limit: number): Effect.Effect<number> {
    return Effect.map(
      Clock.currentTimeMillis,
      (now) => limit - (this.#calls.get(key) ?? []).filter((at) => at > now - window).length
    )
  }
}
