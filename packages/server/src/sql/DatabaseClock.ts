import { Clock, Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** The distance from the monotonic clock to the database's in milliseconds, how far off it may be, and when it was read. */
export interface Offset {
  readonly millis: number
  readonly error: number
  readonly at: number
}

/** A `Date` from the driver, and PGlite's own clock, are cut to whole milliseconds. */
const granularity = 1
/** How far two clocks may part per millisecond: what NTP allows itself when it corrects one. */
const drift = 0.0005
/** A larger correction is worth a line in the log. */
const jump = 1_000
const readingsAtStart = 5
const readingsAtRefresh = 3

/** The database read its clock at some point between sending and receiving, so a short round trip bounds it best. */
export const offsetOf = (databaseTime: number, sentAt: number, receivedAt: number): Offset => ({
  millis: databaseTime - (sentAt + receivedAt) / 2,
  error: (receivedAt - sentAt) / 2 + granularity,
  at: receivedAt
})

/** The more certain of the two, and always the new one when both cannot be true: the database's clock was set. */
export const better = (known: Offset, found: Offset): Offset => {
  const knownError = known.error + (found.at - known.at) * drift
  const contradicts = Math.abs(found.millis - known.millis) > found.error + knownError
  return contradicts || found.error <= knownError ? found : known
}

/** With another way to read the clock, in milliseconds since 1970. */
export const layerWith = <E, R>(
  read: Effect.Effect<number, E, R>,
  { refreshInterval = "10 seconds" }: { readonly refreshInterval?: Duration.Input } = {}
) =>
  Layer.effect(
    Clock.Clock,
    Effect.gen(function* () {
      const own = yield* Clock.Clock
      const measure = Effect.gen(function* () {
        const sentAt = performance.now()
        const databaseTime = yield* read
        return offsetOf(databaseTime, sentAt, performance.now())
      })
      let offset = yield* measure
      const refine = Effect.gen(function* () {
        const known = offset
        offset = better(known, yield* measure)
        const correction = Math.round(offset.millis - known.millis)
        if (Math.abs(correction) > jump) {
          yield* Effect.logWarning(`the database's clock jumped by ${correction} ms`)
        }
      })
      const clock = makeClock(own, () => performance.now() + offset.millis)

      yield* Effect.repeat(refine, { times: readingsAtStart - 2 })
      yield* Effect.sleep(refreshInterval).pipe(
        Effect.andThen(Effect.repeat(refine, { times: readingsAtRefresh - 1 })),
        // The offset known so far stays good for a while: clocks drift apart slowly.
        Effect.catchCause((cause) => Effect.logWarning("the database's clock could not be read", cause)),
        Effect.forever,
        Effect.annotateLogs({ fiber: "database-clock" }),
        Effect.provideService(Clock.Clock, clock),
        Effect.forkScoped
      )
      return clock
    })
  )

/**
 * The database's clock as the `Clock` of everything built on it. Processes whose own clocks disagree share it, and this
 * process's own clock decides nothing.
 */
export const layer = layerWith(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ now: number }>`
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`
    return rows[0]!.now
  })
)

const makeClock = (own: Clock.Clock, now: () => number): Clock.Clock => {
  const currentTimeMillisUnsafe = () => Math.floor(now())
  const currentTimeNanosUnsafe = () => BigInt(Math.floor(now() * 1000)) * 1000n
  return {
    currentTimeMillisUnsafe,
    currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
    currentTimeNanosUnsafe,
    currentTimeNanos: Effect.sync(currentTimeNanosUnsafe),
    monotonicTimeNanosUnsafe: () => own.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: own.monotonicTimeNanos,
    sleep: (duration) => {
      const millis = Duration.toMillis(duration)
      // Node cuts off fractions, and its timers may fire a millisecond early.
      return own.sleep(millis > 0 ? Duration.millis(Math.ceil(millis) + 1) : duration)
    }
  }
}
