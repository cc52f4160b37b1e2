import { liveProcesses } from "@carillon/server/sql/Liveness"
import * as Postgres from "@carillon/server/sql/Postgres"
import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { settled } from "@carillon/testing/Publishing"
import { Service } from "@carillon/testing/ServiceProcess"
import * as TestPostgres from "@carillon/testing/TestPostgres"
import { kind as databaseKind } from "@carillon/testing/TestSql"
import { makeScenario } from "./Scenario.ts"
import { accounts, createAll, insist, checkInvariants, ready } from "./Outage.ts"
import { until } from "./Until.ts"

const test = it.live.skipIf(databaseKind !== "postgres" || process.env["CRASH"] !== "all")

/** For how long at least, in milliseconds, and with a look at the end of it. */
const settlementsAreTried = 7500

const inServer = <A, E>(url: Redacted.Redacted, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(effect, Postgres.layer({ databaseUrl: url, maxConnections: 1 }), { local: true })

const sees = (what: string, row: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const found = Effect.map(Effect.orDie(sql.unsafe(row)), ({ length }) => length > 0)
    yield* until(what, found, 60)
  })

/** A server whose commits are acknowledged when its standby has them too, and a service that finds it at an address that moves. */
const makeServed = Effect.fnUntraced(function* (name: string) {
  const primary = yield* TestPostgres.make
  const standby = yield* primary.standby
  yield* inServer(
    primary.url,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`alter system set synchronous_standby_names = '*'`
      yield* sql`select pg_reload_conf()`
      yield* sees(
        "commits wait for the standby",
        "select 1 from pg_stat_replication where sync_state = 'sync'"
      )
    })
  )
  const scenario = yield* makeScenario(name, { databaseUrl: Redacted.value(primary.url) })
  const sandbox = yield* SandboxProcess
  const published = Effect.map(sandbox.publications(), ({ length }) => length)

  const ids = yield* accounts(scenario, name, 60)
  const start = (yield* Clock.currentTimeMillis) + 8000
  const due = yield* createAll(scenario, ids, (index) => new Date(start + index * 100).toISOString())
  yield* until(
    "some are published",
    Effect.map(published, (count) => count >= 15),
    30
  )
  // Further posts are made while it happens.
  const made: Array<string> = []
  const making = yield* Effect.forkChild(
    Effect.forEach(
      ids,
      (id, index) =>
        Effect.map(
          insist(scenario.service, { social_accounts: [id], caption: `During ${index}` }, `during-${index}`),
          (post) => made.push(post)
        ),
      { concurrency: 3 }
    )
  )
  yield* until(
    "some are made",
    Effect.sync(() => made.length >= 5),
    30
  )
  /** All that was ever acknowledged is there and in the ledger. */
  const checked = Effect.gen(function* () {
    yield* Fiber.join(making)
    yield* Effect.forEach([...due.map(({ id }) => id), ...made], (id) => settled(id)).pipe(
      Effect.provideService(Service, scenario.service)
    )
    const database = { ...scenario.database, DATABASE_URL: Redacted.value(standby.url) }
    const { targets } = yield* checkInvariants({ ...scenario, database })
    yield* inServer(
      standby.url,
      Effect.flatMap(SqlClient.SqlClient, (sql) =>
        until(
          "the process can be seen to live",
          Effect.map(
            Effect.orDie(sql<{ numbers: ReadonlyArray<number> }>`select ${liveProcesses(sql)} as numbers`),
            ([row]) => row!.numbers.length === 1
          ),
          15
        )
      )
    )
    assert.deepStrictEqual(
      new Set(targets.map(({ post_id }) => post_id)),
      new Set([...due.map(({ id }) => id), ...made])
    )
    return targets
  })
  const becomes = (status: number, withinSeconds: number) =>
    until(
      `readiness is ${status}`,
      Effect.map(ready(scenario), (found) => found === status),
      withinSeconds
    )
  return { scenario, primary, standby, published, becomes, checked }
})

test(
  "a service whose PostgreSQL is killed goes on with the standby that takes its address, with all that was acknowledged",
  () =>
    Effect.gen(function* () {
      const { scenario, primary, standby, published, becomes, checked } = yield* makeServed("killed")
      const gate = scenario.network.hold()
      yield* until(
        "commits are under way",
        Effect.sync(() => gate.held() >= 5),
        30
      )
      const before = yield* published
      const killed = yield* Clock.currentTimeMillis
      yield* primary.kill
      // The address moves before the standby takes writes; what was being sent is known by then and cannot be settled yet.
      scenario.postgres!.lead(Redacted.value(standby.url))
      yield* inServer(
        standby.url,
        sees(
          "the service asks the standby",
          "select 1 from pg_stat_activity where application_name = 'carillon' and query ~ 'targets' and pid <> pg_backend_pid()"
        )
      )
      gate.release()
      yield* until(
        "what was being sent is published",
        Effect.map(published, (count) => count >= before + gate.held()),
        10
      )
      assert.strictEqual(yield* ready(scenario), 503)
      yield* standby.promote
      yield* becomes(200, 15)
      const away = (yield* Clock.currentTimeMillis) - killed
      console.log(`ready ${away} ms after PostgreSQL was killed`)
      // What was known when the server took no writes is settled when it does; five of forty stayed in doubt when it was not
      // tried again. One did in one run on a busy machine, with nobody to ask: why is not known.
      const doubtful = (yield* checked).filter(({ state }) => state !== "published")
      if (away < settlementsAreTried) assert.isBelow(doubtful.length, 3)
    }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)),
  300_000
)

test(
  "a service whose PostgreSQL disappears without a word, its connections left hanging, goes on with the standby",
  () =>
    Effect.gen(function* () {
      const { scenario, primary, standby, becomes, checked } = yield* makeServed("vanished")
      scenario.postgres!.vanish()
      const vanished = yield* Clock.currentTimeMillis
      yield* primary.kill
      yield* becomes(503, 20)
      yield* standby.promote
      scenario.postgres!.lead(Redacted.value(standby.url))
      // A statement is waited for 35 seconds; nothing hangs longer than that.
      yield* becomes(200, 45)
      console.log(`ready ${(yield* Clock.currentTimeMillis) - vanished} ms after PostgreSQL had disappeared`)
      yield* checked
      console.log(`all settled ${(yield* Clock.currentTimeMillis) - vanished} ms after it`)
    }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)),
  300_000
)
