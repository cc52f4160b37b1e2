import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { create, inSeconds, settled } from "../support/Publishing.ts"
import { Service, startService } from "../support/ServiceProcess.ts"
import { kind as databaseKind } from "../support/TestSql.ts"
import { targetsOf, violations } from "./Judge.ts"
import { makeLane, platformKinds } from "./Lane.ts"
import type { Point } from "./Tripwire.ts"
import { until } from "./Until.ts"

const moments: ReadonlyArray<Point & { readonly words: string }> = [
  { words: "between claim and marker", step: "write targets, attempts #1", position: "before" },
  { words: "between marker and call", step: "write targets, attempts #1", position: "done" },
  { words: "while it waits for the platform's answer", step: "POST /api/posts #1", position: "done" }
]

/** Two processes on one PostgreSQL; the embedded database has one only. */
const test = it.live.skipIf(databaseKind !== "postgres" || process.env["CRASH"] !== "all")

for (const [index, moment] of moments.entries()) {
  test(
    `a process frozen ${moment.words} until another has taken over publishes nothing twice`,
    () =>
      Effect.gen(function* () {
        const sandbox = yield* SandboxProcess
        const lane = yield* makeLane(`zombie${index}`)
        const { promise, resolve } = Promise.withResolvers<boolean>()
        lane.wire.arm(moment, () => {
          lane.service.signal("SIGSTOP")
          return promise
        })
        const post = yield* create({
          social_accounts: platformKinds.map((kind) => lane.account(kind).id),
          caption: `frozen ${moment.words}`,
          media: [lane.media],
          scheduled_at: inSeconds(2)
        }).pipe(Effect.provideService(Service, lane.service))
        yield* until(
          "the process is frozen",
          Effect.sync(() => lane.wire.tripped),
          30
        )

        const other = yield* startService({ database: lane.database, env: { SANDBOX_URL: sandbox.url } })
        yield* settled(post.id, 90).pipe(Effect.provideService(Service, other))
        lane.service.signal("SIGCONT")
        resolve(true)
        yield* until(
          "the process goes on",
          Effect.map(lane.service.call("GET", "/readyz"), ({ status }) => status === 200),
          30
        )
        // It finishes what it still believes to hold.
        assert.strictEqual(yield* lane.service.terminate, 0)

        const targets = yield* targetsOf(lane)
        const mine = new Set(targets.map(({ username }) => username))
        const publications = (yield* sandbox.publications()).filter(({ account }) => mine.has(account))
        assert.deepStrictEqual(violations(targets, publications, yield* sandbox.requests()), [])
        const states = new Map(targets.map(({ username, state }) => [username.split("-")[1], state]))
        assert.strictEqual(states.get("key"), "published")
        assert.strictEqual(states.get("lookup"), "published")
        assert.include(["published", "unconfirmed"], states.get("none"))
      }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)),
    180_000
  )
}
