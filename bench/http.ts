#!/usr/bin/env node
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { cp } from "node:fs/promises"
import { join } from "node:path"
import { benchDatabase, statementsOf } from "./BenchDatabase.ts"
import { comparison, figure, type Measured } from "./Figures.ts"
import { intFlag } from "./intFlag.ts"
import type { Load, LoadResult } from "./LoadGenerator.ts"
import {
  ask,
  type Child,
  circumstances,
  cpuMicros,
  startHelper,
  startSandbox,
  startService,
  temporaryDirectory
} from "./Processes.ts"

/** 420 bytes, as in the measurements that the goals were taken from. */
const caption = "The bells of the old town ring at noon, and everybody looks up. ".repeat(7).slice(0, 420)

const inAYear = () => new Date(Date.now() + 365 * 86_400_000).toISOString()

/** Seconds of warming up: the more code a server has, the longer V8 compiles it. */
const warmUp = 8

const columns = ["req/s", "p50 ms", "p99 ms", "CPU µs/req", "database CPU µs/req", "statements/req"] as const
type Round = Measured<(typeof columns)[number]>

const bench = Effect.fn("bench.http")(function* (options: {
  readonly seconds: number
  readonly rounds: number
  readonly connections: number
  readonly posts: number
  readonly postgres: boolean
  readonly only: Option.Option<Task["name"]>
  readonly bootstrapKey: boolean
  readonly statements: boolean
  readonly cpuProf: Option.Option<string>
}) {
  const { seconds, rounds, connections, posts } = options
  const database = yield* benchDatabase(options.postgres)
  const generator = yield* startHelper("LoadGenerator")
  const sandbox = yield* startSandbox
  const dataDir = join(yield* temporaryDirectory, "data")
  const serviceOf = (cpuProf: string | undefined) =>
    startService({ dataDir, sandboxUrl: sandbox.url, databaseUrl: database.url, cpuProf })

  // One account, one key, and the posts that the list is asked for: by the API, like anybody.
  const prepare = Effect.gen(function* () {
    const service = yield* serviceOf(undefined)
    const call = (path: string, bodies: ReadonlyArray<object>) =>
      ask<LoadResult>(generator, {
        url: service.url + path,
        method: "POST",
        headers: { authorization: `Bearer ${service.bootstrapKey}`, "content-type": "application/json" },
        bodies: bodies.map((body) => JSON.stringify(body)),
        connections: 8,
        collect: true
      } satisfies Load)
    const credentials = { username: "bench", password: "sandbox" }
    const connected = yield* call("/v1/social-accounts", [{ platform: "sandbox", credentials }])
    const made = yield* call("/v1/api-keys", [{ name: "bench", scopes: ["admin"] }])
    const accountId: number = JSON.parse(connected.answers[0]!.body).id
    const key: string = JSON.parse(made.answers[0]!.body).key
    const post = { social_accounts: [accountId], caption, scheduled_at: inAYear() }
    yield* call(
      "/v1/posts",
      Array.from({ length: posts }, () => post)
    )
    // A clean end, so that the directory may be copied.
    yield* service.terminate
    return { key, post: JSON.stringify(post) }
  }).pipe(Effect.scoped)
  const { key, post } = yield* prepare

  const baselineOf = Effect.fnUntraced(function* ({ baseline }: Task) {
    if (database.url !== undefined) return yield* startHelper(baseline, { BARE_DATABASE_URL: database.url })
    const directory = `${dataDir}-${baseline}`
    yield* Effect.promise(() => cp(join(dataDir, "database"), directory, { recursive: true }))
    return yield* startHelper(baseline, { BARE_DIRECTORY: directory })
  })
  const cpuProf = Option.getOrUndefined(options.cpuProf)
  const asked = tasks.filter(({ name }) => Option.getOrElse(options.only, () => name) === name)
  // Before the service holds the lock on the directory that they copy.
  const baselines = new Map(
    yield* Effect.forEach(asked, (task) => Effect.map(baselineOf(task), (child) => [task, child] as const))
  )
  const service = yield* serviceOf(cpuProf)
  const contestantsOf = (task: Task): ReadonlyArray<Contestant> => {
    const baseline = baselines.get(task)!
    return [
      {
        name: "service",
        child: service,
        url: service.url,
        key: options.bootstrapKey ? service.bootstrapKey : key
      },
      { name: task.baselineName, child: baseline, url: baseline.ready.url, key }
    ]
  }

  const load = ({ url, key }: Contestant, task: Task, time: number): Load => ({
    url: url + task.path,
    method: task.method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    bodies: [task.method === "POST" ? post : ""],
    idempotencyKeys: task.method === "POST",
    connections,
    seconds: time
  })

  const round = Effect.fnUntraced(function* (contestant: Contestant, task: Task) {
    const observe = Effect.all({
      cpu: cpuMicros(contestant.child.pid),
      database: database.cpu,
      statements: database.statements
    })
    const before = yield* observe
    const result = yield* ask<LoadResult>(generator, load(contestant, task, seconds))
    const after = yield* observe
    const each = (of: keyof typeof before) => (after[of] - before[of]) / result.requests
    return {
      "req/s": result.requests / result.seconds,
      "p50 ms": result.p50,
      "p99 ms": result.p99,
      "CPU µs/req": each("cpu"),
      "database CPU µs/req": each("database"),
      "statements/req": each("statements")
    } satisfies Round
  })

  yield* Console.log(yield* circumstances)
  yield* Console.log(
    `${database.label}, ${connections} connections, ${rounds} rounds of ${seconds} s each in turn, ` +
      `${figure(posts)} posts to list, key: ${options.bootstrapKey ? "bootstrap" : "API"}`
  )
  if (database.counts === "transactions") {
    yield* Console.log("pg_stat_statements is not at hand: what is counted per request are transactions.")
  }
  for (const task of asked) {
    const contestants = contestantsOf(task)
    for (const contestant of contestants) yield* ask(generator, load(contestant, task, warmUp))
    const found = contestants.map((): Array<Round> => [])
    for (let index = 0; index < rounds; index++) {
      // The order changes from round to round, because the table grows and the machine has other work.
      for (const at of index % 2 === 0 ? [0, 1] : [1, 0])
        found[at]!.push(yield* round(contestants[at]!, task))
    }
    const [own, bareOnes] = contestants.map(({ name }, at) => ({ name, rounds: found[at]! }))
    yield* Console.log(`\n${comparison(`${task.method} ${task.path}`, columns, own!, bareOnes!)}`)
    if (options.statements) {
      const one = ask<LoadResult>(generator, load(contestants[0]!, task, 1))
      yield* Console.log(
        yield* statementsOf(
          database,
          Effect.map(one, ({ requests }) => requests)
        )
      )
    }
  }
  yield* service.terminate
  if (cpuProf !== undefined)
    yield* Console.log(`\nCPU profile of the service in ${cpuProf}; read it with bench/hotspots.ts`)
}, Effect.scoped)

interface Contestant {
  readonly name: string
  readonly child: Child
  readonly url: string
  readonly key: string
}

interface Task {
  readonly name: "list" | "create"
  readonly method: Load["method"]
  readonly path: string
  readonly baseline: "BareServer" | "FastifyServer"
  readonly baselineName: string
}

// The list first: creating changes what it lists.
const tasks: ReadonlyArray<Task> = [
  { name: "list", method: "GET", path: "/v1/posts", baseline: "BareServer", baselineName: "node:http + pg" },
  {
    name: "create",
    method: "POST",
    path: "/v1/posts",
    baseline: "FastifyServer",
    baselineName: "fastify + pg"
  }
]

const command = Command.make(
  "bench:http",
  {
    seconds: intFlag("seconds", 5, "Length of one round"),
    rounds: intFlag("rounds", 3, "Rounds of each server"),
    connections: intFlag("connections", 32, "Connections of the load generator"),
    posts: intFlag("posts", 1000, "Posts in the workspace that is listed"),
    only: Flag.Literals("only", ["list", "create"]).pipe(
      Flag.withDescription("One of the two calls, for example for its profile"),
      Flag.optional
    ),
    postgres: Flag.Boolean("postgres").pipe(
      Flag.withDescription(
        "On a PostgreSQL server of our own, fsync on (else BENCH_DATABASE_URL, else embedded)"
      ),
      Flag.withDefault(false)
    ),
    bootstrapKey: Flag.Boolean("bootstrap-key").pipe(
      Flag.withDescription("Call the service with the bootstrap key in place of an API key"),
      Flag.withDefault(false)
    ),
    statements: Flag.Boolean("statements").pipe(
      Flag.withDescription("Name the statements of a request (needs pg_stat_statements)"),
      Flag.withDefault(false)
    ),
    cpuProf: Flag.Directory("cpu-prof").pipe(
      Flag.withDescription("Folder for a CPU profile of the service"),
      Flag.optional
    )
  },
  bench
).pipe(
  Command.withDescription(
    "Create (each with an Idempotency-Key) and list, beside fastify and bare node:http on pg in the same run"
  )
)

NodeRuntime.runMain(Effect.provide(Command.run(command, { version: "1" }), NodeServices.layer))
