#!/usr/bin/env node
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Clock, Console, DateTime, Duration, Effect, Option, Schedule } from "effect"
import { Command, Flag } from "effect/cli"
import { join } from "node:path"
import type { TimedPosts } from "./BareTimer.ts"
import { benchDatabase, statementsOf } from "./BenchDatabase.ts"
import { comparison, figure, type Measured, percentile, sorted, table } from "./Figures.ts"
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

interface Publication {
  readonly account: string
  readonly client_reference: string
  readonly received_at: string
}

const lateColumns = ["min ms", "p50 ms", "p99 ms", "max ms"] as const
const columns = [...lateColumns, "commits/s", "CPU µs/post", "statements/post"] as const
type Round = Measured<(typeof columns)[number]>

const spread = (milliseconds: Iterable<number>): Measured<(typeof lateColumns)[number]> => {
  const order = sorted(milliseconds)
  return {
    "min ms": percentile(order, 0),
    "p50 ms": percentile(order, 0.5),
    "p99 ms": percentile(order, 0.99),
    "max ms": percentile(order, 1)
  }
}

const bench = Effect.fn("bench.lateness")(function* (options: {
  readonly targets: number
  readonly accounts: number
  readonly rounds: number
  readonly now: number
  readonly postgres: boolean
  readonly statements: boolean
  readonly cpuProf: Option.Option<string>
}) {
  const { targets, accounts, rounds } = options
  const database = yield* benchDatabase(options.postgres)
  const cpuProf = Option.getOrUndefined(options.cpuProf)
  const generator = yield* startHelper("LoadGenerator")
  const timer = yield* startHelper("BareTimer")
  const sandbox = yield* startSandbox
  const dataDir = join(yield* temporaryDirectory, "data")
  const service = yield* startService({
    dataDir,
    sandboxUrl: sandbox.url,
    databaseUrl: database.url,
    cpuProf
  })

  const authorization = (token: string) => ({
    authorization: `Bearer ${token}`,
    "content-type": "application/json"
  })
  let key = service.bootstrapKey
  /** Every body once; the answers in their order, with the moment of each. */
  const post = (url: string, bodies: ReadonlyArray<object>, connections = 32) =>
    ask<LoadResult>(generator, {
      url,
      method: "POST",
      headers: authorization(key),
      bodies: bodies.map((body) => JSON.stringify(body)),
      connections,
      collect: true
    } satisfies Load).pipe(
      Effect.map(({ answers }) =>
        answers.map(({ answered_at, body }) => ({ answered_at, body: JSON.parse(body) }))
      )
    )
  const get = (url: string) =>
    Effect.promise(async () => (await fetch(url, { headers: authorization(key) })).json() as Promise<any>)

  const names = (prefix: string) => Array.from({ length: accounts }, (_, index) => `${prefix}-${index}`)
  const signIn = (username: string) => ({ username, password: "sandbox" })

  const [made] = yield* post(`${service.url}/v1/api-keys`, [{ name: "bench", scopes: ["admin"] }])
  key = made!.body.key
  const connected = yield* post(
    `${service.url}/v1/social-accounts`,
    names("bench").map((username) => ({ platform: "sandbox", credentials: signIn(username) }))
  )
  const ids = connected.map(({ body }): number => body.id)
  const sessions = yield* post(`${sandbox.url}/api/session`, names("timer").map(signIn))
  const tokens = sessions.map(({ body }): string => body.access_token)

  const forget = Effect.promise(() => fetch(`${sandbox.url}/control/reset`, { method: "POST" }))
  const ledger = Effect.map(
    get(`${sandbox.url}/ledger`),
    ({ publications }): ReadonlyArray<Publication> => publications
  )

  /** The ledger once it has everything. It is asked late and seldom, because answering slows the platform down. */
  const complete = (expected: number) =>
    ledger.pipe(
      Effect.repeat({
        schedule: Schedule.spaced("500 millis"),
        until: (publications) => publications.length >= expected,
        times: 120
      }),
      Effect.tap((publications) =>
        publications.length === expected &&
        new Set(publications.map((one) => one.client_reference)).size === expected
          ? Effect.void
          : Effect.die(
              new Error(
                `${expected} posts were to go out once each; the ledger has ${publications.length}. ` +
                  `The service's last words:\n${service.output()}`
              )
            )
      )
    )

  const idle = get(`${service.url}/v1/posts?status=scheduled&limit=1`).pipe(
    Effect.repeat({ schedule: Schedule.spaced("100 millis"), until: ({ meta }) => meta.total === 0 })
  )

  const used = ({ pid }: Child) => Effect.all({ cpu: cpuMicros(pid), statements: database.statements })

  /** From now on, everything created, until the sender has nothing left to do. */
  const volley = Effect.fnUntraced(function* (sender: Child, due: number, work: Effect.Effect<unknown>) {
    const before = yield* used(sender)
    yield* work
    yield* Effect.sleep(Math.max(0, due - (yield* Clock.currentTimeMillis)) + 2000)
    const publications = yield* complete(targets)
    yield* idle
    const after = yield* used(sender)
    yield* forget
    const late = spread(publications.map(({ received_at }) => Date.parse(received_at) - due))
    return {
      ...late,
      "commits/s": (targets * 1000) / Math.max(1, late["max ms"]),
      "CPU µs/post": (after.cpu - before.cpu) / targets,
      "statements/post": sender === service ? (after.statements - before.statements) / targets : Number.NaN
    } satisfies Round
  })

  const bareRound = Effect.gen(function* () {
    const due = (yield* Clock.currentTimeMillis) + 1000
    const posts = Array.from({ length: targets }, (_, index) => ({
      token: tokens[index % accounts]!,
      key: `${due}-${index}`,
      body: JSON.stringify({ text: `Ding ${index}`, media: [], client_reference: `${due}-${index}` })
    }))
    return yield* volley(timer, due, ask(timer, { url: sandbox.url, due, posts } satisfies TimedPosts))
  })

  const drafts = Array.from({ length: 100 }, () => ({
    social_accounts: [ids[0]!],
    caption: "Rehearsal",
    is_draft: true
  }))
  const [rehearsal] = yield* Effect.timed(post(`${service.url}/v1/posts`, drafts))
  /** Creating everything twice over, and time for the machine to rest. */
  const ahead = Math.round((Duration.toMillis(rehearsal) * 2 * targets) / drafts.length) + 4000

  const schedule = Effect.gen(function* () {
    const due = (yield* Clock.currentTimeMillis) + ahead
    const scheduled_at = DateTime.formatIso(DateTime.makeUnsafe(due))
    yield* post(
      `${service.url}/v1/posts`,
      Array.from({ length: targets }, (_, index) => ({
        social_accounts: [ids[index % accounts]!],
        caption: `Ding ${index}`,
        scheduled_at
      }))
    )
    return due
  })
  const publish = (due: number) => volley(service, due, Effect.void)

  /** Milliseconds from the answer to the request until the platform has the post. */
  const published = Effect.fnUntraced(function* (count: number, connections: number) {
    const created = yield* post(
      `${service.url}/v1/posts`,
      Array.from({ length: count }, (_, index) => ({
        social_accounts: [ids[index % accounts]!],
        caption: `Now ${index}`
      })),
      connections
    )
    yield* Effect.sleep(1000)
    const publications = yield* complete(count)
    const received = new Map(publications.map((one) => [one.client_reference, Date.parse(one.received_at)]))
    yield* idle
    yield* forget
    // The ledger's clock shows whole milliseconds.
    return spread(
      created.map(({ answered_at, body }) => received.get(body.results[0].id)! - Math.floor(answered_at))
    )
  })

  yield* Console.log(yield* circumstances)
  yield* Console.log(
    `${database.label}, ${figure(targets)} posts of ${figure(accounts)} accounts due at the same instant, ` +
      `${rounds} rounds in turn; from the due time to the platform's received_at\n`
  )
  const bare: Array<Round> = []
  const own: Array<Round> = []
  for (let round = 0; round < rounds; round++) {
    bare.push(yield* bareRound)
    own.push(yield* publish(yield* schedule))
  }
  yield* Console.log(
    comparison(
      "due at one instant",
      columns,
      { name: "service", rounds: own },
      { name: "bare timer", rounds: bare }
    )
  )

  if (options.statements) {
    const due = yield* schedule
    yield* Console.log(yield* statementsOf(database, Effect.as(publish(due), targets)))
  }

  const now = [
    [`${figure(options.now)} one after the other`, yield* published(options.now, 1)],
    [`${figure(targets)} over 32 connections`, yield* published(targets, 32)]
  ] as const
  const heads = ["publish now, from its answer to the platform", ...lateColumns]
  const rows = now.map(([name, late]) => [name, ...lateColumns.map((column) => figure(late[column]))])
  yield* Console.log(`\n${table([heads, ...rows])}`)

  yield* service.terminate
  if (cpuProf !== undefined)
    yield* Console.log(`\nCPU profile of the service in ${cpuProf}; read it with bench/hotspots.ts`)
  if (own.some((round) => round["min ms"] < 0)) {
    return yield* Effect.die(new Error("something was published before its time"))
  }
}, Effect.scoped)

const command = Command.make(
  "bench:lateness",
  {
    targets: intFlag("targets", 1000, "Posts that are due at the same instant"),
    accounts: intFlag(
      "accounts",
      1000,
      "Accounts that they are spread over; one account commits one at a time"
    ),
    rounds: intFlag("rounds", 3, "Rounds of the service and of the bare timer"),
    now: intFlag("now", 200, "Posts published at once, one after the other"),
    postgres: Flag.Boolean("postgres").pipe(
      Flag.withDescription(
        "On a PostgreSQL server of our own, fsync on (else BENCH_DATABASE_URL, else embedded)"
      ),
      Flag.withDefault(false)
    ),
    statements: Flag.Boolean("statements").pipe(
      Flag.withDescription("Name the statements of a post's publishing (needs pg_stat_statements)"),
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
    "How late targets due at the same instant go out, beside a bare timer in the same run"
  )
)

NodeRuntime.runMain(Effect.provide(Command.run(command, { version: "1" }), NodeServices.layer))
