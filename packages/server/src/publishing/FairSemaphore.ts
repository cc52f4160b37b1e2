import { Effect } from "effect"

/** Work that asks for a permit. */
export interface Work {
  readonly workspace: string
  readonly platform: string
  /** How many may run on this platform at once. */
  readonly platformLimit: number
}

interface Waiter {
  readonly work: Work
  readonly start: () => void
}

/**
 * Limits what runs at once, in all and on each platform. At the limit workspaces take turns, so that one with thousands
 * waiting does not keep another's single one from running.
 */
export class FairSemaphore {
  readonly #limit: number
  #running = 0
  readonly #onPlatform = new Map<string, number>()
  /** Queues by workspace and platform; the first has waited longest for its turn. */
  readonly #waiting = new Map<string, Array<Waiter>>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Runs the effect with a permit; waiting for the permit can be interrupted. */
  readonly run =
    (work: Work) =>
    <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.uninterruptibleMask((restore) =>
        Effect.andThen(
          restore(this.acquire(work)),
          Effect.ensuring(
            restore(effect),
            Effect.sync(() => this.release(work))
          )
        )
      )

  /** Waits for a permit; the caller releases it. */
  acquire(work: Work): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (!this.#hasRoom(work)) return this.#queued(work)
      this.#begin(work)
      return Effect.void
    })
  }

  release({ platform }: Work): void {
    this.#running--
    this.#onPlatform.set(platform, this.#onPlatform.get(platform)! - 1)
    for (const [key, queue] of this.#waiting) {
      const [first] = queue
      if (first === undefined || !this.#hasRoom(first.work)) continue
      queue.shift()
      // The workspace goes to the end; the others come first now.
      this.#waiting.delete(key)
      if (queue.length > 0) this.#waiting.set(key, queue)
      return first.start()
    }
  }

  #hasRoom({ platform, platformLimit }: Work): boolean {
    return this.#running < this.#limit && (this.#onPlatform.get(platform) ?? 0) < platformLimit
  }

  #begin({ platform }: Work): void {
    this.#running++
    this.#onPlatform.set(platform, (this.#onPlatform.get(platform) ?? 0) + 1)
  }

  #queued(work: Work): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      const key = `${work.workspace} ${work.platform}`
      const queue = this.#waiting.get(key) ?? []
      this.#waiting.set(key, queue)
      let started = false
      const waiter: Waiter = {
        work,
        start: () => {
          started = true
          this.#begin(work)
          resume(Effect.void)
        }
      }
      queue.push(waiter)
      return Effect.sync(() => {
        // It got its permit in the moment in which it was interrupted.
        if (started) return this.release(work)
        queue.splice(queue.indexOf(waiter), 1)
        if (queue.length === 0) this.#waiting.delete(key)
      })
    })
  }
}
