/**
 * An engine to be killed: it holds what is due of its workspace, one target of each account in a commit that the platform
 * never answers, the others in line behind. It says so when it holds all of them.
 */
import { NodeRuntime } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Clock, Effect, Schedule } from "effect"
import { parts, running, schedule, workspace } from "./EngineUnderTest.ts"

const { DATABASE_URL: url, DATA_DIR: dataDir, TARGETS: targets } = process.env
const count = Number(targets)

const hold = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const space = yield* workspace("doomed", count / 2)
  yield* schedule(space, count, (yield* Clock.currentTimeMillis) - 1000)
  yield* running
  const held = sql<{ state: string; count: number }>`
    select state, count(*)::int as count from targets where workspace_id = ${space.id} and lease_until > now() group by state`
  yield* held.pipe(
    Effect.repeat({
      schedule: Schedule.spaced("10 millis"),
      until: (rows) =>
        ["claimed", "committing"].every((state) =>
          rows.some((row) => row.state === state && row.count === count / 2)
        )
    })
  )
  process.send!("held")
  return yield* Effect.never
})

NodeRuntime.runMain(Effect.provide(Effect.scoped(hold), parts(url, dataDir!, false)))
