/** So many requests at once, and as many again over a window. */
export interface Quota {
  readonly requests: number
  readonly windowSeconds: number
}

export interface Taken {
  readonly allowed: boolean
  /** How many requests are allowed at once after this one. */
  readonly remaining: number
  /** Whole seconds until the quota is full again; when nothing remains, until one more request is allowed. */
  readonly resetSeconds: number
}

/** Full buckets are dropped at this number, and again at every doubling. */
const fewest = 1000
/** The most buckets that are kept; beyond that the oldest are dropped. */
const most = 100_000

/**
 * One bucket for each key, filled evenly. It is stored as one number, the instant at which it is full, in whole
 * microseconds, so that the times it tells are exact. A full bucket is not kept at all.
 */
export class TokenBuckets {
  readonly #fullAt = new Map<string, number>()
  readonly #cost: number
  readonly #window: number
  #sweepAt = fewest

  constructor({ requests, windowSeconds }: Quota) {
    this.#cost = Math.max(1, Math.floor((windowSeconds * 1e6) / requests))
    this.#window = this.#cost * requests
  }

  /** Takes one request of the key's bucket, at `now` in milliseconds. One that is refused takes nothing. */
  take(key: string, now: number): Taken {
    const at = Math.floor(now * 1000)
    const missing = this.#missing(key, at)
    const allowed = missing + this.#cost <= this.#window
    const left = allowed ? missing + this.#cost : missing
    // A refusal writes too: after a clock was set back, the times told now have to be true from now on.
    this.#fullAt.set(key, at + left)
    if (this.#fullAt.size >= this.#sweepAt) this.#sweep(at)
    return this.#told(allowed, left)
  }

  /** What `take` would be told, without taking. */
  look(key: string, now: number): Taken {
    const missing = this.#missing(key, Math.floor(now * 1000))
    return this.#told(missing + this.#cost <= this.#window, missing)
  }

  get size(): number {
    return this.#fullAt.size
  }

  // Bounded by the window too: a clock that was set back must not lock anybody out.
  #missing(key: string, at: number): number {
    return Math.min(this.#window, Math.max(0, (this.#fullAt.get(key) ?? 0) - at))
  }

  #told(allowed: boolean, missing: number): Taken {
    const remaining = Math.floor((this.#window - missing) / this.#cost)
    const wait = remaining === 0 ? missing + this.#cost - this.#window : missing
    return { allowed, remaining, resetSeconds: Math.ceil(wait / 1e6) }
  }

  #sweep(at: number) {
    for (const [key, fullAt] of this.#fullAt) if (fullAt <= at) this.#fullAt.delete(key)
    for (const key of this.#fullAt.keys()) {
      if (this.#fullAt.size <= most) break
      this.#fullAt.delete(key)
    }
    this.#sweepAt = Math.max(fewest, Math.min(most, this.#fullAt.size) * 2)
  }
}
