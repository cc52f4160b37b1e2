import { type ClockSample, ClockOffset, DatabaseClock } from "@carillon/server/sql/DatabaseClock"
import { NodeHttpServer } from "@effect/platform-node"
import { assert, describe, it, layer } from "@effect/vitest"
import {
  Clock,
  Context,
  DateTime,
  Deferred,
  Duration,
  Effect,
  Fiber,
  FiberSet,
  Layer,
  Ref,
  Schema
} from "effect"
import { HttpClient, HttpRouter, HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { vi } from "vitest"
import * as TestSql from "@carillon/testing/TestSql"

const HOUR = 3_600_000

/** A monotonic clock and a database's clock that a test moves, and round trips as it wants them. */
class Worlds {
  monotonic = 1_000
  database = 1_800_000_000_000
  readonly offset = new ClockOffset(() => this.monotonic)

  pass(millis: number) {
    this.monotonic += millis
    this.database += millis
  }

  /** A reading that takes `there` milliseconds to the database and `back` from it. */
  read(there: number, back: number): ClockSample {
    const sentAt = this.monotonic
    this.pass(there)
    const databaseTime = this.database
    this.pass(back)
    return { databaseTime, sentAt, receivedAt: this.monotonic }
  }

  observe(there: number, back: number) {
    return this.offset.observe(this.read(there, back))
  }

  get error() {
    return this.offset.now() - this.database
  }
}

const Delay = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 }))

describe("the offset to the database's clock", () => {
  it("comes from the shortest round trip, not from the latest", () => {
    const worlds = new Worlds()
    worlds.observe(900, 5)
    worlds.observe(1, 1)
    worlds.observe(5, 300)
    worlds.pass(10_000)
    assert.closeTo(worlds.error, 0, 0.001)
  })

  it.prop(
    "is never further off than half the shortest round trip, however unequal its two ways",
    [Schema.Array(Schema.Tuple([Delay, Delay])).check(Schema.isBetweenLength(1, 20))],
    ([trips]) => {
      const worlds = new Worlds()
      trips.forEach(([there, back]) => worlds.observe(there, back))
      // Time for whatever is still being made up for.
      worlds.pass(60_000)
      const shortest = Math.min(...trips.map(([there, back]) => there + back))
      assert.isAtMost(Math.abs(worlds.error), shortest / 2 + 1)
    }
  )

  it.prop(
    "never lets time run backwards or skip while it follows small corrections",
    [Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: -900, maximum: 900 }))), Delay],
    ([jumps, delay]) => {
      const worlds = new Worlds()
      worlds.observe(delay, delay)
      let last = worlds.offset.now()
      for (const jump of jumps) {
        worlds.database += jump
        worlds.observe(1, 1)
        // The clock the database showed may move; ours passes at nine tenths to eleven tenths of the speed.
        last = worlds.offset.now()
        for (let step = 0; step < 5; step++) {
          worlds.pass(100)
          const now = worlds.offset.now()
          assert.isAtLeast(now - last, 89.9)
          assert.isAtMost(now - last, 110.1)
          last = now
        }
      }
    }
  )

  it("follows a small jump of the database's clock within ten times its size", () => {
    const worlds = new Worlds()
    worlds.observe(1, 1)
    worlds.database += 800
    worlds.observe(2, 2)
    assert.isBelow(worlds.error, -700)
    worlds.pass(8_100)
    assert.closeTo(worlds.error, 0, 2)
  })

  it("follows a large jump at once, in both directions", () => {
    const worlds = new Worlds()
    worlds.observe(1, 1)
    worlds.database += HOUR
    worlds.observe(3, 3)
    assert.closeTo(worlds.error, 0, 4)
    worlds.database -= 2 * HOUR
    worlds.observe(3, 3)
    assert.closeTo(worlds.error, 0, 4)
  })

  it("keeps up with a clock that runs at another speed", () => {
    const worlds = new Worlds()
    worlds.observe(1, 1)
    for (let minute = 0; minute < 360; minute++) {
      worlds.pass(10_000)
      // 200 parts per million.
      worlds.database += 2
      worlds.observe(1, 1)
      assert.isAtMost(Math.abs(worlds.error), 5)
    }
  })

  it("ignores readings that make no sense", () => {
    const worlds = new Worlds()
    worlds.observe(1, 1)
    assert.strictEqual(worlds.offset.observe({ databaseTime: 0, sentAt: 50, receivedAt: 40 }), 0)
    assert.strictEqual(worlds.offset.observe({ databaseTime: Number.NaN, sentAt: 50, receivedAt: 51 }), 0)
    assert.strictEqual(worlds.observe(1_500, 1_500), 0)
    assert.closeTo(worlds.error, 0, 0.001)
  })
})

/** A service built on the clock, as every service above it is: what do its layer, its fibers and its callers see? */
class Above extends Context.Service<
  Above,
  {
    readonly atBuild: number
    readonly inFiber: Effect.Effect<number>
    readonly inMethod: Effect.Effect<number>
  }
>()("test/Above") {
  static readonly layer = Layer.effect(
    Above,
    Effect.gen(function* () {
      const fibers = yield* FiberSet.make()
      const run = yield* FiberSet.runtime(fibers)()
      const seen = yield* Deferred.make<number>()
      yield* Effect.forkScoped(Effect.flatMap(Clock.currentTimeMillis, (now) => Deferred.succeed(seen, now)))
      return Above.of({
        atBuild: yield* Clock.currentTimeMillis,
        inFiber: Deferred.await(seen),
        inMethod: Effect.flatMap(
          Effect.sync(() => run(Clock.currentTimeMillis)),
          Fiber.join
        )
      })
    })
  )
}

const Now = HttpRouter.add(
  "GET",
  "/now",
  Effect.map(DateTime.now, (now) => HttpServerResponse.text(String(DateTime.toEpochMillis(now))))
)

layer(TestSql.layerWith({}), { excludeTestServices: true })("the database's clock", (it) => {
  const readDatabase = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ now: Date }>`SELECT clock_timestamp() AS now`
    return rows.map(({ now }) => now.getTime())[0] ?? Number.NaN
  })

  /** By how much what was read is off: before the database's time of before it was read, or after that of after it. */
  const offBy = <E, R>(read: Effect.Effect<ReadonlyArray<number>, E, R>, ahead: number) =>
    Effect.gen(function* () {
      const before = yield* readDatabase
      const seen = yield* read
      const after = yield* readDatabase
      return Math.max(...seen.flatMap((now) => [before + ahead - now, now - (after + ahead)]))
    })

  it.effect("is the clock of the layers, fibers and methods above it", () =>
    Effect.gen(function* () {
      const skewed = DatabaseClock.layerWith(Effect.map(readDatabase, (now) => now + HOUR))
      const seen = Effect.gen(function* () {
        const { atBuild, inFiber, inMethod } = yield* Above
        return [atBuild, yield* inFiber, yield* inMethod]
      }).pipe(Effect.provide(Layer.provide(Above.layer, skewed), { local: true }))
      assert.isBelow(yield* offBy(seen, HOUR), 2_000)
    })
  )

  it.effect("is the clock of HTTP handlers above it", () =>
    Effect.gen(function* () {
      const skewed = DatabaseClock.layerWith(Effect.map(readDatabase, (now) => now + HOUR))
      const answer = HttpClient.get("/now").pipe(
        Effect.flatMap((response) => response.text),
        Effect.map((now) => [Number(now)]),
        Effect.provide(
          HttpRouter.serve(Now, { disableLogger: true, disableListenLog: true }).pipe(
            Layer.provideMerge(NodeHttpServer.layerTest),
            Layer.provide(skewed)
          ),
          { local: true }
        )
      )
      assert.isBelow(yield* offBy(answer, HOUR), 2_000)
    })
  )

  it.effect("is followed when it is set to another time, without a new start", () =>
    Effect.gen(function* () {
      const skew = yield* Ref.make(0)
      const reading = Effect.gen(function* () {
        return (yield* readDatabase) + (yield* Ref.get(skew))
      })
      yield* Effect.gen(function* () {
        yield* Ref.set(skew, -HOUR)
        const now = Effect.map(Clock.currentTimeMillis, (millis) => [millis])
        yield* Effect.repeat(offBy(now, -HOUR), { until: (millis) => millis <= 100 })
      }).pipe(
        Effect.provide(DatabaseClock.layerWith(reading, { refreshInterval: "5 millis" }), { local: true })
      )
    })
  )

  it.effect("learns from the readings that others bring", () =>
    Effect.gen(function* () {
      const { monotonicMillis, observe } = yield* DatabaseClock
      const sentAt = yield* monotonicMillis
      const databaseTime = (yield* Clock.currentTimeMillis) + HOUR
      yield* observe({ databaseTime, sentAt, receivedAt: sentAt })
      const passed = (yield* Clock.currentTimeMillis) - databaseTime
      assert.isAtLeast(passed, -100)
      assert.isAtMost(passed, (yield* monotonicMillis) - sentAt + 100)
    }).pipe(Effect.provide(DatabaseClock.layer, { local: true }))
  )

  it.effect("ends no sleep early", () =>
    Effect.gen(function* () {
      yield* Effect.forEach(
        Array.from({ length: 300 }, (_, index) => 0.3 + (index % 30) * 1.1),
        (millis) =>
          Effect.gen(function* () {
            const start = performance.now()
            yield* Effect.sleep(Duration.millis(millis))
            assert.isAtLeast(performance.now() - start, millis)
          }),
        { concurrency: "unbounded", discard: true }
      )
      const { sleepUntil } = yield* DatabaseClock
      const due = (yield* Clock.currentTimeMillis) + 25
      yield* sleepUntil(due)
      assert.isAtLeast(yield* Clock.currentTimeMillis, due)
    }).pipe(Effect.provide(DatabaseClock.layer, { local: true }))
  )

  it.effect("sleeps past the longest timer of the runtime", () =>
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const day = 24 * HOUR
      yield* Effect.acquireRelease(
        Effect.sync(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] })),
        () => Effect.sync(() => vi.useRealTimers())
      )
      const sleeper = yield* Effect.forkChild(clock.sleep(Duration.days(60)), { startImmediately: true })
      vi.advanceTimersByTime(59 * day)
      yield* Effect.yieldNow
      assert.isUndefined(sleeper.pollUnsafe())
      vi.advanceTimersByTime(day)
      yield* Fiber.join(sleeper)
    }).pipe(Effect.scoped, Effect.provide(DatabaseClock.layer, { local: true }))
  )
})
