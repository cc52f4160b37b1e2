import { Clock, Duration, Effect, Scheduler } from "effect"

interface Timer {
  readonly at: number
  readonly run: () => void
  cancelled: boolean
}

/**
 * Time and the order of things in one history. Nothing happens by itself: `step` goes to the next timer and runs
 * everything that follows from it, so that a history with the same seed is the same history.
 */
export class SimulatedTime {
  now: number
  readonly #timers: Array<Timer> = []
  #tasks: Array<() => void> = []

  constructor(now: number) {
    this.now = now
  }

  at(at: number, run: () => void): () => void {
    const timer: Timer = { at: Math.max(at, this.now), run, cancelled: false }
    let index = this.#timers.length
    while (index > 0 && this.#timers[index - 1]!.at > timer.at) index--
    this.#timers.splice(index, 0, timer)
    return () => {
      timer.cancelled = true
    }
  }

  /** False when nothing is left that could happen. */
  step(): boolean {
    this.settle()
    while (this.#timers[0]?.cancelled) this.#timers.shift()
    const timer = this.#timers.shift()
    if (timer === undefined) return false
    this.now = timer.at
    timer.run()
    this.settle()
    return true
  }

  /** Runs what fibers have put off until they yield. */
  settle(): void {
    while (this.#tasks.length > 0) {
      const tasks = this.#tasks
      this.#tasks = []
      for (const task of tasks) task()
    }
  }

  /** Effect's scheduler: fibers of this history run when it says so. */
  readonly scheduler: Scheduler.Scheduler = {
    executionMode: "sync",
    shouldYield: () => false,
    makeDispatcher: () => ({
      scheduleTask: (task) => void this.#tasks.push(task),
      flush: () => this.settle()
    })
  }

  /** Effect's clock, for a process that sleeps no longer than `awake` lets it. */
  clock(awake: (resume: () => void) => void): Clock.Clock {
    const nanos = () => BigInt(Math.round(this.now * 1000)) * 1000n
    return {
      currentTimeMillisUnsafe: () => this.now,
      currentTimeMillis: Effect.sync(() => this.now),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: nanos,
      monotonicTimeNanos: Effect.sync(nanos),
      sleep: (duration) =>
        Effect.callback<void>((resume) => {
          const cancel = this.at(this.now + Duration.toMillis(duration), () =>
            awake(() => resume(Effect.void))
          )
          return Effect.sync(cancel)
        })
    }
  }
}
