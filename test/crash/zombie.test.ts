import { SandboxProcess } from "@carillon/sandbox/testing"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { existsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { create, inSeconds, settled } from "@carillon/testing/Publishing"
import { Service, startService } from "@carillon/testing/ServiceProcess"
import { kind as databaseKind } from "@carillon/testing/TestSql"
import { targetsOf, unpublished, violations } from "./Invariants.ts"
import { type Scenario, makeScenario, type PlatformKind, platformKinds } from "./Scenario.ts"
import type { Point } from "./Interceptor.ts"
import { until } from "./Until.ts"

/** The statement that stores the markers, as the proxy names it. */
const marker = "write commits, targets #1"

/** Set up before the post is created. */
interface Freeze {
  /** Until the process is frozen at its moment. */
  readonly frozen: Effect.Effect<void>
  /** Lets go of what was held for that. */
  readonly letGo: Effect.Effect<void>
}

const freezeAt =
  (point: Point) =>
  (scenario: Scenario): Freeze => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    scenario.interceptor.arm(point, () => {
      scenario.service.signal("SIGSTOP")
      return promise
    })
    return {
      frozen: until(
        "the process is frozen",
        Effect.sync(() => scenario.interceptor.triggered),
        90
      ),
      letGo: Effect.sync(() => resolve(true))
    }
  }

const plan = join(tmpdir(), `carillon-freeze-${randomUUID()}`)

const freezeWhenConnected = (): Freeze => {
  writeFileSync(plan, "")
  return {
    frozen: until(
      "the process has frozen itself",
      Effect.sync(() => !existsSync(plan)),
      90
    ),
    letGo: Effect.void
  }
}

const moments: ReadonlyArray<{
  readonly words: string
  readonly freeze: (scenario: Scenario) => Freeze
  readonly kinds?: ReadonlyArray<PlatformKind>
  /** It wakes while the one that took over is sending, not after that. */
  readonly amidst?: boolean
  readonly env?: Record<string, string>
}> = [
  {
    words: "between claim and marker",
    freeze: freezeAt({ step: marker, position: "before" })
  },
  {
    words: "between marker and call",
    freeze: freezeAt({ step: marker, position: "done" })
  },
  {
    words: "between marker and call, and awake while the other one sends,",
    freeze: freezeAt({ step: marker, position: "done" }),
    kinds: ["lookup"],
    amidst: true
  },
  {
    words: "when its connection to the platform is open and nothing is written yet",
    freeze: freezeWhenConnected,
    // A platform on which a second publication would be possible and would be seen.
    kinds: ["lookup"],
    env: {
      FREEZE_PLAN: plan,
      NODE_OPTIONS: `--import ${join(import.meta.dirname, "freezeInside.ts")}`
    }
  },
  {
    words: "while it waits for the platform's answer",
    freeze: freezeAt({ step: "POST /api/posts #1", position: "done" })
  }
]

/** Two processes on one PostgreSQL; the embedded database has one only. */
const test = it.live.skipIf(databaseKind !== "postgres" || process.env["CRASH"] !== "all")

describe.concurrent("a process that stood still", () => {
  for (const [index, { words, freeze, kinds = platformKinds, amidst = false, env }] of moments.entries()) {
    test(
      `a process frozen ${words} until another has taken over publishes nothing twice`,
      () =>
        Effect.gen(function* () {
          const sandbox = yield* SandboxProcess
          const scenario = yield* makeScenario(`zombie${index}`, env === undefined ? {} : { env })
          const { frozen, letGo } = freeze(scenario)
          const post = yield* create({
            social_accounts: kinds.map((kind) => scenario.account(kind).id),
            caption: `frozen ${words}`,
            // A connection that was idle for so long is not used again.
            scheduled_at: inSeconds(10)
          }).pipe(Effect.provideService(Service, scenario.service))
          yield* frozen

          const other = yield* startService({
            database: scenario.database,
            env: { SANDBOX_URL: scenario.network.url }
          })
          const over = settled(post.id).pipe(Effect.provideService(Service, other))
          const wake = Effect.gen(function* () {
            yield* letGo
            scenario.service.signal("SIGCONT")
            yield* until(
              "the process goes on",
              Effect.map(scenario.service.call("GET", "/readyz"), ({ status }) => status === 200),
              90
            )
            // It finishes what it still believes to hold.
            assert.strictEqual(yield* scenario.service.terminate, 0)
          })
          if (amidst) {
            const sending = scenario.network.hold()
            yield* until(
              "the other one sends",
              Effect.sync(() => sending.held() === kinds.length),
              120
            )
            yield* wake
            sending.release()
            yield* over
          } else {
            yield* over
            yield* wake
          }

          const targets = yield* targetsOf(scenario)
          const mine = new Set(targets.map(({ username }) => username))
          const publications = (yield* sandbox.publications()).filter(({ account }) => mine.has(account))
          assert.deepStrictEqual(violations(targets, publications, yield* sandbox.requests()), [])
          assert.deepStrictEqual(unpublished(targets), [])
        }).pipe(Effect.scoped, Effect.provide(SandboxProcess.layer)),
      300_000
    )
  }
})
