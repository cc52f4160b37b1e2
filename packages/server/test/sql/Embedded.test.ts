import { EmbeddedDatabase, type EmbeddedDatabaseOptions } from "@carillon/server/sql/Embedded"
import { isDiskFull } from "@carillon/server/sql/DiskFull"
import { assert, describe, it, layer } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { fdatasyncSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SmallDisk from "@carillon/testing/SmallDisk"
import * as TestDirectory from "@carillon/testing/TestDirectory"
import * as Child from "./support/Child.ts"
import * as InitialisedDirectory from "./support/InitialisedDirectory.ts"

type Options = Omit<EmbeddedDatabaseOptions, "dataDir">

/** Opens the database for as long as the effect runs. */
const within =
  (dataDir: string, options: Options = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provide(effect, EmbeddedDatabase.layer({ dataDir, ...options }), { local: true })

const refusal = (dataDir: string) => Effect.flip(within(dataDir)(Effect.void))

const createNumbers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE numbers (number int PRIMARY KEY, filler text)`
})

const insert = Effect.fn(function* (number: number, filler = "") {
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO numbers ${sql.insert({ number, filler })}`
})

const storedNumbers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ number: number }>`SELECT number FROM numbers ORDER BY number`
  return rows.map(({ number }) => number)
})

/** The server counts for itself, and tells its views once a second unless it is told to. */
const countedNow = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SELECT pg_stat_force_next_flush()::text`
})

/** Until the maintenance has done it; asked again and again, as there is no event. */
const eventually = <A, E, R>(asked: Effect.Effect<ReadonlyArray<A>, E, R>, wanted: (row: A) => boolean) =>
  Effect.andThen(countedNow, asked).pipe(
    Effect.repeat({
      until: ([row]) => row !== undefined && wanted(row),
      schedule: Schedule.spaced("10 millis")
    })
  )

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1)

describe("the embedded database", () => {
  it.live("the embedded database is made in an empty directory and keeps its rows over a clean end", () =>
    Effect.gen(function* () {
      const dataDir = join(yield* TestDirectory.make, "deeper")
      yield* Effect.gen(function* () {
        const { driver } = yield* SqlClient.SqlClient
        assert.strictEqual(driver, "pglite")
        yield* createNumbers
        yield* insert(1)
      }).pipe(within(dataDir))
      const stored = yield* storedNumbers.pipe(within(dataDir))
      assert.deepStrictEqual(stored, [1])
      assert.deepStrictEqual(readdirSync(dataDir).sort(), ["database", "database.lock"])
    })
  )

  it.live("begins again after a process that died while it made the database", () =>
    Effect.gen(function* () {
      const dataDir = yield* TestDirectory.make
      mkdirSync(join(dataDir, "database.unfinished", "base"), { recursive: true })
      writeFileSync(join(dataDir, "database.unfinished", "PG_VERSION"), "18\n")
      yield* createNumbers.pipe(within(dataDir))
      assert.deepStrictEqual(readdirSync(dataDir).sort(), ["database", "database.lock"])
    })
  )
})

describe("the lock of the embedded database", () => {
  it.live("refuses a second process, tells why, and is free at once when the first is killed", () =>
    Effect.gen(function* () {
      const dataDir = yield* InitialisedDirectory.make
      const writer = yield* Child.start("writer.ts", [dataDir])
      yield* writer.linesUntil((line) => line === "ready")

      const error = yield* refusal(dataDir)
      assert.strictEqual(error.reason, "directory_in_use")
      assert.include(error.message, join(dataDir, "database"))
      assert.include(error.message, "another Carillon process")
      assert.include(error.message, "DATA_DIR")
      assert.include(error.message, "DATABASE_URL")

      yield* writer.kill
      const refused = yield* Effect.gen(function* () {
        const second = yield* Child.start("writer.ts", [dataDir])
        return yield* second.ended
      }).pipe(within(dataDir))
      assert.strictEqual(refused.code, 1)
      assert.include(refused.stderr, "in use by another Carillon process")
    })
  )

  it.live("refuses a second opening within one process", () =>
    Effect.gen(function* () {
      const dataDir = yield* InitialisedDirectory.make
      const error = yield* refusal(dataDir).pipe(within(dataDir))
      assert.strictEqual(error.reason, "directory_in_use")
    })
  )
})

describe("a directory that is not what it should be", () => {
  it.live("a data directory of an older version is refused with both versions and the way out", () =>
    Effect.gen(function* () {
      const dataDir = yield* TestDirectory.make
      mkdirSync(join(dataDir, "database"))
      writeFileSync(join(dataDir, "database", "PG_VERSION"), "17\n")
      const error = yield* refusal(dataDir)
      assert.strictEqual(error.reason, "wrong_version")
      assert.include(error.message, "PostgreSQL 17")
      assert.include(error.message, "version 18")
      assert.include(error.message, "Dump the data with the release that wrote it")
      assert.include(error.message, "move the directory away")
      assert.deepStrictEqual(readdirSync(join(dataDir, "database")), ["PG_VERSION"])
    })
  )

  it.live("a data directory without a version is refused and left as it is", () =>
    Effect.gen(function* () {
      const dataDir = yield* TestDirectory.make
      mkdirSync(join(dataDir, "database"))
      writeFileSync(join(dataDir, "database", "notes.txt"), "mine")
      const error = yield* refusal(dataDir)
      assert.strictEqual(error.reason, "directory_unusable")
      assert.include(error.message, "PG_VERSION is missing or empty")
      assert.deepStrictEqual(readdirSync(join(dataDir, "database")), ["notes.txt"])
    })
  )

  it.live("a data directory with a damaged control file is refused with the server's own words", () =>
    Effect.gen(function* () {
      const dataDir = yield* InitialisedDirectory.make
      writeFileSync(join(dataDir, "database", "global", "pg_control"), Buffer.alloc(8192, 7))
      const error = yield* refusal(dataDir)
      assert.strictEqual(error.reason, "directory_unusable")
      assert.include(error.message, "FATAL:")
      assert.include(error.message, "put a backup in its place")
    })
  )

  it.live("a data directory that is a file is refused", () =>
    Effect.gen(function* () {
      const dataDir = join(yield* TestDirectory.make, "file")
      writeFileSync(dataDir, "")
      const error = yield* refusal(dataDir)
      assert.strictEqual(error.reason, "directory_unusable")
    })
  )
})

describe("durability", () => {
  it.live("keeps every acknowledged row when killed after the first commit, after many, and again", () =>
    Effect.gen(function* () {
      const dataDir = yield* InitialisedDirectory.make
      // Three lives of one directory, so that recovery starts from what recovery left.
      yield* Effect.forEach(
        [1, 150, 1],
        Effect.fn(function* (commits) {
          const writer = yield* Child.start("writer.ts", [dataDir])
          yield* writer.linesUntil((_, count) => count > commits)
          const acknowledged = (yield* writer.kill).slice(1).map(Number)
          const last = acknowledged.at(-1) ?? 0

          const stored = yield* Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const rows = yield* sql<{ number: number }>`SELECT number FROM written ORDER BY number`
            return rows.map(({ number }) => number)
          }).pipe(within(dataDir))
          assert.deepStrictEqual(stored.slice(0, last), upTo(last))
          // The one that was under way may have been stored without being acknowledged.
          assert.isAtMost(stored.length, last + 1)
        })
      )
    })
  )

  it.live("flushes to disk at every commit, before it is acknowledged", () =>
    Effect.gen(function* () {
      let flushed = 0
      const options = {
        flushFile: (descriptor: number) => {
          flushed++
          fdatasyncSync(descriptor)
        }
      }
      yield* Effect.gen(function* () {
        yield* createNumbers
        yield* Effect.forEach(
          upTo(300),
          Effect.fn(function* (number) {
            const before = flushed
            yield* insert(number)
            assert.isAbove(flushed, before)
          })
        )
        const { flushCount } = yield* EmbeddedDatabase
        assert.isAtLeast(yield* flushCount, flushed)
      }).pipe(within(yield* InitialisedDirectory.make, options))
    })
  )

  it.live("refuses to start when a commit does not reach the flush", () =>
    Effect.gen(function* () {
      const dataDir = yield* InitialisedDirectory.make
      // As if a new PGlite asked for durability by another way.
      writeFileSync(join(dataDir, "database", "postgresql.auto.conf"), "synchronous_commit = off\n")
      const error = yield* refusal(dataDir)
      assert.strictEqual(error.reason, "not_durable")
    })
  )

  it.live("answers nothing more when a flush fails, says so, and has lost nothing at the next start", () =>
    Effect.gen(function* () {
      const dataDir = yield* InitialisedDirectory.make
      let failing = false
      const options = {
        flushFile: (descriptor: number) => {
          if (failing) throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" })
          fdatasyncSync(descriptor)
        }
      }
      yield* Effect.gen(function* () {
        yield* createNumbers
        yield* insert(1)
        const { stopped } = yield* EmbeddedDatabase
        const reported = yield* Effect.forkChild(Effect.flip(stopped))
        failing = true
        assert.isTrue(Exit.isFailure(yield* Effect.exit(insert(2))))
        assert.isTrue(Exit.isFailure(yield* Effect.exit(storedNumbers)))
        const { message } = yield* Fiber.join(reported)
        assert.include(message, "could not fsync file")
        assert.include(message, join(dataDir, "database"))
      }).pipe(within(dataDir, options))

      const stored = yield* storedNumbers.pipe(within(dataDir))
      assert.strictEqual(stored[0], 1)
    })
  )

  it.live.skipIf(SmallDisk.withoutDisk !== null)(
    "comes back by itself, with all that was acknowledged, when its log had no room and there is some again",
    () =>
      Effect.gen(function* () {
        const disk = yield* SmallDisk.make(160)
        const dataDir = join(disk.path, "data")
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const { full } = yield* EmbeddedDatabase
          const files = () => readdirSync("/proc/self/fd").length
          yield* createNumbers
          assert.isFalse(yield* full)
          const filesBefore = files()
          for (const number of [1, 2, 3]) {
            yield* insert(number)
            yield* disk.fill
            // Until a segment of the log has to be made: PostgreSQL ends itself.
            const first = yield* Effect.flip(
              Effect.forever(
                sql`SELECT pg_switch_wal()::text, pg_logical_emit_message(true, 'carillon', repeat('x', 1000000))::text`
              )
            )
            const next = yield* Effect.flip(insert(100))
            for (const error of [first, next]) {
              assert.isTrue(isDiskFull(error), String(error.reason.cause))
              assert.include(String(error.reason.cause), disk.path)
            }
            assert.isTrue(yield* full)
            yield* disk.free
            assert.deepStrictEqual(yield* storedNumbers, upTo(number))
            assert.isFalse(yield* full)
          }
          // Those that the servers before had open are closed.
          assert.isAtMost(files(), filesBefore + 20)
        }).pipe(within(dataDir))
        assert.deepStrictEqual(yield* storedNumbers.pipe(within(dataDir)), [1, 2, 3])
      })
  )
})

describe("maintenance", () => {
  const walSize = (dataDir: string) => {
    const directory = join(dataDir, "database", "pg_wal")
    return readdirSync(directory)
      .map((name) => statSync(join(directory, name)))
      .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0)
  }
  const mebibyte = 1024 * 1024

  it.live("keeps the write-ahead log bounded", () =>
    Effect.gen(function* () {
      const dataDir = yield* InitialisedDirectory.make
      const sizes: Array<number> = []
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* createNumbers
        // About 4 MiB of log each time.
        const churn = Effect.gen(function* () {
          yield* sql`TRUNCATE numbers`
          yield* sql`INSERT INTO numbers SELECT number, repeat(md5(number::text), 8) FROM generate_series(1, 10000) number`
          sizes.push(walSize(dataDir))
        })
        yield* Effect.repeat(churn, { times: 39 })
      }).pipe(within(dataDir, { inspectionInterval: "10 millis", maxWalBytes: 16 * mebibyte }))
      // 160 MiB were written. PostgreSQL keeps up to 80 MiB (min_wal_size) of old segments for use as new ones.
      assert.isAtMost(Math.max(...sizes), 128 * mebibyte)
    })
  )

  it.live("removes dead rows, as autovacuum would", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* createNumbers
        yield* sql`INSERT INTO numbers SELECT number, 'old' FROM generate_series(1, 1000) number`
        yield* sql`UPDATE numbers SET filler = 'new'`
        const vacuumed = sql<{ count: number }>`
          SELECT (vacuum_count + autovacuum_count)::int AS count FROM pg_stat_user_tables WHERE relname = 'numbers'`
        yield* eventually(vacuumed, ({ count }) => count > 0)
      }).pipe(within(yield* InitialisedDirectory.make, { inspectionInterval: "50 millis" }))
    })
  )

  it.live("counts a table anew that has grown, and does not clean it", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* createNumbers
        yield* sql`INSERT INTO numbers SELECT number, 'new' FROM generate_series(1, 500) number`
        const counted = sql<{ analyzed: boolean; vacuumed: boolean }>`
          SELECT analyze_count > 0 AS analyzed, vacuum_count > 0 AS vacuumed
          FROM pg_stat_user_tables WHERE relname = 'numbers'`
        const rows = yield* eventually(counted, ({ analyzed }) => analyzed)
        assert.isFalse(rows[0]!.vacuumed)
      }).pipe(within(yield* InitialisedDirectory.make, { inspectionInterval: "50 millis" }))
    })
  )

  it.live("checkpoints and vacuums everything at the long interval", () =>
    Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* createNumbers
        yield* insert(1)
        const before = yield* sql<{ lsn: string }>`SELECT redo_lsn::text AS lsn FROM pg_control_checkpoint()`
        const after = sql<{ lsn: string; vacuumed: boolean }>`
          SELECT redo_lsn::text AS lsn, vacuum_count > 0 AS vacuumed
          FROM pg_control_checkpoint(), pg_stat_user_tables WHERE relname = 'numbers'`
        yield* eventually(after, ({ lsn, vacuumed }) => vacuumed && lsn !== before[0]?.lsn)
      }).pipe(
        within(yield* InitialisedDirectory.make, {
          inspectionInterval: "20 millis",
          maintenanceInterval: "200 millis"
        })
      )
    })
  )
})

/** One database for several tests, each with its table made anew. */
const kept = Layer.unwrap(
  Effect.map(InitialisedDirectory.make, (dataDir) => EmbeddedDatabase.layer({ dataDir }))
)
const createNumbersAnew = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DROP TABLE IF EXISTS numbers`
  yield* createNumbers
})

layer(kept, { excludeTestServices: true })("the single session", (it) => {
  it.effect(
    "the single session is opened again after a result that cannot be read, without what the old one had begun",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* createNumbersAnew
        const broken = yield* Effect.exit(
          sql.withTransaction(
            Effect.andThen(insert(1), sql`SELECT repeat('x', 17 * 1024 * 1024) AS too_long`)
          )
        )
        assert.isTrue(Exit.isFailure(broken))
        assert.deepStrictEqual(yield* storedNumbers, [])
        yield* insert(2)
        assert.deepStrictEqual(yield* storedNumbers, [2])
      })
  )

  it.effect("rolls back an interrupted transaction and serves the one that waits", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* createNumbersAnew
      const stuck = yield* Effect.forkChild(sql.withTransaction(Effect.andThen(insert(1), Effect.never)))
      const waiting = yield* Effect.forkChild(insert(2))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(stuck)
      yield* Fiber.join(waiting)
      assert.deepStrictEqual(yield* storedNumbers, [2])
    })
  )

  it.effect("survives queries that are interrupted while they wait for an answer", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* createNumbersAnew
      yield* Effect.forEach(
        upTo(200),
        (number) =>
          Effect.gen(function* () {
            const query = yield* Effect.forkChild(insert(number), { startImmediately: true })
            const exit = yield* Effect.andThen(Fiber.interrupt(query), Fiber.await(query))
            assert.isTrue(Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause))
          }),
        { concurrency: 20, discard: true }
      )
      yield* insert(1000)
      assert.include(yield* storedNumbers, 1000)
      const rows = yield* sql`SELECT 1 AS one`
      assert.deepStrictEqual(rows, [{ one: 1 }])
    })
  )
})
