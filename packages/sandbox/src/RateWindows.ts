import { Clock, Effect } from "effect"

/** Counts calls in a sliding window, in memory. */
export class RateWindows {
  readonly #window: number
  readonly #calls = new Map<string, ReadonlyArray<number>>()

  /** Milliseconds; a minute by default. */
  constructor(window = 60_000) {
    this.#window = window
  }

  /** Whether one more call of this key fits under the limit; if so, it is counted. */
  take(key: string, limit: number): Effect.Effect<boolean> {
    return Effect.map(Clock.currentTimeMillis, (now) => {
      const recent = this.#recent(key, now)
      const fits = recent.length < limit
      this.#calls.set(key, fits ? [...recent, now] : recent)
      return fits
    })
  }

  /** How many more calls of this key fit now. */
  left(key: string, limit: number): Effect.Effect<number> {
    return Effect.map(Clock.currentTimeMillis, (now) => limit - this.#recent(key, now).length)
  }

  /** When the oldest call of this key leaves the window: Unix time in milliseconds. */
  resetsAt(key: string): Effect.Effect<number> {
    return Effect.map(Clock.currentTimeMillis, (now) => (this.#recent(key, now)[0] ?? now) + this.#window)
  }

  #recent(key: string, now: number) {
    return (this.#calls.get(key) ?? []).filter((at) => at > now - this.#window)
  }
}
