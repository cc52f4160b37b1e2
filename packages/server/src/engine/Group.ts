import { Deferred, Effect, Exit, Latch, Schedule, type Scope } from "effect"
import { hasProperty } from "effect/Predicate"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

export interface GroupOptions<Item, Answer> {
  /** One statement or transaction for all of them; an answer for each, in their order. It may be run twice. */
  readonly run: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Answer>, unknown>
  readonly max: number
  /** How many groups may be under way at the same time. */
  readonly flights: number
  /** What a further one has to gather before it leaves beside another: many small ones cost more than few large ones. */
  readonly beside: number
}

interface Entry<Item, Answer> {
  readonly item: Item
  readonly answer: Deferred.Deferred<Answer>
}

/** A server that stops, starts, is full or still follows another one: sql-pg has no names for these. */
const unready = /^(57P0[1-3]|53...|25006)$/

/** A deadlock, a restart of the database, a lost connection: what a moment later may work. */
const passing = (error: unknown) => {
  if (!isSqlError(error)) return false
  const { isRetryable, reason } = error as SqlError
  return isRetryable || (hasProperty(reason.cause, "code") && unready.test(String(reason.cause.code)))
}

/** In all about ten seconds: less than a lease, after which others go on with what was held. */
const again = Schedule.min([Schedule.exponential("20 millis"), Schedule.spaced("1 second")]).pipe(
  Schedule.jittered,
  Schedule.upTo({ times: 16 })
)

/**
 * Gathers what is to be written at the same moment into one statement. While one is under way the next gathers, so
 * groups grow with the load. A group that fails for a passing reason is written again: nobody waits for a lease
 * because two statements met.
 */
export const makeGroup = Effect.fnUntraced(function* <Item, Answer>({
  run,
  max,
  flights,
  beside
}: GroupOptions<Item, Answer>): Effect.fn.Return<(item: Item) => Effect.Effect<Answer>, never, Scope.Scope> {
  let waiting: Array<Entry<Item, Answer>> = []
  let underWay = 0
  const ready = Latch.makeUnsafe(false)
  const look = () => {
    if (waiting.length >= (underWay === 0 ? 1 : beside)) ready.openUnsafe()
    else ready.closeUnsafe()
  }

  const flight = Effect.gen(function* () {
    yield* ready.await
    // Whoever is woken by the same timer comes along.
    yield* Effect.yieldNow
    look()
    if (!ready.isOpen()) return
    const entries = waiting.slice(0, max)
    waiting = waiting.slice(max)
    underWay++
    look()
    const answers = yield* run(entries.map(({ item }) => item)).pipe(
      Effect.retry({ schedule: again, while: passing }),
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

  for (let index = 0; index < flights; index++) yield* Effect.forkScoped(Effect.forever(flight))

  return (item) =>
    Effect.suspend(() => {
      const answer = Deferred.makeUnsafe<Answer>()
      waiting.push({ item, answer })
      look()
      return Deferred.await(answer)
    })
})
