#!/usr/bin/env node
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, DateTime, Duration, Effect, Option, Schedule } from "effect"
import { Command, Flag } from "effect/cli"
import { join } from "node:path"
import type { Volley } from "./BareTimer.ts"
import { benchDatabase } from "./BenchDatabase.ts"
import { figure, median, percentile, sorted, table } from "./Figures.ts"
import type { Load, LoadResult } from "./LoadGenerator.ts"
import { ask, startHelper, startSandbox, startService, temporaryDirectory } from "./Processes.ts"

interface Publication {
  readonly account: string
  readonly client_reference: string
  readonly received_at: string
}

/** What a volley looked like from the platform: milliseconds late, ascending, and posts per second until the last. */
interface Volleyed {
  readonly late: Float64Array
  readonly rate: number
}

const bench = Effect.fn("bench.lateness")(function* (options: {
  readonly targets: number
  readonly accounts: number
  readonly rounds: number
  readonly now: number
  readonly postgres: boolean
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

  /** The ledger once it has everything. It is asked late and seldom: answering costs the platform what is measured. */
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
              new Error(`${expected} posts were to go out once each; the ledger has ${publications.length}`)
            )
      )
    )

  const idle = get(`${service.url}/v1/posts?status=scheduled&limit=1`).pipe(
    Effect.repeat({ schedule: Schedule.spaced("100 millis"), until: ({ meta }) => meta.total === 0 })
  )

  const volleyed = (due: number) =>
    Effect.gen(function* () {
      yield* Effect.sleep(Math.max(0, due - Date.now()) + 2000)
      const late = sorted((yield* complete(targets)).map(({ received_at }) => Date.parse(received_at) - due))
      yield* forget
      return { late, rate: (targets * 1000) / Math.max(1, late.at(-1)!) } satisfies Volleyed
    })

  const bareRound = Effect.gen(function* () {
    const due = Date.now() + 1000
    const posts = Array.from({ length: targets }, (_, index) => ({
      token: tokens[index % accounts]!,
      key: `${due}-${index}`,
      body: JSON.stringify({ text: `Ding ${index}`, media: [], client_reference: `${due}-${index}` })
    }))
    yield* ask(timer, { url: sandbox.url, due, posts } satisfies Volley)
    return yield* volleyed(due)
  })

  const drafts = Array.from({ length: 100 }, () => ({
    social_accounts: [ids[0]!],
    caption: "Rehearsal",
    is_draft: true
  }))
  const [rehearsal] = yield* Effect.timed(post(`${service.url}/v1/posts`, drafts))
  /** Creating everything twice over, and time for the machine to rest. */
  const ahead = Math.round((Duration.toMillis(rehearsal) * 2 * targets) / drafts.length) + 4000

  const serviceRound = Effect.gen(function* () {
    const due = Date.now() + ahead
    const scheduled_at = DateTime.formatIso(DateTime.makeUnsafe(due))
    yield* post(
      `${service.url}/v1/posts`,
      Array.from({ length: targets }, (_, index) => ({
        social_accounts: [ids[index % accounts]!],
        caption: `Ding ${index}`,
        scheduled_at
      }))
    )
    const result = yield* volleyed(due)
    yield* idle
    return result
  })

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
    const first = created[0]!.answered_at
    const late = sorted(
      // The ledger's clock shows whole milliseconds.
      created.map(({ answered_at, body }) => received.get(body.results[0].id)! - Math.floor(answered_at))
    )
    const span = Math.max(...received.values()) - first
    yield* forget
    yield* idle
    return { late, rate: (count * 1000) / Math.max(1, span) } satisfies Volleyed
  })

  yield* Console.log(
    `${database.label}, ${figure(targets)} targets of ${figure(accounts)} accounts due at the same instant, ` +
      `${rounds} rounds in turn; milliseconds from the due time to the platform's received_at\n`
  )
  const bare: Array<Volleyed> = []
  const own: Array<Volleyed> = []
  for (let round = 0; round < rounds; round++) {
    bare.push(yield* bareRound)
    own.push(yield* serviceRound)
  }
  const row = (name: string, { late, rate }: Volleyed) => [
    name,
    ...[0, 0.5, 0.99, 1].map((share) => figure(percentile(late, share))),
    figure(rate)
  ]
  const middle = (all: ReadonlyArray<Volleyed>) =>
    [0, 0.5, 0.99, 1].map((share) => median(all.map(({ late }) => percentile(late, share))))
  const rates = (all: ReadonlyArray<Volleyed>) => median(all.map(({ rate }) => rate))
  const medians = (name: string, all: ReadonlyArray<Volleyed>) => [
    name,
    ...middle(all).map(figure),
    figure(rates(all))
  ]
  const ratios = middle(own).map((value, at) => figure(at === 0 ? Number.NaN : value / middle(bare)[at]!))
  const heads = ["min", "p50", "p99", "max", "commits/s"]
  yield* Console.log(
    table([
      ["due at one instant", ...heads],
      ...own.map((one, round) => row(`service, round ${round + 1}`, one)),
      ...bare.map((one, round) => row(`bare timer, round ${round + 1}`, one)),
      medians("service, median", own),
      medians("bare timer, median", bare),
      ["ratio", ...ratios, figure(rates(own) / rates(bare))]
    ])
  )

  const quiet = yield* published(options.now, 1)
  const crowded = yield* published(targets, 32)
  yield* Console.log(
    `\n${table([
      ["publish now: answer → platform", ...heads],
      row(`${figure(options.now)} one after the other`, quiet),
      row(`${figure(targets)} over 32 connections`, crowded)
    ])}`
  )

  yield* service.terminate
  if (cpuProf !== undefined)
    yield* Console.log(`\nCPU profile of the service in ${cpuProf}; read it with bench/hotspots.ts`)
  const early = own.filter(({ late }) => late[0]! < 0)
  if (early.length > 0) yield* Effect.die(new Error("something was published before its time"))
}, Effect.scoped)

const positive = (name: string, value: number, description: string) =>
  Flag.Int(name).pipe(Flag.withDefault(value), Flag.withDescription(description))

const command = Command.make(
  "bench:lateness",
  {
    targets: positive("targets", 1000, "Posts that are due at the same instant"),
    accounts: positive(
      "accounts",
      1000,
      "Accounts that they are spread over; one account commits one at a time"
    ),
    rounds: positive("rounds", 3, "Rounds of the service and of the bare timer"),
    now: positive("now", 200, "Posts published at once, one after the other"),
    postgres: Flag.Boolean("postgres").pipe(
      Flag.withDescription(
        "On a PostgreSQL server of our own, fsync on (else BENCH_DATABASE_URL, else embedded)"
      ),
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
