import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { writeSync } from "node:fs"
import { EmbeddedDatabase } from "@carillon/server/sql/Embedded"

/** Inserts rows one by one, each its own commit, and says each number once it is acknowledged. Runs until killed. */
const write = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE IF NOT EXISTS written (number int PRIMARY KEY, filler text NOT NULL)`
  const rows = yield* sql<{ last: number }>`SELECT coalesce(max(number), 0) AS last FROM written`
  let number = rows[0]?.last ?? 0
  writeSync(1, "ready\n")
  while (true) {
    number++
    yield* sql`INSERT INTO written ${sql.insert({ number, filler: "x".repeat(500) })}`
    writeSync(1, `${number}\n`)
  }
})

await Effect.runPromise(
  Effect.provide(
    write,
    EmbeddedDatabase.layer({
      dataDir: process.argv[2] ?? "",
      inspectionInterval: "100 millis",
      maxWalBytes: 200_000
    })
  )
)
