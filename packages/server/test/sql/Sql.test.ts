import { type Migrations } from "@carillon/server/sql/Migrations"
import { Database, migrate, planned } from "@carillon/server/sql/Sql"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { assert, layer } from "@effect/vitest"
import { DateTime, Deferred, Effect, Exit, Fiber, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import * as TestSql from "@carillon/testing/TestSql"

const statement = (text: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql.unsafe(text)
  })

const first: Migrations = {
  "0001_counters": statement("CREATE TABLE counters (id int PRIMARY KEY, value int NOT NULL)"),
  "0002_jobs": statement("CREATE TABLE jobs (id int PRIMARY KEY, claimed_by int)")
}

layer(TestSql.layerWith(first))("the database", (it) => {
  it.effect("loses no update of fifty concurrent read-modify-write transactions", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO counters VALUES (1, 0)`
      const increment = sql.withTransaction(
        Effect.gen(function* () {
          const rows = yield* sql<{ value: number }>`SELECT value FROM counters WHERE id = 1 FOR UPDATE`
          yield* sql`UPDATE counters SET value = ${(rows[0]?.value ?? 0) + 1} WHERE id = 1`
        })
      )
      const abandoned = sql.withTransaction(
        Effect.andThen(
          sql`UPDATE counters SET value = value + 1000 WHERE id = 1`,
          Effect.fail("changed its mind")
        )
      )
      yield* Effect.forEach(
        Array.from({ length: 50 }),
        () => Effect.all([increment, Effect.flip(abandoned)]),
        {
          concurrency: "unbounded",
          discard: true
        }
      )
      const rows = yield* sql`SELECT value FROM counters WHERE id = 1`
      assert.deepStrictEqual(rows, [{ value: 50 }])
    })
  )

  it.effect("gives each job to one of twelve claimers that skip what is locked", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO jobs SELECT id, null FROM generate_series(1, 500) id`
      const claim = (claimer: number) =>
        sql.withTransaction(
          Effect.tap(
            sql<{ id: number }>`
              UPDATE jobs SET claimed_by = ${claimer} WHERE id IN (
                SELECT id FROM jobs WHERE claimed_by IS NULL ORDER BY id LIMIT 7 FOR UPDATE SKIP LOCKED
              ) RETURNING id`,
            // Holds its locks over other claims.
            () => sql`SELECT 1`
          )
        )
      const drain = Effect.fn(function* (claimer: number) {
        const mine: Array<number> = []
        let claimed = yield* claim(claimer)
        while (claimed.length > 0) {
          mine.push(...claimed.map(({ id }) => id))
          claimed = yield* claim(claimer)
        }
        return mine
      })
      const claims = yield* Effect.forEach(
        Array.from({ length: 12 }, (_, claimer) => claimer),
        drain,
        { concurrency: "unbounded" }
      )
      const ids = claims.flat().toSorted((a, b) => a - b)
      assert.deepStrictEqual(
        ids,
        Array.from({ length: 500 }, (_, index) => index + 1)
      )
    })
  )

  it.effect("reads back the values of the types we use", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`
        SELECT '2026-11-21T12:00:00.123Z'::timestamptz AS time, 9007199254740993::bigint AS big, 5 AS small,
          '{"a": [1, "ü"]}'::jsonb AS json, ARRAY['x', 'y'] AS list, '0190f7c2-0000-7000-8000-000000000001'::uuid AS id,
          current_setting('TimeZone') AS zone`
      assert.deepStrictEqual(rows, [
        {
          time: DateTime.toDateUtc(DateTime.makeUnsafe("2026-11-21T12:00:00.123Z")),
          big: 9007199254740993n,
          small: 5,
          json: { a: [1, "ü"] },
          list: ["x", "y"],
          id: "0190f7c2-0000-7000-8000-000000000001",
          zone: "UTC"
        }
      ])
    })
  )

  it.effect("tells which of the two it is", () =>
    Effect.gen(function* () {
      const { kind } = yield* Database
      assert.strictEqual(kind, TestSql.kind)
    })
  )
})

layer(TestSql.layerWith({}))("migrations", (it) => {
  const tables = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ name: string }>`
      SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`
    return rows.map(({ name }) => name)
  })

  it.effect("run once, and later ones when they come, which the log tells", () =>
    Effect.gen(function* () {
      const told: Array<unknown> = []
      const logger = Logger.make(({ message }) => void told.push(message))
      assert.deepStrictEqual(yield* migrate(first), [
        [1, "counters"],
        [2, "jobs"]
      ])
      assert.deepStrictEqual(yield* migrate(first), [])
      const second: Migrations = { ...first, "0003_more": statement("CREATE TABLE more ()") }
      const run = Effect.provide(migrate(second), Logger.layer([logger]), { local: true })
      assert.deepStrictEqual(yield* run, [[3, "more"]])
      assert.deepStrictEqual(told, [["migration 0003_more"]])
      assert.deepStrictEqual(yield* tables, ["counters", "jobs", "migrations", "more"])
    })
  )

  it.effect("are told before they run, and a newer database is refused by the names of both", () =>
    Effect.gen(function* () {
      const later: Migrations = {
        ...first,
        "0003_more": statement("select 1"),
        "0004_last": statement("select 1")
      }
      assert.deepStrictEqual(yield* planned(later), { last: "0003_more", todo: ["0004_last"] })
      assert.deepStrictEqual(yield* planned({}), { last: "0003_more", todo: [] })
      for (const asked of [Effect.asVoid(planned(first)), Effect.asVoid(migrate(first))]) {
        const error = yield* Effect.flip(asked)
        assert.strictEqual(error.reason, "newer_database")
        assert.match(
          error.message,
          /its last migration is 0003_more, .* this one knows is 0002_jobs\. .*restore the backup/
        )
      }
    })
  )

  it.effect("do not begin in a database from before the first of them, which stays as it is", () =>
    Effect.gen(function* () {
      const before = yield* tables
      const one: Migrations = { "0100_schema": statement("CREATE TABLE schema_of_now ()") }
      for (const asked of [Effect.asVoid(planned(one)), Effect.asVoid(migrate(one))]) {
        const error = yield* Effect.flip(asked)
        assert.strictEqual(error.reason, "older_database")
        assert.match(
          error.message,
          /before 0\.1\.0: its last migration is 0003_more, .* this one knows is 0100_schema\. .*`carillon export`.*`carillon import` \(docs\/upgrading\.md#from-before-010\)/
        )
      }
      assert.deepStrictEqual(yield* tables, before)
    })
  )

  it.effect("change nothing when one of them fails, and say which", () =>
    Effect.gen(function* () {
      const before = yield* tables
      const broken: Migrations = {
        ...first,
        "0004_good": statement("CREATE TABLE good ()"),
        "0005_bad": statement("ALTER TABLE nowhere ADD COLUMN x int")
      }
      const error = yield* Effect.flip(migrate(broken))
      assert.strictEqual(error.reason, "migration_failed")
      assert.include(error.message, "5_bad")
      assert.include(error.message, 'relation "nowhere" does not exist')
      assert.match(error.message, /report this\.$/)
      assert.deepStrictEqual(yield* tables, before)
    })
  )

  it.effect("say why a new database takes none, and what its operator can do", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const before = yield* tables
      const refused = Effect.gen(function* () {
        yield* sql`alter table migrations rename to before`
        yield* sql`set transaction read only`
        return yield* migrate(first)
      }).pipe(sql.withTransaction, Effect.flip)
      assert.match(
        (yield* refused).message,
        /: cannot execute CREATE TABLE in a read-only transaction\. Nothing was changed\. See that the database .*takes writes/
      )
      assert.deepStrictEqual(yield* tables, before)
    })
  )
})

layer(Wakeup.layer.pipe(Layer.provideMerge(TestSql.layerWith(first))))("a wake-up", (it) => {
  const listener = Effect.gen(function* () {
    const { subscribe } = yield* Wakeup
    const waiter = yield* subscribe
    yield* waiter.arm
    return waiter
  })

  it.effect("comes after the commit, not before", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { notify } = yield* Wakeup
      const waiter = yield* listener
      const woken = yield* Effect.forkChild(waiter.await, { startImmediately: true })
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* notify
          yield* sql`SELECT 1`
          assert.isUndefined(woken.pollUnsafe())
        })
      )
      yield* Fiber.join(woken)
    })
  )

  it.effect("does not come from a transaction that rolls back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { notify } = yield* Wakeup
      const waiter = yield* listener
      const woken = yield* Effect.forkChild(waiter.await, { startImmediately: true })
      yield* Effect.exit(sql.withTransaction(Effect.andThen(notify, Effect.fail("no"))))
      yield* sql`SELECT 1`
      assert.isUndefined(woken.pollUnsafe())
      yield* notify
      yield* Fiber.join(woken)
    })
  )

  it.effect("that comes while the loop reads is not lost", () =>
    Effect.gen(function* () {
      const { notify } = yield* Wakeup
      const waiter = yield* listener
      yield* notify
      yield* waiter.await
    })
  )

  it.effect("reaches every loop, whatever the others do with theirs", () =>
    Effect.gen(function* () {
      const { notify } = yield* Wakeup
      const [one, two] = [yield* listener, yield* listener]
      yield* notify
      yield* one.await
      yield* one.arm
      yield* two.await
    })
  )

  it.effect("finds a new loop awake, so that its first look is not put off", () =>
    Effect.gen(function* () {
      const { subscribe } = yield* Wakeup
      const waiter = yield* subscribe
      yield* waiter.await
    })
  )

  it.effect("of many commits leaves the loop with nothing undone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { notify } = yield* Wakeup
      const waiter = yield* listener
      const all = yield* Deferred.make<void>()
      // The scheduler's loop, in short: arm, read, wait.
      const loop = Effect.gen(function* () {
        yield* waiter.arm
        yield* sql`UPDATE jobs SET claimed_by = 1 WHERE claimed_by IS NULL`
        const rows = yield* sql<{ done: number }>`SELECT count(*)::int AS done FROM jobs WHERE claimed_by = 1`
        yield* Effect.when(Deferred.succeed(all, undefined), Effect.succeed(rows[0]?.done === 200))
        yield* waiter.await
      })
      yield* Effect.forkScoped(Effect.forever(loop))
      yield* Effect.forEach(
        Array.from({ length: 200 }, (_, id) => id),
        (id) => sql.withTransaction(Effect.andThen(sql`INSERT INTO jobs VALUES (${id}, null)`, notify)),
        { concurrency: 10, discard: true }
      )
      yield* Deferred.await(all)
    })
  )

  it.effect("cannot be asked for by a transaction that has failed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { notify } = yield* Wakeup
      const exit = yield* Effect.exit(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* notify
            yield* Effect.exit(sql`SELECT 1 / 0`)
          })
        )
      )
      assert.isTrue(Exit.isFailure(exit))
    })
  )
})
