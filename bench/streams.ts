#!/usr/bin/env node
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { mostStreams } from "@carillon/domain"
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http"
import { join } from "node:path"
import { benchDatabase } from "./BenchDatabase.ts"
import { comparison, type Measured, percentile, sorted } from "./Figures.ts"
import { intFlag } from "./intFlag.ts"
import {
  type Child,
  circumstances,
  cpuMicros,
  residentMemory,
  type Service,
  startHelper,
  startSandbox,
  startService,
  temporaryDirectory
} from "./Processes.ts"

const columns = ["KB each", "CPU % at rest", "p50 ms", "p99 ms"] as const
const stopColumns = ["CPU % at rest", "SIGTERM ms"] as const

interface Options {
  readonly streams: number
  readonly events: number
  readonly seconds: number
  readonly rounds: number
  readonly postgres: boolean
}

interface Streams {
  readonly count: number
  /** Called for each stream that hears an event. */
  heard: () => void
}

/** The streams from one number to another, open until the scope ends; each credential has as many as it may have. */
const open = (url: string, keys: ReadonlyArray<string>, from: number, to: number) => {
  const streams: Streams = { count: to - from, heard: () => {} }
  const agent = new Agent({ maxSockets: Infinity })
  const one = (index: number) =>
    new Promise<ClientRequest>((resolve, reject) => {
      const authorization = `Bearer ${keys[Math.floor(index / mostStreams)] ?? ""}`
      const asking = request(`${url}/v1/events`, { agent, headers: { authorization } })
        .on("response", (response: IncomingMessage) => {
          if (response.statusCode !== 200) return reject(new Error(`answered ${response.statusCode}`))
          response
            .on("data", (bytes: Buffer) => {
              if (bytes.includes("event: ")) streams.heard()
            })
            .on("error", () => {})
            .once("data", () => resolve(asking))
        })
        .on("error", reject)
        .end()
    })
  return Effect.acquireRelease(
    Effect.promise(() => Promise.all(Array.from({ length: to - from }, (_, index) => one(from + index)))),
    (requests) => Effect.sync(() => requests.forEach((each) => each.destroy()))
  ).pipe(Effect.as(streams))
}

/** The milliseconds from the request that tells an event until each stream has heard it. */
const delays = (streams: Streams, tell: () => Promise<unknown>) =>
  Effect.promise(async () => {
    const found: Array<number> = []
    const all = Promise.withResolvers<void>()
    const begun = performance.now()
    streams.heard = () => {
      found.push(performance.now() - begun)
      if (found.length === streams.count) all.resolve()
    }
    await tell()
    await all.promise
    return found
  })

const times = (count: number) => Array.from({ length: count })

/** The percent of a core that it uses while nothing happens. */
const atRest = Effect.fnUntraced(function* ({ pid }: Child, seconds: number) {
  const before = yield* cpuMicros(pid)
  yield* Effect.sleep(seconds * 1000)
  return ((yield* cpuMicros(pid)) - before) / seconds / 1e4
})

const stopped = Effect.fnUntraced(function* ({ terminate }: Child) {
  const begun = performance.now()
  yield* terminate
  return performance.now() - begun
})

/** A fresh process: what its streams cost, and how soon they hear. */
const measure = Effect.fnUntraced(function* (
  child: Child,
  url: string,
  keys: ReadonlyArray<string>,
  tell: () => Promise<unknown>,
  { events, seconds, streams: count }: Options
) {
  const first = yield* open(url, keys, 0, 1)
  yield* Effect.forEach(times(20), () => delays(first, tell))
  first.heard = () => {}
  const before = yield* residentMemory(child.pid)
  const streams = yield* open(url, keys, 1, count)
  yield* Effect.sleep("2 seconds")
  const cpu = yield* atRest(child, seconds)
  const grown = (yield* residentMemory(child.pid)) - before
  const found = sorted((yield* Effect.forEach(times(events), () => delays(streams, tell))).flat())
  return {
    "KB each": (grown * 1024) / streams.count,
    "CPU % at rest": cpu,
    "p50 ms": percentile(found, 0.5),
    "p99 ms": percentile(found, 0.99)
  } satisfies Measured<(typeof columns)[number]>
})

const post = async (url: string, key: string, path: string, body: object) => {
  const response = await fetch(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text === "" ? undefined : JSON.parse(text)
}

const bench = Effect.fn("bench.streams")(function* (options: Options) {
  const { rounds, seconds, streams } = options
  const database = yield* benchDatabase(options.postgres)
  const dataDir = join(yield* temporaryDirectory, "data")
  const sandbox = yield* startSandbox
  const service = startService({
    dataDir,
    sandboxUrl: sandbox.url,
    databaseUrl: database.url,
    cpuProf: undefined
  })
  const seed = Effect.fnUntraced(function* ({ bootstrapKey, url }: Service) {
    const keys = yield* Effect.forEach(times(Math.ceil(streams / mostStreams)), () =>
      Effect.promise(() => post(url, bootstrapKey, "/v1/api-keys", { name: "bench", scopes: ["posts:read"] }))
    )
    const account = yield* Effect.promise(() =>
      post(url, bootstrapKey, "/v1/social-accounts", {
        platform: "sandbox",
        credentials: { username: "bench", password: "sandbox" }
      })
    )
    return { keys: keys.map(({ key }): string => key), account: account.id as number }
  })
  const draft = (account: number) => ({
    social_accounts: [account],
    caption: "The evening bells ring at six, and the stall is open until eight.",
    is_draft: true
  })

  /** A round of the service with its streams, and its end. */
  const own = Effect.scoped(
    Effect.gen(function* () {
      const one = yield* service
      const figures = yield* measure(
        one,
        one.url,
        keys,
        () => post(one.url, one.bootstrapKey, "/v1/posts", draft(account)),
        options
      )
      return { ...figures, "SIGTERM ms": yield* stopped(one) }
    })
  )
  const alone = Effect.scoped(
    Effect.gen(function* () {
      const one = yield* service
      yield* Effect.sleep("2 seconds")
      return { "CPU % at rest": yield* atRest(one, seconds), "SIGTERM ms": yield* stopped(one) }
    })
  )
  const bare = Effect.scoped(
    Effect.gen(function* () {
      const one = yield* startHelper("BareStreams")
      const { url } = one.ready
      return yield* measure(one, url, [], () => post(url, "", "/", event), options)
    })
  )

  // The first start makes the database.
  const { account, event, keys } = yield* Effect.scoped(
    Effect.gen(function* () {
      const one = yield* service
      const seeded = yield* seed(one)
      const event = yield* Effect.promise(() =>
        post(one.url, one.bootstrapKey, "/v1/posts", draft(seeded.account))
      )
      yield* one.terminate
      return { ...seeded, event: event as object }
    })
  )
  const found = {
    own: [] as Array<Effect.Success<typeof own>>,
    alone: [] as Array<Effect.Success<typeof alone>>,
    bare: [] as Array<Effect.Success<typeof bare>>
  }
  for (let round = 0; round < rounds; round++) {
    found.own.push(yield* own)
    found.bare.push(yield* bare)
    found.alone.push(yield* alone)
  }
  yield* Console.log(`${yield* circumstances}\n${database.label}\n`)
  yield* Console.log(
    comparison(
      `${streams} streams`,
      columns,
      { name: "service", rounds: found.own },
      { name: "node:http", rounds: found.bare }
    )
  )
  yield* Console.log(
    `\n${comparison(
      "",
      stopColumns,
      { name: `service, ${streams} streams`, rounds: found.own },
      { name: "service, none", rounds: found.alone }
    )}`
  )
}, Effect.scoped)

const command = Command.make(
  "bench:streams",
  {
    streams: intFlag("streams", 500, "Open streams of one workspace"),
    events: intFlag("events", 100, "Events, one after the other"),
    seconds: intFlag("seconds", 30, "Seconds at rest"),
    rounds: intFlag("rounds", 3, "Rounds"),
    postgres: Flag.Boolean("postgres").pipe(
      Flag.withDescription(
        "On a PostgreSQL server of our own, fsync on (else BENCH_DATABASE_URL, else embedded)"
      ),
      Flag.withDefault(false)
    )
  },
  bench
).pipe(
  Command.withDescription(
    "Streams of events beside bare node:http: memory, CPU at rest, delay; and SIGTERM with and without them"
  )
)

NodeRuntime.runMain(Effect.provide(Command.run(command, { version: "1" }), NodeServices.layer))
