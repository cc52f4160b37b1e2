import { Clock, Context, Duration, Effect, Layer, type Scope } from "effect"
import { SqlClient } from "effect/sql"

/** One reading of the database's clock. All three in milliseconds; the database's since 1970, the others monotonic. */
export interface ClockSample {
  /** `clock_timestamp()`, or any moment of the statement's execution. */
  readonly databaseTime: number
  /** `monotonicMillis` before the statement was sent. */
  readonly sentAt: number
  /** `monotonicMillis` after its answer had arrived. */
  readonly receivedAt: number
}

/** After a longer round trip than this the reading is not worth having, once there is another. */
const LONGEST_ROUND_TRIP = 2_000
/** A `Date` from the driver, and PGlite's own clock, are cut to whole milliseconds. */
const GRANULARITY = 1
/** How far two clocks may part per millisecond: what NTP allows itself when it corrects one. */
const DRIFT = 0.0005
/** A correction up to this is made up for gradually, so that time never runs backwards because of one. */
const LONGEST_SLEW = 1_000
/** Milliseconds of correction per millisecond while it is made up for. */
const SLEW_RATE = 0.1

const LONGEST_TIMER = 2 ** 31 - 1
const SAMPLES_AT_START = 5
const SAMPLES_AT_REFRESH = 3

/**
 * The offset between a monotonic clock and the database's, from readings that each only bound it: the database read
 * its clock at some point between sending and receiving, so the shortest round trip bounds it best.
 */
export class ClockOffset {
  readonly #monotonic: () => number
  /** The best estimate, how far off it may be, and when it was made. */
  #estimate: { readonly offset: number; readonly error: number; readonly at: number } | undefined
  /** The offset in use moves from here towards the estimate. */
  #from = 0
  #since = 0

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic
  }

  /** Milliseconds since 1970 by the database's clock. */
  now(): number {
    const at = this.#monotonic()
    return at + this.#offsetAt(at)
  }

  /** Takes the reading into account; tells by how much it moves the clock: 0 when it teaches nothing. */
  observe({ databaseTime, sentAt, receivedAt }: ClockSample): number {
    const roundTrip = receivedAt - sentAt
    if (!(roundTrip >= 0) || !Number.isFinite(databaseTime)) return 0
    const offset = databaseTime - (sentAt + receivedAt) / 2
    const error = roundTrip / 2 + GRANULARITY

    const known = this.#estimate
    if (known !== undefined) {
      if (roundTrip > LONGEST_ROUND_TRIP) return 0
      const knownError = known.error + (receivedAt - known.at) * DRIFT
      const contradicts = Math.abs(offset - known.offset) > error + knownError
      if (error > knownError && !contradicts) return 0
    }

    const inUse = known === undefined ? 0 : this.#offsetAt(receivedAt)
    const correction = offset - inUse
    this.#estimate = { offset, error, at: receivedAt }
    this.#from = known === undefined || Math.abs(correction) > LONGEST_SLEW ? offset : inUse
    this.#since = receivedAt
    return known === undefined ? 0 : correction
  }

  #offsetAt(at: number): number {
    if (this.#estimate === undefined) return 0
    const missing = this.#estimate.offset - this.#from
    const slewed = Math.min(Math.abs(missing), Math.max(0, at - this.#since) * SLEW_RATE)
    return this.#from + Math.sign(missing) * slewed
  }
}

/**
 * The database's clock. Processes whose own clocks disagree share it, and this process's own clock decides nothing.
 * The layer also installs it as the `Clock` of everything built on it.
 */
export class DatabaseClock extends Context.Service<
  DatabaseClock,
  {
    /** The monotonic clock that samples are measured with, in milliseconds. */
    readonly monotonicMillis: Effect.Effect<number>
    /** Feeds a reading that some statement brought along. */
    readonly observe: (sample: ClockSample) => Effect.Effect<void>
    /** Until the database's clock has reached this instant (milliseconds since 1970), never earlier. */
    readonly sleepUntil: (instant: number) => Effect.Effect<void>
  }
>()("@carillon/server/sql/DatabaseClock") {
  static readonly layer = Layer.unwrap(Effect.sync(() => DatabaseClock.layerWith(readClock)))

  /** With another way to read the clock (milliseconds since 1970). */
  static readonly layerWith = <E, R>(
    read: Effect.Effect<number, E, R>,
    options: { readonly refreshInterval?: Duration.Input } = {}
  ): Layer.Layer<DatabaseClock, E, Exclude<R, Scope.Scope>> =>
    Layer.effectContext(
      Effect.gen(function* () {
        const offset = new ClockOffset(monotonicMillis)
        const clock = makeClock(offset)

        const observe = Effect.fnUntraced(function* (sample: ClockSample) {
          const correction = offset.observe(sample)
          if (Math.abs(correction) > LONGEST_SLEW) {
            yield* Effect.logWarning(`the database's clock jumped by ${Math.round(correction)} ms`)
          }
        })
        const measure = Effect.gen(function* () {
          const sentAt = monotonicMillis()
          const databaseTime = yield* read
          yield* observe({ databaseTime, sentAt, receivedAt: monotonicMillis() })
        })

        yield* Effect.repeat(measure, { times: SAMPLES_AT_START - 1 })
        yield* Effect.sleep(options.refreshInterval ?? "10 seconds").pipe(
          Effect.andThen(Effect.repeat(measure, { times: SAMPLES_AT_REFRESH - 1 })),
          // The offset known so far stays good for a while: clocks drift apart slowly.
          Effect.catchCause((cause) => Effect.logWarning("the database's clock could not be read", cause)),
          Effect.forever,
          Effect.annotateLogs({ fiber: "database-clock" }),
          Effect.provideService(Clock.Clock, clock),
          Effect.forkScoped
        )

        const service = DatabaseClock.of({
          monotonicMillis: Effect.sync(monotonicMillis),
          observe,
          sleepUntil: sleepUntil(clock)
        })
        return Context.make(DatabaseClock, service).pipe(Context.add(Clock.Clock, clock))
      })
    )

  /** The clock that is there anyway, a test's for example; readings of the database's change nothing. */
  static readonly layerTest = Layer.effect(
    DatabaseClock,
    Effect.map(Clock.Clock, (clock) =>
      DatabaseClock.of({
        monotonicMillis: Effect.sync(() => Number(clock.monotonicTimeNanosUnsafe()) / 1e6),
        observe: () => Effect.void,
        sleepUntil: sleepUntil(clock)
      })
    )
  )
}

const readClock = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    now: number
  }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`
  return rows[0]?.now ?? Number.NaN
})

const monotonicMillis = () => performance.now()

const sleepUntil =
  (clock: Clock.Clock) =>
  (instant: number): Effect.Effect<void> =>
    Effect.suspend(() => {
      const remaining = instant - Number(clock.currentTimeNanosUnsafe()) / 1e6
      if (remaining <= 0) return Effect.void
      // In steps, because the database's clock may be found to be elsewhere on the way.
      return Effect.andThen(
        clock.sleep(Duration.millis(Math.min(remaining, 1_000))),
        sleepUntil(clock)(instant)
      )
    })

const makeClock = (offset: ClockOffset): Clock.Clock => {
  const currentTimeMillisUnsafe = () => Math.floor(offset.now())
  const currentTimeNanosUnsafe = () => BigInt(Math.floor(offset.now() * 1000)) * 1000n
  const monotonicTimeNanosUnsafe = () => process.hrtime.bigint()

  const sleepUntilMonotonic = (deadline: number): Effect.Effect<void> =>
    Effect.callback((resume) => {
      const wait = () => {
        const remaining = deadline - monotonicMillis()
        if (remaining <= 0) return resume(Effect.void)
        // A timer may fire a millisecond early, and cannot be set for more than 24.8 days.
        timer = setTimeout(wait, Math.min(Math.ceil(remaining), LONGEST_TIMER))
      }
      let timer: ReturnType<typeof setTimeout> | undefined
      wait()
      return Effect.sync(() => clearTimeout(timer))
    })

  return {
    currentTimeMillisUnsafe,
    currentTimeMillis: Effect.sync(currentTimeMillisUnsafe),
    currentTimeNanosUnsafe,
    currentTimeNanos: Effect.sync(currentTimeNanosUnsafe),
    monotonicTimeNanosUnsafe,
    monotonicTimeNanos: Effect.sync(monotonicTimeNanosUnsafe),
    sleep: (duration) => {
      const millis = Duration.toMillis(duration)
      if (millis <= 0) return Effect.yieldNow
      if (!Number.isFinite(millis)) return Effect.never
      return Effect.suspend(() => sleepUntilMonotonic(monotonicMillis() + millis))
    }
  }
}
