import { SandboxProcess } from "@carillon/sandbox/testing"
import { Effect, Redacted } from "effect"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import sharp from "sharp"
import * as InitialisedDirectory from "../../packages/server/test/sql/support/InitialisedDirectory.ts"
import { connect } from "@carillon/testing/Publishing"
import { Service, type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { freshPostgresUrl, kind as databaseKind } from "@carillon/testing/TestSql"
import { type NetworkProxy, startNetworkProxy } from "./NetworkProxy.ts"
import { type PostgresProxy, startPostgresProxy } from "./PostgresProxy.ts"
import { type Point, Interceptor } from "./Interceptor.ts"
import { writeWhole } from "./writeWhole.ts"

/** A platform's help after a lost reply: the same commit again, a look-up, or nothing. */
export const platformKinds = ["key", "lookup", "none"] as const
export type PlatformKind = (typeof platformKinds)[number]

/** A service with a database of its own; all that it says to the database and to the platform can be stopped. */
export interface Scenario {
  readonly service: ServiceProcess
  readonly network: NetworkProxy
  readonly interceptor: Interceptor
  /** PostgreSQL only. */
  readonly postgres: PostgresProxy | undefined
  /** The way to the same database that no proxy stands in. */
  readonly database: Readonly<Record<string, string>>
  readonly account: (kind: PlatformKind) => { readonly id: number; readonly username: string }
  readonly media: string
  /** Counts what follows, and kills the process at this point of it. */
  readonly arm: (point: Point | undefined) => void
  /** Ends the counting; the steps that were counted. */
  readonly disarm: () => ReadonlyArray<string>
}

const secret = { CARILLON_SECRET: "0123456789abcdef0123456789abcdef" }

export interface ScenarioOptions {
  /** The URL of a database that exists; without it, a new one of the test's kind is made. */
  readonly databaseUrl?: string
  /** Further environment of the service. */
  readonly env?: Record<string, string>
}

export const makeScenario = Effect.fn("Scenario.make")(function* (
  name: string,
  { databaseUrl, env = {} }: ScenarioOptions = {}
) {
  const sandbox = yield* SandboxProcess
  const interceptor = new Interceptor()
  const network = yield* startNetworkProxy(sandbox.url, interceptor)
  const url =
    databaseUrl ?? (databaseKind === "postgres" ? Redacted.value(yield* freshPostgresUrl()) : undefined)
  const postgres = url === undefined ? undefined : yield* startPostgresProxy(url, interceptor)
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "carillon-crash-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const plan = join(directory, "plan.json")
  const service = yield* startService({
    ...(postgres === undefined
      ? { database: {}, dataDir: yield* InitialisedDirectory.make }
      : { database: { DATABASE_URL: postgres.url, ...secret } }),
    env: {
      SANDBOX_URL: network.url,
      ...(postgres === undefined
        ? { CRASH_PLAN: plan, NODE_OPTIONS: `--import ${join(import.meta.dirname, "killInside.ts")}` }
        : {}),
      ...env
    }
  })
  const accounts = new Map<PlatformKind, { readonly id: number; readonly username: string }>()
  for (const kind of platformKinds) {
    const username = `${name}-${kind}`
    accounts.set(kind, {
      username,
      id: yield* Effect.provideService(connect(username), Service, service)
    })
  }

  const kill = async () => {
    service.signal("SIGKILL")
    interceptor.cut()
    return false
  }

  let runs = 0
  const scenario: Scenario = {
    service,
    network,
    interceptor,
    postgres,
    database: url === undefined ? {} : { DATABASE_URL: url, ...secret },
    account: (kind) => accounts.get(kind)!,
    media: yield* service.upload(yield* picture, "image/jpeg", "blue.jpg"),
    arm: (point) => {
      interceptor.arm(point, kill)
      if (postgres === undefined) writeWhole(plan, JSON.stringify({ run: ++runs, point }))
    },
    disarm: () => {
      interceptor.disarm()
      const inside = existsSync(`${plan}.passed`)
        ? (JSON.parse(readFileSync(`${plan}.passed`, "utf8")) as ReadonlyArray<string>)
        : []
      rmSync(plan, { force: true })
      rmSync(`${plan}.passed`, { force: true })
      return [...inside, ...interceptor.passed]
    }
  }
  return scenario
})

const picture = Effect.promise(() =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: "#4060a0" } })
    .jpeg()
    .toBuffer()
)
