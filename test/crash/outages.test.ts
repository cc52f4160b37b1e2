import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Redacted } from "effect"
import { settled } from "../support/Publishing.ts"
import { Service, startService } from "../support/ServiceProcess.ts"
import { stoodStill } from "../support/StoodStill.ts"
import * as TestPostgres from "../support/TestPostgres.ts"
import { kind as databaseKind } from "../support/TestSql.ts"
import { makeLane } from "./Lane.ts"
import { accounts, createAll, judge, ready } from "./Outage.ts"
import { until } from "./Until.ts"

const test = it.live.skipIf(databaseKind !== "postgres" || process.env["CRASH"] !== "all")

test(
  "a process told to stop with 200 commits under way ends with 0 in time; what it held goes out elsewhere at once",
  () =>
    Effect.gen(function* () {
      const lane = yield* makeLane("stopping")
      const sandbox = yield* SandboxProcess
      const other = yield* startService({ database: lane.database, env: { SANDBOX_URL: sandbox.url } })
      const ids = yield* accounts(lane, "stopping", 300)
      // It is there, and takes nothing yet.
      other.signal("SIGSTOP")
      const gate = lane.network.hold()
      const due = (yield* Clock.currentTimeMillis) + 40_000
      const posts = yield* createAll(lane, ids, (index) =>
        new Date(due + (index < 200 ? 0 : 1400)).toISOString()
      )
      yield* until(
        "200 commits are under way",
        Effect.sync(() => gate.held() === 200),
        120
      )
      const stood = yield* stoodStill
      const told = yield* Clock.currentTimeMillis
      lane.service.signal("SIGTERM")
      other.signal("SIGCONT")
      const elsewhere = yield* Effect.forEach(posts.slice(200), ({ id }) => settled(id)).pipe(
        Effect.provideService(Service, other),
        Effect.forkChild
      )
      // Not as long as a lease: what is held for longer is another one's, and may go out there.
      yield* Effect.timeoutOrElse(Fiber.await(elsewhere), {
        duration: "8 seconds",
        orElse: () => Effect.void
      })
      gate.release()
      yield* Fiber.join(elsewhere)
      assert.strictEqual(yield* lane.service.terminate, 0)
      assert.isBelow((yield* Clock.currentTimeMillis) - told - stood(), 30_000)

      const { targets, publications } = yield* judge(lane)
      assert.isTrue(targets.every(({ state }) => state === "published"))
      const late = posts
        .slice(200)
        .map(({ results }) =>
          publications.find(({ client_reference }) => client_reference === results[0].id)!
        )
        .map(({ received_at }) => Date.parse(received_at) - Math.max(told, due + 1400))
      console.log(`what was given back went out at most ${Math.max(...late)} ms late`)
      // A lease that had to run out would take fifteen seconds.
      assert.isBelow(Math.max(...late) - stood(), 10_000)
    }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)),
  300_000
)

test(
  "a service whose database connections all break for 15 seconds says so, and goes on by itself",
  () =>
    Effect.gen(function* () {
      const lane = yield* makeLane("cut")
      const ids = yield* accounts(lane, "cut", 60)
      const start = (yield* Clock.currentTimeMillis) + 15_000
      const posts = yield* createAll(lane, ids, (index) => new Date(start + index * 100).toISOString())
      yield* Effect.sleep(Math.max(0, start + 2000 - (yield* Clock.currentTimeMillis)))
      lane.postgres!.down()
      yield* until(
        "it is not ready",
        Effect.map(ready(lane), (status) => status === 503),
        30
      )
      yield* Effect.sleep("15 seconds")
      assert.strictEqual(yield* ready(lane), 503)
      lane.postgres!.up()
      yield* until(
        "it is ready again",
        Effect.map(ready(lane), (status) => status === 200),
        60
      )
      yield* Effect.forEach(posts, ({ id }) => settled(id)).pipe(Effect.provideService(Service, lane.service))
      yield* judge(lane)
    }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)),
  300_000
)

test(
  "a service whose PostgreSQL crashes and comes back while it publishes loses nothing",
  () =>
    Effect.gen(function* () {
      const postgres = yield* TestPostgres.make
      const lane = yield* makeLane("restart", { databaseUrl: Redacted.value(postgres.url) })
      const ids = yield* accounts(lane, "restart", 60)
      const start = (yield* Clock.currentTimeMillis) + 15_000
      const posts = yield* createAll(lane, ids, (index) => new Date(start + index * 100).toISOString())
      yield* Effect.sleep(Math.max(0, start + 2000 - (yield* Clock.currentTimeMillis)))
      yield* postgres.stop("immediate")
      yield* postgres.start
      yield* until(
        "it is ready again",
        Effect.map(ready(lane), (status) => status === 200),
        60
      )
      yield* Effect.forEach(posts, ({ id }) => settled(id)).pipe(Effect.provideService(Service, lane.service))
      yield* judge(lane)
    }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)),
  300_000
)
