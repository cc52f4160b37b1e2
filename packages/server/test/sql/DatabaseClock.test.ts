import * as DatabaseClock from "@carillon/server/sql/DatabaseClock"
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
import * as TestSql from "@carillon/testing/TestSql"

const HOUR = 3_600_000

/** A monotonic clock and a database's clock that a test moves, and round trips as it wants them. */
class Worlds {
  monotonic = 1_000
  database = 1_800_000_000_000
  known: DatabaseClock.Offset | undefined

  pass(millis: number) {
    this.monotonic += millis
    this.database += millis
  }

  /** Takes a reading that needs `there` milliseconds to the database and `back` from it. */
  read(there: number, back: number) {
    const sentAt = this.monotonic
    this.pass(there)
    const databaseTime = this.database
    this.pass(back)
    const found = DatabaseClock.offsetOf(databaseTime, sentAt, this.monotonic)
    this.known = this.known === undefined ? found : DatabaseClock.better(this.known, found)
  }

  get error() {
    return Math.abs(this.monotonic + this.known!.millis - this.database)
  }
}

const Delay = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 400 }))

describe("the offset to the database's clock", () => {
  it("comes from the shortest round trip, not from the latest", () => {
    const worlds = new Worlds()
    worlds.read(900, 5)
    worlds.read(1, 1)
    worlds.read(5, 300)
    assert.closeTo(worlds.error, 0, 0.001)
  })

  it.prop(
    "the offset to the database's clock is never further off than half the shortest round trip, however unequal its two ways",
    [Schema.Array(Schema.Tuple([Delay, Delay])).check(Schema.isBetweenLength(1, 20))],
    ([trips]) => {
      const worlds = new Worlds()
      trips.forEach(([there, back]) => worlds.read(there, back))
      const shortest = Math.min(...trips.map(([there, back]) => there + back))
      assert.isAtMost(worlds.error, shortest / 2 + 1)
    }
  )

  it("follows a jump of the database's clock at once, in both directions", () => {
    const worlds = new Worlds()
    worlds.read(1, 1)
    for (const jump of [HOUR, -2 * HOUR, 800, -50]) {
      worlds.database += jump
      worlds.read(3, 3)
      assert.isAtMost(worlds.error, 4)
    }
  })

  it("keeps up with a clock that runs at another speed", () => {
    const worlds = new Worlds()
    worlds.read(1, 1)
    for (let minute = 0; minute < 360; minute++) {
      worlds.pass(10_000)
      // 200 parts per million.
      worlds.database += 2
      worlds.read(1, 1)
      assert.isAtMost(worlds.error, 5)
    }
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

  it.effect("the database's clock is the clock of the layers, fibers and methods above it", () =>
    Effect.gen(function* () {
      const skewed = DatabaseClock.layerWith(Effect.map(readDatabase, (now) => now + HOUR))
      const seen = Effect.gen(function* () {
        const { atBuild, inFiber, inMethod } = yield* Above
        return [atBuild, yield* inFiber, yield* inMethod]
      }).pipe(Effect.provide(Layer.provide(Above.layer, skewed), { local: true }))
      assert.isBelow(yield* offBy(seen, HOUR), 2_000)
    })
  )

  it.effect("the database's clock is the clock of HTTP handlers above it", () =>
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

  it.effect("the database's clock is followed when it is set to another time, without a new start", () =>
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

  it.effect("ends no sleep early", () =>
    Effect.forEach(
      Array.from({ length: 300 }, (_, index) => 0.3 + (index % 30) * 1.1),
      (millis) =>
        Effect.gen(function* () {
          const start = performance.now()
          yield* Effect.sleep(Duration.millis(millis))
          assert.isAtLeast(performance.now() - start, millis)
        }),
      { concurrency: "unbounded", discard: true }
    ).pipe(Effect.provide(DatabaseClock.layer, { local: true }))
  )
})
