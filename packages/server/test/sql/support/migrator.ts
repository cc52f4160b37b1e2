import { layerWith } from "@carillon/server/sql/Sql"
import { Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { writeSync } from "node:fs"

/** Starts as a server would: the first to come migrates, slowly, and the others must wait for it. */
const slowly = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE migrated_by (process int NOT NULL)`
  yield* sql`SELECT 1 FROM pg_sleep(0.5)`
  yield* sql`INSERT INTO migrated_by VALUES (${process.pid})`
})

const databaseUrl = Option.some(Redacted.make(process.env.TEST_DATABASE_URL ?? ""))

await Effect.runPromise(
  Effect.scoped(Layer.build(layerWith({ databaseUrl, dataDir: "" }, { "0001_slowly": slowly })))
)
writeSync(1, "started\n")
