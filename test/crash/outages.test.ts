import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Redacted } from "effect"
import { settled } from "@carillon/testing/Publishing"
import { Service, startService } from "@carillon/testing/ServiceProcess"
import * as TestPostgres from "@carillon/testing/TestPostgres"
import { kind as databaseKind } from "@carillon/testing/TestSql"
import { makeScenario } from "./Scenario.ts"
import { accounts, countHeld, createAll, checkInvariants, ready } from "./Outage.ts"
import { until } from "./Until.ts"

const test = it.live.skipIf(databaseKind !== "postgres" || process.env["CRASH"] !== "all")

// Each has a service and a database of its own, and waits more than it works.
describe.concurrent("an outage", () => {
  test(
    "a process told to stop with 200 commits under way gives back what it holds, which goes out elsewhere, and ends with 0",
    () =>
      Effect.gen(function* () {
        const scenario = yield* makeScenario("stopping")
        const sandbox = yield* SandboxProcess
        const other = yield* startService({ database: scenario.database, env: { SANDBOX_URL: sandbox.url } })
        const ids = yield* accounts(scenario, "stopping", 300)
        // It is there, and takes nothing yet.
        other.signal("SIGSTOP")
        const gate = scenario.network.hold()
        const due = (yield* Clock.currentTimeMillis) + 40_000
        const posts = yield* createAll(scenario, ids, (index) =>
          new Date(due + (index < 200 ? 0 : 1400)).toISOString()
        )
        yield* until(
          "200 commits are under way",
          Effect.sync(() => gate.held() === 200),
          120
        )
        scenario.service.signal("SIGTERM")
        // Nobody else can take it yet.
        yield* until(
          "what it held is given back",
          Effect.map(countHeld(scenario), (count) => count === 0),
          120
        )
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
        assert.strictEqual(yield* scenario.service.terminate, 0)
        const { targets } = yield* checkInvariants(scenario)
        assert.isTrue(targets.every(({ state }) => state === "published"))
      }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)),
    300_000
  )

  test(
    "a service whose database connections all break for 15 seconds says so, and goes on by itself",
    () =>
      Effect.gen(function* () {
        const scenario = yield* makeScenario("cut")
        const ids = yield* accounts(scenario, "cut", 60)
        const start = (yield* Clock.currentTimeMillis) + 15_000
        const posts = yield* createAll(scenario, ids, (index) => new Date(start + index * 100).toISOString())
        yield* Effect.sleep(Math.max(0, start + 2000 - (yield* Clock.currentTimeMillis)))
        scenario.postgres!.down()
        yield* until(
          "it is not ready",
          Effect.map(ready(scenario), (status) => status === 503),
          30
        )
        yield* Effect.sleep("15 seconds")
        assert.strictEqual(yield* ready(scenario), 503)
        scenario.postgres!.up()
        yield* until(
          "it is ready again",
          Effect.map(ready(scenario), (status) => status === 200),
          60
        )
        yield* Effect.forEach(posts, ({ id }) => settled(id)).pipe(
          Effect.provideService(Service, scenario.service)
        )
        yield* checkInvariants(scenario)
      }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)),
    300_000
  )

  test(
    "a service whose PostgreSQL crashes and comes back while it publishes loses nothing",
    () =>
      Effect.gen(function* () {
        const postgres = yield* TestPostgres.make
        const scenario = yield* makeScenario("restart", { databaseUrl: Redacted.value(postgres.url) })
        const ids = yield* accounts(scenario, "restart", 60)
        const start = (yield* Clock.currentTimeMillis) + 15_000
        const posts = yield* createAll(scenario, ids, (index) => new Date(start + index * 100).toISOString())
        yield* Effect.sleep(Math.max(0, start + 2000 - (yield* Clock.currentTimeMillis)))
        yield* postgres.stop("immediate")
        yield* postgres.start
        yield* until(
          "it is ready again",
          Effect.map(ready(scenario), (status) => status === 200),
          60
        )
        yield* Effect.forEach(posts, ({ id }) => settled(id)).pipe(
          Effect.provideService(Service, scenario.service)
        )
        yield* checkInvariants(scenario)
      }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)),
    300_000
  )
})
