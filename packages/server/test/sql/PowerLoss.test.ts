import { EmbeddedDatabase } from "@carillon/server/sql/Embedded"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { join } from "node:path"
import * as TestDirectory from "@carillon/testing/TestDirectory"
import * as InitialisedDirectory from "./support/InitialisedDirectory.ts"
import { ForgetfulDisk } from "./support/PowerCut.ts"

/** The power is cut at every so many flushes; .ci/run asks for more cuts. */
const between = Number(process.env["POWER_CUT_EACH"] ?? 37)

/** Commits of every kind, with checkpoints and vacuums between them: about 300 flushes. */
const work = Effect.fn(function* (acknowledge: (number: number) => void) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE written (number int PRIMARY KEY, filler text NOT NULL)`
  yield* Effect.forEach(
    Array.from({ length: 120 }, (_, index) => index + 1),
    Effect.fn(function* (number) {
      yield* sql`INSERT INTO written VALUES (${number}, repeat('x', 2000))`
      acknowledge(number)
      yield* Effect.when(sql`CHECKPOINT`, Effect.succeed(number % 30 === 0))
      yield* Effect.when(sql`UPDATE written SET filler = filler || 'y'`, Effect.succeed(number % 40 === 0))
      yield* Effect.when(sql`VACUUM`, Effect.succeed(number % 50 === 0))
      yield* Effect.when(sql`SELECT pg_switch_wal()::text`, Effect.succeed(number % 35 === 0))
    })
  )
})

it.live(
  "keeps every acknowledged row when the power is cut between any two flushes",
  () =>
    Effect.gen(function* () {
      const dataDir = yield* InitialisedDirectory.make
      const copies = yield* TestDirectory.make
      const cuts: Array<{ readonly dataDir: string; readonly acknowledged: number }> = []
      let flushes = 0
      let acknowledged = 0
      const disk = new ForgetfulDisk(join(dataDir, "database"), join(copies, "before"), (disk) => {
        flushes++
        if (flushes % between !== 0) return
        const after = join(copies, `after-${flushes}`)
        disk.cut(join(after, "database"))
        cuts.push({ dataDir: after, acknowledged })
      })
      yield* work((number) => {
        acknowledged = number
      }).pipe(Effect.provide(EmbeddedDatabase.layer({ dataDir, ...disk.options }), { local: true }))

      assert.isAtLeast(cuts.length, 250 / between)
      yield* Effect.forEach(
        cuts,
        Effect.fn(function* (cut) {
          const stored = yield* Effect.gen(function* () {
            const sql = yield* SqlClient.SqlClient
            const tables = yield* sql`SELECT 1 FROM pg_tables WHERE tablename = 'written'`
            assert.isTrue(tables.length === 1 || cut.acknowledged === 0)
            const rows = yield* sql<{ number: number }>`SELECT number FROM written ORDER BY number`
            return rows.map(({ number }) => number)
          }).pipe(Effect.provide(EmbeddedDatabase.layer({ dataDir: cut.dataDir }), { local: true }))
          assert.deepStrictEqual(
            stored.slice(0, cut.acknowledged),
            Array.from({ length: cut.acknowledged }, (_, index) => index + 1)
          )
          assert.isAtMost(stored.length, cut.acknowledged + 1)
        })
      )
    }),
  600_000
)
