import * as DatabaseClock from "@carillon/server/sql/DatabaseClock"
import * as Postgres from "@carillon/server/sql/Postgres"
import { Database } from "@carillon/server/sql/Sql"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Clock, Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { inspect } from "node:util"
import * as TestPostgres from "@carillon/testing/TestPostgres"
import * as TestSql from "@carillon/testing/TestSql"
import * as Child from "./support/Child.ts"

const PASSWORD = "s3cr3t-canary"

/** One server process: its own pool, its own listener. */
const processOn = (databaseUrl: Redacted.Redacted) =>
  Wakeup.layer.pipe(
    Layer.provideMerge(
      Layer.succeed(Database, { kind: "postgres", full: Effect.succeed(false), stopped: Effect.never })
    ),
    Layer.provideMerge(Postgres.layer({ databaseUrl }))
  )

/** What a session that listens has done last: listened, or looked who lives. */
const listening = (sql: SqlClient.SqlClient) =>
  sql`(query = 'LISTEN "carillon_due"' OR query LIKE 'select %pg_locks%as live')`

const refusal = (url: string) =>
  Effect.provide(Effect.void, Postgres.layer({ databaseUrl: Redacted.make(url) }), { local: true }).pipe(
    Effect.sandbox,
    Effect.flip,
    Effect.tap((cause) =>
      Effect.sync(() => {
        for (const text of [Cause.pretty(cause), inspect(cause, { depth: 20 }), JSON.stringify(cause)]) {
          assert.notInclude(text, PASSWORD)
        }
      })
    ),
    Effect.map(Cause.findErrorOption),
    Effect.flatMap(Effect.fromOption)
  )

const withUrl = (url: Redacted.Redacted, change: (url: URL) => void) => {
  const copy = new URL(Redacted.value(url))
  change(copy)
  return copy.href
}

const withoutServer = () =>
  describe("DATABASE_URL", () => {
    it.live.each([
      `postgres//carillon:${PASSWORD}@host/db`,
      `mysql://carillon:${PASSWORD}@host/db`,
      PASSWORD
    ])("DATABASE_URL that is none is refused without being shown", (url) =>
      Effect.gen(function* () {
        const error = yield* refusal(url)
        assert.strictEqual(error.reason, "invalid_url")
        assert.include(error.message, "postgres://user:password@host:5432/database")
      })
    )

    it.live(
      "a DATABASE_URL whose server does not answer is refused with its place and without the password",
      () =>
        Effect.gen(function* () {
          const error = yield* refusal(`postgres://carillon:${PASSWORD}@127.0.0.1:1/db?connect_timeout=2`)
          assert.strictEqual(error.reason, "unreachable")
          assert.include(error.message, "127.0.0.1:1/db")
        })
    )
  })

const withServer = () =>
  describe("PostgreSQL", () => {
    it.live("refuses a wrong password without showing it", () =>
      Effect.gen(function* () {
        const url = yield* TestSql.freshPostgresUrl()
        const error = yield* refusal(withUrl(url, (url) => (url.password = PASSWORD)))
        assert.strictEqual(error.reason, "unreachable")
        assert.include(error.message, "authentication failed")
      })
    )

    it.live("PostgreSQL is refused with another encoding than UTF8", () =>
      Effect.gen(function* () {
        const url = yield* TestSql.freshPostgresUrl("ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'")
        const error = yield* refusal(Redacted.value(url))
        assert.strictEqual(error.reason, "wrong_encoding")
        assert.include(error.message, "LATIN1")
      })
    )

    it.live("PostgreSQL is refused when it is too old", () =>
      Effect.gen(function* () {
        const url = yield* TestSql.freshPostgresUrl()
        // A server that gives itself out for an older one, to whoever looks for its functions in this schema first.
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`CREATE SCHEMA older`
          yield* sql`
            CREATE FUNCTION older.current_setting(name text) RETURNS text LANGUAGE sql AS $$
              SELECT CASE name WHEN 'server_version_num' THEN '130022' WHEN 'server_version' THEN '13.22'
                ELSE pg_catalog.current_setting(name) END $$`
        }).pipe(Effect.provide(Postgres.layer({ databaseUrl: url }), { local: true }))
        const error = yield* refusal(
          withUrl(url, (url) => url.searchParams.set("options", "-c search_path=older,pg_catalog"))
        )
        assert.strictEqual(error.reason, "wrong_version")
        assert.include(error.message, "13.22")
        assert.include(error.message, "14 or newer")
      })
    )

    it.live("gives every session our name and our limits", () =>
      Effect.gen(function* () {
        const databaseUrl = yield* TestSql.freshPostgresUrl()
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          assert.strictEqual(sql.driver, "pg")
          const rows = yield* sql`
            SELECT current_setting('application_name') AS name, current_setting('statement_timeout') AS statement,
              current_setting('lock_timeout') AS lock,
              current_setting('idle_in_transaction_session_timeout') AS idle, current_setting('jit') AS jit`
          assert.deepStrictEqual(rows, [
            { name: "carillon", statement: "30s", lock: "10s", idle: "1min", jit: "off" }
          ])
        }).pipe(Effect.provide(Postgres.layer({ databaseUrl }), { local: true }))
      })
    )

    it.live("PostgreSQL is migrated once by processes that start together", () =>
      Effect.gen(function* () {
        const databaseUrl = yield* TestSql.freshPostgresUrl()
        const children = yield* Effect.forEach(
          [1, 2, 3],
          () => Child.start("migrator.ts", [], { TEST_DATABASE_URL: Redacted.value(databaseUrl) }),
          { concurrency: "unbounded" }
        )
        const ends = yield* Effect.forEach(children, ({ ended }) => ended, { concurrency: "unbounded" })
        assert.deepStrictEqual(
          ends,
          children.map(() => ({ code: 0, stderr: "" }))
        )
        const rows = yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          return yield* sql`SELECT count(*)::int AS count FROM migrated_by`
        }).pipe(Effect.provide(Postgres.layer({ databaseUrl }), { local: true }))
        assert.deepStrictEqual(rows, [{ count: 1 }])
      })
    )

    it.live("carries wake-ups from one process to another, after the commit", () =>
      Effect.gen(function* () {
        const databaseUrl = yield* TestSql.freshPostgresUrl()
        const here = yield* Layer.build(Layer.fresh(processOn(databaseUrl)))
        const there = yield* Layer.build(Layer.fresh(processOn(databaseUrl)))
        const waiter = yield* Effect.flatMap(Wakeup, ({ subscribe }) => subscribe).pipe(Effect.provide(there))
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { notify } = yield* Wakeup
          yield* sql`CREATE TABLE due (id int)`
          yield* waiter.arm
          const woken = yield* Effect.forkChild(waiter.await)
          yield* sql.withTransaction(Effect.andThen(sql`INSERT INTO due VALUES (1)`, notify))
          yield* Fiber.join(woken)
        }).pipe(Effect.provide(here))
      })
    )

    it.live("loses no wake-up when the listening connection is cut", () =>
      Effect.gen(function* () {
        const databaseUrl = yield* TestSql.freshPostgresUrl()
        const here = yield* Layer.build(Layer.fresh(processOn(databaseUrl)))
        const there = yield* Layer.build(Layer.fresh(processOn(databaseUrl)))
        const waiter = yield* Effect.flatMap(Wakeup, ({ subscribe }) => subscribe).pipe(Effect.provide(there))
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { notify } = yield* Wakeup
          yield* waiter.arm
          const cut = yield* sql`
            SELECT pg_terminate_backend(pid) AS cut FROM pg_stat_activity
            WHERE datname = current_database() AND ${listening(sql)}`
          assert.deepStrictEqual(cut, [{ cut: true }, { cut: true }])
          // Notified while nobody listens: the new connection finds out.
          yield* notify
          yield* waiter.await
          // And from then on notifications arrive again.
          yield* sql`
            SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND ${listening(sql)}`.pipe(
            Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (rows) => rows.length === 2 })
          )
          yield* waiter.arm
          yield* notify
          yield* waiter.await
        }).pipe(Effect.provide(here))
      })
    )

    it.live.each(["fast", "immediate"] as const)(
      "PostgreSQL is found again by itself after a %s stop and a start",
      (mode) =>
        Effect.gen(function* () {
          const server = yield* TestPostgres.make
          yield* Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const { notify, subscribe } = yield* Wakeup
            const waiter = yield* subscribe
            yield* sql`CREATE TABLE kept (id int)`
            const everyConnection = Effect.forEach(
              Array.from({ length: 30 }, (_, id) => id),
              (id) => sql.withTransaction(sql`INSERT INTO kept VALUES (${id})`),
              { concurrency: "unbounded", discard: true }
            )
            yield* everyConnection

            yield* server.stop(mode)
            yield* Effect.flip(sql`SELECT 1`)
            yield* waiter.arm
            yield* server.start

            // The listener is back, and says so, because it may have missed something.
            yield* waiter.await
            yield* everyConnection
            const rows = yield* sql`SELECT count(*)::int AS count FROM kept`
            assert.deepStrictEqual(rows, [{ count: 60 }])
            yield* waiter.arm
            yield* notify
            yield* waiter.await
          }).pipe(Effect.provide(processOn(server.url), { local: true }))
        })
    )

    it.live("gives its time to a process whose own clock is an hour wrong", () =>
      Effect.gen(function* () {
        const databaseUrl = yield* TestSql.freshPostgresUrl()
        yield* Effect.gen(function* () {
          const real = Date.now
          yield* Effect.acquireRelease(
            Effect.sync(() => (Date.now = () => real() + 3_600_000)),
            () => Effect.sync(() => (Date.now = real))
          )
          const sql = yield* SqlClient.SqlClient
          yield* Effect.gen(function* () {
            const theirs = Effect.map(
              sql<{ now: number }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now`,
              ([row]) => row!.now
            )
            const before = yield* theirs
            const now = yield* Clock.currentTimeMillis
            assert.isAtLeast(now, before - 500)
            assert.isAtMost(now, (yield* theirs) + 500)
          }).pipe(Effect.provide(DatabaseClock.layer, { local: true }))
        }).pipe(Effect.provide(Postgres.layer({ databaseUrl }), { local: true }))
      })
    )
  })

const suites = { embedded: [withoutServer], postgres: [withoutServer, withServer] }[TestSql.kind]
for (const suite of suites) suite()
