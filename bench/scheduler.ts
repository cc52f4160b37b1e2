import { lease } from "@carillon/server/engine/Claims"
import { Wakeup } from "@carillon/server/sql/Wakeup"
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import { Clock, Console, DateTime, Duration, Effect, Schedule } from "effect"
import { Command, Flag } from "effect/cli"
import { once } from "node:events"
import { benchDatabase, type BenchDatabase } from "./BenchDatabase.ts"
import { Calls, parts, running, schedule, toldOf, workspace } from "./EngineUnderTest.ts"
import { figure, median, percentile, sorted, table } from "./Figures.ts"
import { intFlag } from "./intFlag.ts"
import { bareLoop, graphileWorker, pgBoss, type Neighbour } from "./JobQueues.ts"
import { circumstances, startHelper, temporaryDirectory } from "./Processes.ts"

const now = Clock.currentTimeMillis
const at = (millis: number) => DateTime.toDateUtc(DateTime.makeUnsafe(millis))

const spread = (late: ReadonlyArray<number>) => {
  const order = sorted(late)
  return { p50: percentile(order, 0.5), p99: percentile(order, 0.99), max: order.at(-1)!, min: order[0]! }
}

/** Waits until nothing is left that was due by then. */
const over = (until: number) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.PgClient
    const [row] = yield* sql<{ left: boolean }>`
      select exists (select from targets where next_step_at is not null and next_step_at <= ${at(until + 20_000)}
        and due_at <= ${at(until)}) as left`
    return row!.left
  }).pipe(
    Effect.repeat({ schedule: Schedule.spaced("10 millis"), until: (left) => !left }),
    Effect.andThen(now)
  )

const called = (count: number) =>
  Effect.gen(function* () {
    const calls = yield* Calls
    yield* Effect.sync(() => calls.length).pipe(
      Effect.repeat({ schedule: Schedule.spaced("5 millis"), until: (length) => length >= count })
    )
    return calls.splice(0)
  })

type Space = { readonly id: string; readonly accounts: ReadonlyArray<number> }

const lateness = Effect.fnUntraced(function* (space: Space, count: number, spacing: number) {
  const due = (yield* now) + 3000
  yield* schedule(space, count, due, spacing)
  yield* (yield* Wakeup).notify
  const calls = yield* called(count)
  yield* over(due + count * spacing)
  const order = calls.map(({ at }) => at).toSorted((a, b) => a - b)
  return spread(order.map((at, index) => at - (due + Math.floor(index * spacing))))
})

const drain = Effect.fnUntraced(function* (space: Space, count: number) {
  const due = (yield* now) - 60_000
  yield* schedule(space, count, due)
  const cpu = process.cpuUsage()
  const begun = yield* now
  yield* Effect.scoped(
    Effect.gen(function* () {
      yield* running
      yield* called(count)
      yield* over(due)
    })
  )
  const seconds = ((yield* now) - begun) / 1000
  const used = process.cpuUsage(cpu)
  return { rate: count / seconds, cpu: (used.user + used.system) / count }
})

const future = Effect.fnUntraced(function* (space: Space, count: number) {
  const day = 86_400_000
  const part = 20_000
  for (let from = 0; from < count; from += part) {
    yield* schedule(space, Math.min(part, count - from), (yield* now) + day + from * 1000, 1000)
  }
  const sql = yield* PgClient.PgClient
  yield* sql`analyze`
})

const idle = Effect.fnUntraced(function* (database: BenchDatabase, seconds: number) {
  const sql = yield* PgClient.PgClient
  // The embedded database can be asked by this process alone.
  const asked =
    database.url === undefined
      ? Effect.map(
          sql<{
            n: number
          }>`select xact_commit::float8 as n from pg_stat_database where datname = current_database()`,
          ([row]) => row!.n
        )
      : database.statements
  // The vacuum after what was done before comes within ten seconds, where it is the service's own.
  if (database.url === undefined) yield* Effect.sleep("12 seconds")
  const before = { statements: yield* asked, cpu: yield* database.cpu, own: process.cpuUsage() }
  yield* Effect.sleep(seconds * 1000)
  const own = process.cpuUsage(before.own)
  return {
    statements: ((yield* asked) - before.statements) / seconds,
    postgres: ((yield* database.cpu) - before.cpu) / seconds / 1e4,
    node: (own.user + own.system) / seconds / 1e4
  }
})

/** The seconds from SIGKILL of a process, with half of its targets in a commit and half in line, until another one has sent each. */
const takeOver = Effect.fnUntraced(function* (database: BenchDatabase, dataDir: string, count: number) {
  const doomed = yield* startHelper("DoomedEngine", {
    DATA_DIR: dataDir,
    TARGETS: String(count),
    ...(database.url === undefined ? {} : { DATABASE_URL: database.url })
  })
  const killed = yield* now
  yield* Effect.promise(() => {
    const ended = once(doomed.process, "exit")
    doomed.process.kill("SIGKILL")
    return ended
  })
  const last = Effect.gen(function* () {
    yield* running
    yield* called(count)
    return yield* now
  })
  const sent = yield* Effect.provide(Effect.scoped(last), parts(database.url, dataDir))
  return (sent - killed) / 1000
}, Effect.scoped)

/** The statements of the loop, each by words that only it has; the others are the benchmark's own. */
const loopStatements = [
  ["next step", "select t.next_step_at"],
  ["claim", "from targets t where t.next_step_at <="],
  ["walk", "with recursive visited"],
  ["fair claim", "as w (id)"],
  ["marker", "into commits"],
  ["lock of the posts", "as status_before"],
  ["settlement", "with item"],
  ["renewal", "where id = any (array(select id from mine)) returning id"]
] as const

/** With plans that do not know their values: what each statement takes while targets come due evenly over a second. */
const blindPlans = Effect.fnUntraced(function* (database: BenchDatabase, dataDir: string, targets: number) {
  yield* database.planBlindly
  const work = Effect.gen(function* () {
    const space = yield* workspace("blind", targets)
    yield* running
    for (let round = 0; round < 3; round++) yield* lateness(space, targets, 1000 / targets)
  })
  yield* Effect.provide(Effect.scoped(work), parts(database.url, dataDir))
  const times = yield* database.times
  return loopStatements.flatMap(([name, words]) =>
    times
      .filter(({ query }) => query.includes(words))
      .map(({ calls, mean, max }) => [`  ${name}`, ...[calls, mean, max].map(figure)])
  )
})

interface Options {
  readonly postgres: boolean
  readonly rounds: number
  readonly targets: number
  readonly drained: number
  readonly future: number
  readonly neighbours: boolean
  readonly events: boolean
}

interface Rounds {
  readonly rates: Array<number>
  readonly lates: Array<ReturnType<typeof spread>>
}

/** One round of another queue with no-op jobs. */
const neighbourRound = Effect.fnUntraced(function* (
  { open }: Neighbour,
  url: string,
  { targets, drained }: Options,
  { rates, lates }: Rounds
) {
  const done: Array<number> = []
  const queue = yield* Effect.acquireRelease(
    Effect.promise(() => open(url, () => void done.push(Date.now()))),
    (opened) => Effect.promise(() => opened.close())
  )
  const until = (count: number) =>
    Effect.sync(() => done.length).pipe(
      Effect.repeat({ schedule: Schedule.spaced("5 millis"), until: (length) => length >= count })
    )
  const start = yield* now
  yield* Effect.promise(() => queue.enqueue(drained, at(start)))
  const begun = yield* now
  yield* Effect.promise(() => queue.start())
  yield* until(drained)
  rates.push((drained * 1000) / (Math.max(...done) - begun))
  done.length = 0
  const due = (yield* now) + 3000
  yield* Effect.promise(() => queue.enqueue(targets, at(due)))
  yield* until(targets)
  lates.push(spread(done.map((at) => at - due)))
}, Effect.scoped)

/** `between` runs after each round on the empty table: the neighbours' rounds alternate with ours. */
const ours = (database: BenchDatabase, options: Options, between: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const space = yield* workspace("bench", 2000)
    if (options.events) yield* toldOf(space.id)
    const measure = Effect.fnUntraced(function* (label: string, after: Effect.Effect<void>) {
      const rows: Array<ReadonlyArray<string>> = []
      const drains: Array<{ readonly rate: number; readonly cpu: number }> = []
      const seconds: Array<number> = []
      for (let round = 0; round < options.rounds; round++) {
        const drained = yield* drain(space, options.drained)
        drains.push(drained)
        const [instant, second] = yield* Effect.scoped(
          Effect.andThen(
            running,
            Effect.all([
              lateness(space, options.targets, 0),
              lateness(space, options.targets, 1000 / options.targets)
            ])
          )
        )
        seconds.push(second.p99)
        rows.push([
          `  ${label} ${round + 1}`,
          ...[
            drained.rate,
            drained.cpu,
            ...[instant, second].flatMap(({ p50, p99, max, min }) => [p50, p99, max, min])
          ].map(figure)
        ])
        yield* after
      }
      yield* Console.log(
        table([
          [
            "Carillon",
            "drain/s",
            "Node µs",
            "instant p50",
            "p99",
            "max",
            "min",
            "second p50",
            "p99",
            "max",
            "min"
          ],
          ...rows
        ])
      )
      return { rate: median(drains.map(({ rate }) => rate)), p99: median(seconds) }
    })

    // The first round finds nothing compiled.
    yield* drain(space, options.drained / 4)
    const empty = yield* measure("empty", between)
    const fairness = yield* Effect.scoped(
      Effect.gen(function* () {
        const other = yield* workspace("other", 1)
        const due = (yield* now) - 60_000
        yield* schedule(space, options.drained, due)
        yield* running
        yield* Effect.sleep(200)
        const created = yield* now
        yield* schedule(other, 1, created)
        yield* (yield* Wakeup).notify
        const calls = yield* called(options.drained + 1)
        yield* over(created)
        return calls.find(({ account }) => account === "other-0")!.at - created
      })
    )
    yield* Console.log(
      `one post of another workspace beside ${figure(options.drained)} due: ${figure(fairness)} ms late`
    )
    if (options.future > 0) {
      yield* future(space, options.future)
      const full = yield* measure(`${figure(options.future)} to come`, Effect.void)
      const rest = yield* Effect.scoped(Effect.andThen(running, idle(database, 20)))
      yield* Console.log(
        `drain with them: ${figure(full.rate / empty.rate)} of without; p99 within a second ${figure(full.p99)} ms instead of ` +
          `${figure(empty.p99)}; idle: ${figure(rest.statements)} ${database.counts}/s, ` +
          `PostgreSQL ${figure(rest.postgres)} % and Node ${figure(rest.node)} % of a core`
      )
    }
    return empty.rate
  })

const bench = Effect.fnUntraced(function* (options: Options) {
  const database = yield* benchDatabase(options.postgres)
  const dataDir = yield* temporaryDirectory
  yield* Console.log(`${yield* circumstances}\n${database.label}\n`)
  const { url } = database
  const others =
    url !== undefined && options.neighbours
      ? [bareLoop, graphileWorker, pgBoss].map((one) => ({
          one,
          url,
          rounds: { rates: [], lates: [] } as Rounds
        }))
      : []
  const rate = yield* ours(
    database,
    options,
    Effect.forEach(others, ({ one, url, rounds }) => neighbourRound(one, url, options, rounds), {
      discard: true
    })
  ).pipe(Effect.provide(parts(url, dataDir)))
  yield* Console.log(
    `sent by another process after SIGKILL: the last of 200 after ${figure(yield* takeOver(database, dataDir, 200))} s ` +
      `(lease: ${figure(Duration.toSeconds(lease))} s)`
  )
  if (url !== undefined) {
    const statements = yield* blindPlans(database, dataDir, options.targets)
    yield* Console.log(
      `\n${table([["plan_cache_mode=force_generic_plan", "calls", "mean ms", "max ms"], ...statements])}`
    )
  }
  if (others.length === 0) return
  const rows = others.map(({ one, rounds: { rates, lates } }) => [
    one.name,
    figure(median(rates)),
    ...(["p50", "p99", "max"] as const).map((column) => figure(median(lates.map((late) => late[column]))))
  ])
  yield* Console.log(`\n${table([["no-op jobs", "drain/s", "late p50", "p99", "max"], ...rows])}`)
  yield* Console.log(`Carillon drains ${figure(rate / median(others[0]!.rounds.rates))} of the bare loop`)
}, Effect.scoped)

const command = Command.make(
  "bench:scheduler",
  {
    postgres: Flag.Boolean("postgres").pipe(
      Flag.withDescription(
        "On a PostgreSQL server of our own, fsync on (else BENCH_DATABASE_URL, else embedded)"
      ),
      Flag.withDefault(false)
    ),
    rounds: intFlag("rounds", 3, "Rounds"),
    targets: intFlag("targets", 2000, "Targets due together"),
    drained: intFlag("drained", 20_000, "Targets that are due already"),
    future: intFlag("future", 1_000_000, "Targets of the coming days"),
    events: Flag.Boolean("events").pipe(
      Flag.withDescription("A webhook is told of each publication; nothing is sent"),
      Flag.withDefault(false)
    ),
    neighbours: Flag.Boolean("neighbours").pipe(
      Flag.withDescription("Other job queues beside it, on PostgreSQL"),
      Flag.withDefault(true)
    )
  },
  bench
).pipe(
  Command.withDescription("The engine alone: lateness, drain, fairness and rest, beside other job queues")
)

NodeRuntime.runMain(Effect.provide(Command.run(command, { version: "1" }), NodeServices.layer))
