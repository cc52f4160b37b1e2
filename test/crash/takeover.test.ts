import { liveProcesses } from "@carillon/server/sql/Liveness"
import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { connect, create, settled } from "@carillon/testing/Publishing"
import { Service, startService } from "@carillon/testing/ServiceProcess"
import { kind as databaseKind } from "@carillon/testing/TestSql"
import { inDatabaseOf, type Stored } from "@carillon/testing/DatabaseOf"
import { targetsOf, unpublished, violations } from "./Invariants.ts"
import { makeScenario, type PlatformKind, platformKinds } from "./Scenario.ts"
import { claimed, extendLeases } from "./Outage.ts"
import type { Point } from "./Interceptor.ts"
import { until } from "./Until.ts"

const test = it.live.skipIf(databaseKind !== "postgres")

const instant = (millis: number) => new Date(millis).toISOString()

const checkInvariants = Effect.fnUntraced(function* (stored: Stored) {
  const sandbox = yield* SandboxProcess
  const targets = yield* targetsOf(stored)
  const publications = yield* sandbox.publications()
  assert.deepStrictEqual(violations(targets, publications, yield* sandbox.requests()), [])
  assert.deepStrictEqual(unpublished(targets), [])
  return publications
})

test("what a killed process held goes out from another one before its leases end", () =>
  Effect.gen(function* () {
    const first = yield* makeScenario("killed")
    const sandbox = yield* SandboxProcess
    const other = yield* startService({ database: first.database, env: { SANDBOX_URL: sandbox.url } })
    const ids = yield* Effect.forEach(
      Array.from({ length: 40 }, (_, index) => `killed${index}-${platformKinds[index % 3]!}`),
      connect,
      { concurrency: 5 }
    ).pipe(Effect.provideService(Service, first.service))
    // It is there, and takes nothing yet.
    other.signal("SIGSTOP")
    const { isAll, posts } = yield* claimed(first, ids)
    first.service.signal("SIGKILL")
    assert.isTrue(isAll, "all were claimed when the process was killed")
    yield* extendLeases(first)
    other.signal("SIGCONT")
    yield* Effect.forEach(posts, ({ id }) => settled(id)).pipe(Effect.provideService(Service, other))

    yield* checkInvariants({ ...first, service: other })
  }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)))

/** Ends every session by which a process shows that it lives, as often as a new one is there, until `over`. */
const hide = (over: () => boolean) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* Effect.repeat(
      sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid::int = any (${liveProcesses(sql)})`,
      { until: over, schedule: Schedule.spaced("20 millis") }
    )
  })

const marker = "write commits, targets #1"

/** Held there while its process cannot be seen to live, and another one is at work. */
const moments: ReadonlyArray<{ readonly words: string; readonly point: Point; readonly takenOver: boolean }> =
  [
    {
      words: "while a commit is prepared",
      point: { step: marker, position: "before" },
      takenOver: true
    },
    { words: "when the marker is written", point: { step: marker, position: "done" }, takenOver: false },
    {
      words: "while the platform answers",
      point: { step: "POST /api/posts #1", position: "done" },
      takenOver: false
    }
  ]

for (const [index, { words, point, takenOver }] of moments.entries()) {
  test(`a process that lives and cannot be seen to ${words} publishes nothing twice, nor does the one that looks`, () =>
    Effect.gen(function* () {
      const scenario = yield* makeScenario(`unseen${index}`)
      const sandbox = yield* SandboxProcess
      const other = yield* startService({ database: scenario.database, env: { SANDBOX_URL: sandbox.url } })
      // It is there, and takes nothing yet.
      other.signal("SIGSTOP")
      const due = (yield* Clock.currentTimeMillis) + 4000
      const { promise: letGo, resolve } = Promise.withResolvers<boolean>()
      scenario.interceptor.arm(point, () => letGo)
      // With several targets, some might not be marked yet when the first marker is written.
      const kinds: ReadonlyArray<PlatformKind> = takenOver ? platformKinds : ["lookup"]
      const post = yield* create({
        social_accounts: kinds.map((kind) => scenario.account(kind).id),
        caption: `unseen ${words}`,
        scheduled_at: instant(due)
      }).pipe(Effect.provideService(Service, scenario.service))
      yield* until(
        "the process is held",
        Effect.sync(() => scenario.interceptor.triggered),
        90
      )
      other.signal("SIGCONT")
      const published = Effect.map(sandbox.publications(), ({ length }) => length)
      const before = yield* published
      let isOver = false
      const hiding = yield* Effect.forkChild(inDatabaseOf(scenario)(hide(() => isOver)))
      yield* takenOver
        ? until(
            "the other one has published",
            Effect.map(published, (count) => count === kinds.length),
            90
          )
        : // Three looks of the other one's.
          Effect.sleep("3 seconds")
      isOver = true
      yield* Fiber.join(hiding)
      if (!takenOver) assert.strictEqual(yield* published, before)
      resolve(true)
      const over = yield* settled(post.id).pipe(Effect.provideService(Service, other))
      assert.strictEqual(over.status, "published")
      yield* checkInvariants(scenario)
    }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)))
}
