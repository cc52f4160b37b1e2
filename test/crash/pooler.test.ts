import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { create, settled } from "@carillon/testing/Publishing"
import { freePort, runToEnd, Service, startService } from "@carillon/testing/ServiceProcess"
import * as TestPooler from "@carillon/testing/TestPooler"
import { freshPostgresUrl, kind as databaseKind } from "@carillon/testing/TestSql"
import { inDatabaseOf } from "@carillon/testing/DatabaseOf"
import { accounts, claimed, extendLeases, insist, checkInvariants } from "./Outage.ts"
import { until } from "./Until.ts"

const test = it.live.skipIf(databaseKind !== "postgres" || process.env["CRASH"] !== "all")

const secret = { CARILLON_SECRET: "0123456789abcdef0123456789abcdef" }

const instant = (millis: number) => new Date(millis).toISOString()

/** Two processes that start together on an empty database, with a pooler in between. */
const makePair = Effect.gen(function* () {
  const sandbox = yield* SandboxProcess
  const server = yield* freshPostgresUrl()
  const pooler = yield* TestPooler.make(server)
  const database = { DATABASE_URL: pooler.url, DATABASE_LISTEN_URL: Redacted.value(server), ...secret }
  const [first, second] = yield* Effect.all(
    [
      startService({ database, env: { SANDBOX_URL: sandbox.url } }),
      startService({ database, env: { SANDBOX_URL: sandbox.url } })
    ],
    { concurrency: 2 }
  )
  const stored = { service: first, database: { DATABASE_URL: Redacted.value(server), ...secret } }
  return { pooler, first, second, stored }
})

/** The numbers of the processes that have had a target. */
const holders = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql`select distinct holder from targets where holder is not null`
})

test("through a pooler in transaction mode two processes migrate, share the work, and take over what a killed one held", () =>
  Effect.gen(function* () {
    const { first, second, stored } = yield* makePair
    const ids = yield* accounts({ service: first }, "pooled", 40)
    const through = (index: number) => Effect.provideService(Service, index % 2 === 0 ? first : second)
    const start = (yield* Clock.currentTimeMillis) + 4000
    const posts = yield* Effect.forEach(
      ids,
      (id, index) =>
        create({
          social_accounts: [id],
          caption: `Post ${index}`,
          scheduled_at: instant(start + index * 50)
        }).pipe(through(index)),
      { concurrency: 5 }
    )
    yield* Effect.forEach(posts, ({ id }, index) => settled(id).pipe(through(index + 1)))
    for (const service of [first, second]) {
      const { body } = yield* service.call("GET", "/v1/posts?status=published&limit=1")
      assert.strictEqual(body.meta.total, posts.length)
    }
    const shared = yield* checkInvariants(stored)
    assert.strictEqual(yield* Effect.map(inDatabaseOf(stored)(holders), ({ length }) => length), 2)
    const due = new Map(shared.targets.map(({ id, due_at }) => [id, due_at.getTime()]))
    const late = shared.publications.map(
      ({ client_reference, published_at }) => Date.parse(published_at) - due.get(client_reference!)!
    )
    console.log(`through the pooler published from ${Math.min(...late)} to ${Math.max(...late)} ms late`)
    assert.isAtLeast(Math.min(...late), 0)

    // The other one is there, and takes nothing yet.
    second.signal("SIGSTOP")
    const { isAll, posts: held } = yield* claimed(stored, ids)
    first.signal("SIGKILL")
    assert.isTrue(isAll, "all were claimed when the process was killed")
    yield* extendLeases(stored)
    second.signal("SIGCONT")
    yield* Effect.forEach(held, ({ id }) => settled(id)).pipe(Effect.provideService(Service, second))
    yield* checkInvariants(stored)
  }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)))

test("a pooler that is killed and started again while posts are made and published costs none of them, and none is sent twice", () =>
  Effect.gen(function* () {
    const { pooler, first, second, stored } = yield* makePair
    const sandbox = yield* SandboxProcess
    const services = [first, second]
    const ids = yield* accounts({ service: first }, "bounced", 60)
    const made: Array<string> = []
    const make = Effect.fnUntraced(function* (id: number, index: number) {
      const scheduled_at = instant((yield* Clock.currentTimeMillis) + 8000 + index * 50)
      const post = { social_accounts: [id], caption: `Post ${index}`, scheduled_at }
      made.push(yield* insist(services[index % 2]!, post, `bounced-${index}`))
    })
    const making = yield* Effect.forkChild(Effect.forEach(ids, make, { concurrency: 3 }))
    const bounceWhen = (what: string, count: Effect.Effect<number>, wanted: number) =>
      until(
        `${wanted} are ${what}`,
        Effect.map(count, (found) => found >= wanted),
        30
      ).pipe(Effect.andThen(pooler.kill), Effect.andThen(pooler.start))
    yield* bounceWhen(
      "made",
      Effect.sync(() => made.length),
      20
    )
    yield* Fiber.join(making)
    const published = Effect.map(sandbox.publications(), ({ length }) => length)
    for (const wanted of [10, 25, 40]) yield* bounceWhen("published", published, wanted)
    yield* Effect.forEach(made, (id, index) =>
      settled(id).pipe(Effect.provideService(Service, services[index % 2]!))
    )
    const { targets } = yield* checkInvariants(stored)
    assert.lengthOf(targets, ids.length)
  }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)))

const takesSettings = {
  ignore_startup_parameters: "statement_timeout,lock_timeout,idle_in_transaction_session_timeout,jit"
}
const ways: ReadonlyArray<readonly [words: string, settings: Record<string, string>]> = [
  ["as it comes", {}],
  ["that takes the settings of a session and drops them", takesSettings],
  [
    "that gives out its connections in turn",
    { ...takesSettings, server_round_robin: "1", min_pool_size: "3", default_pool_size: "3" }
  ]
]

for (const [words, settings] of ways) {
  test(`a pooler in transaction mode ${words}, with no way around it, ends the start with what to set`, () =>
    Effect.gen(function* () {
      const server = yield* freshPostgresUrl()
      const { url } = yield* TestPooler.make(server, settings)
      const { host } = new URL(url)
      const port = String(yield* freePort)
      const start = (way: Record<string, string>) => runToEnd({ PORT: port, ...secret, ...way })
      const without = yield* start({ DATABASE_URL: url })
      assert.strictEqual(without.code, 1)
      assert.include(without.output, `DATABASE_URL leads to a pooler at ${host}`)
      assert.include(without.output, "Set DATABASE_LISTEN_URL to the same database without the pooler")
      const around = yield* start({ DATABASE_URL: url, DATABASE_LISTEN_URL: url })
      assert.strictEqual(around.code, 1)
      assert.include(around.output, `DATABASE_LISTEN_URL leads to a pooler at ${host}`)
    }).pipe(Effect.scoped))
}

test("a pooler in session mode, with no way around it, is taken with a warning", () =>
  Effect.gen(function* () {
    const sandbox = yield* SandboxProcess
    const server = yield* freshPostgresUrl()
    const { url } = yield* TestPooler.make(server, {
      ...takesSettings,
      pool_mode: "session",
      default_pool_size: "20"
    })
    const service = yield* startService({
      database: { DATABASE_URL: url, ...secret },
      env: { SANDBOX_URL: sandbox.url }
    })
    assert.include(service.output(), "Set DATABASE_LISTEN_URL to the same database without the pooler")
    const [account] = yield* accounts({ service }, "session", 1)
    yield* Effect.gen(function* () {
      const { id } = yield* create({ social_accounts: [account], caption: "Through a session" })
      assert.strictEqual((yield* settled(id)).status, "published")
    }).pipe(Effect.provideService(Service, service))
  }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)))
