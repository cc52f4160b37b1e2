import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { rmSync } from "node:fs"
import { EmbeddedDatabase } from "./src/sql/Embedded.ts"
import { walBytes } from "./src/sql/EmbeddedMaintenance.ts"
const [mode, dir] = process.argv.slice(2) as [string, string]
const t0 = performance.now()
const ms = () => (performance.now() - t0).toFixed(0)
const program = Effect.gen(function* () {
  console.log(mode, "opened in", ms(), "ms; rss", (process.memoryUsage().rss / 1e6).toFixed(0), "MB")
  const sql = yield* SqlClient.SqlClient
  if (mode === "fill") {
    yield* sql`create table if not exists filler(id int, x text)`
    const mb = Number(process.argv[4])
    while ((yield* walBytes(sql as any)) < mb * 1048576) yield* sql`insert into filler select g, repeat(md5(g::text), 10) from generate_series(1, 2000) g`
    console.log("filled", yield* walBytes(sql as any))
    process.kill(process.pid, "SIGKILL")
  }
  if (mode === "inserts") {
    yield* sql`create table if not exists one(id int generated always as identity, x text)`
    const { flushCount } = yield* EmbeddedDatabase
    yield* Effect.repeat(sql`insert into one(x) values ('hello hello hello hello')`, { times: 200 })
    const f = yield* flushCount
    const t = performance.now()
    yield* Effect.repeat(sql`insert into one(x) values ('hello hello hello hello')`, { times: 2999 })
    const s = (performance.now() - t) / 1000
    console.log("3000 commits", Math.round(3000 / s), "/s, flushes", (yield* flushCount) - f)
    const c = performance.now(); const f2 = yield* flushCount
    yield* sql`checkpoint`
    console.log("checkpoint", (performance.now() - c).toFixed(0), "ms, flushes", (yield* flushCount) - f2)
    const v = performance.now()
    yield* sql`vacuum (analyze)`
    console.log("vacuum analyze all", (performance.now() - v).toFixed(0), "ms")
  }
})
if (mode === "cold") rmSync(dir, { recursive: true, force: true })
await Effect.runPromise(program.pipe(Effect.provide(EmbeddedDatabase.layer({ dataDir: dir, inspectionInterval: "1 hour", ...(process.argv[4] === "noflush" ? { flushFile: () => {}, flushDirectory: () => {} } : {}) }))) as any)
console.log("closed at", ms(), "exitCode", process.exitCode)
