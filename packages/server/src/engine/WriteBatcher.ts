import { Deferred, Effect, Exit, Latch, Schedule, type Scope } from "effect"
import { hasProperty } from "effect/Predicate"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

export interface WriteBatcherOptions<Item, Answer> {
  /** Writes all items in one statement or transaction and answers each in order. It may be run twice. */
  readonly run: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Answer>, unknown>
  readonly max: number
  /** How many batches may run at once. */
  readonly concurrency: number
  /** The least items for a batch beside a running one: many small batches cost more than few large ones. */
  readonly minParallel: number
}

interface Entry<Item, Answer> {
  readonly item: Item
  readonly answer: Deferred.Deferred<Answer>
}

/** The server stops, starts, is full or is a replica; sql-pg has no names for these. */
const unready = /^(57P0[1-3]|53...|25006)$/

/** Failures that may be over a moment later: a deadlock, a restart of the database, a lost connection. */
const isTransient = (error: unknown) => {
  if (!isSqlError(error)) return false
  const { isRetryable, reason } = error as SqlError
  return isRetryable || (hasProperty(reason.cause, "code") && unready.test(String(reason.cause.code)))
}

/** About ten seconds in all: less than a lease, after which other processes take over. */
const again = Schedule.min([Schedule.exponential("20 millis"), Schedule.spaced("1 second")]).pipe(
  Schedule.jittered,
  Schedule.upTo({ times: 16 })
)

/**
 * Gathers writes of the same moment into one statement. The next batch gathers while one runs, so batches grow with
 * the load. A batch that fails for a transient reason is retried: nobody waits for a lease because two statements met.
 */
export const makeWriteBatcher = Effect.fnUntraced(function* <Item, Answer>({
  run,
  max,
  concurrency,
  minParallel
}: WriteBatcherOptions<Item, Answer>): Effect.fn.Return<
  (item: Item) => Effect.Effect<Answer>,
  never,
  Scope.Scope
> {
  let waiting: Array<Entry<Item, Answer>> = []
  let underWay = 0
  const ready = Latch.makeUnsafe(false)
  const look = () => {
    if (waiting.length >= (underWay === 0 ? 1 : minParallel)) ready.openUnsafe()
    else ready.closeUnsafe()
  }

  const worker = Effect.gen(function* () {
    yield* ready.await
    // Items woken by the same timer join the batch.
    yield* Effect.yieldNow
    look()
    if (!ready.isOpen()) return
    const entries = waiting.slice(0, max)
    waiting = waiting.slice(max)
    underWay++
    look()
    const answers = yield* run(entries.map(({ item }) => item)).pipe(
      Effect.retry({ schedule: again, while: isTransient }),
      Effect.orDie,
      Effect.exit
    )
    underWay--
    look()
    entries.forEach(({ answer }, index) =>
      Deferred.doneUnsafe(
        answer,
        Exit.map(answers, (all) => all[index]!)
      )
    )
  })

  for (let index = 0; index < concurrency; index++) yield* Effect.forkScoped(Effect.forever(worker))

  return (item) =>
    Effect.suspend(() => {
      const answer = Deferred.makeUnsafe<Answer>()
      waiting.push({ item, answer })
      look()
      return Deferred.await(answer)
    })
})
