#!/usr/bin/env node
/**
 * The lists on a million posts: the statements that the service really sends, captured from its repositories, under
 * EXPLAIN ANALYZE. Fails when a plan reads a whole table.
 */
import {
  type Access,
  type CalendarFilter,
  daysOfZone,
  type MediaFilter,
  mostCalendarDays,
  type Page,
  type PostResultFilter,
  SocialAccountId,
  WorkspaceId
} from "@carillon/domain"
import { AppConfig } from "@carillon/server/AppConfig"
import { MediaRepository } from "@carillon/server/media/files/MediaRepository"
import { CalendarRepository } from "@carillon/server/posts/CalendarRepository"
import { PostListRepository, type PostsAsked } from "@carillon/server/posts/PostListRepository"
import { PostResultListRepository } from "@carillon/server/posts/PostResultListRepository"
import * as Sql from "@carillon/server/sql/Sql"
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { Console, DateTime, Effect, Exit, Layer, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { Statement } from "effect/sql"
import { Client } from "pg"
import { benchDatabase } from "./BenchDatabase.ts"
import { figure, median, table } from "./Figures.ts"
import { accounts, fill, settle, workspaces } from "./ListData.ts"
import { circumstances } from "./Processes.ts"

const deep = 33_333
const runs = 3
/** A statement that takes longer, in milliseconds, runs only once. */
const slow = 100
/** A statement is stopped after this time, which is then its figure. */
const longest = 2_000

type Values<Filter> = { readonly [Key in keyof Filter]?: ReadonlyArray<readonly [string, Filter[Key]]> }

const at = (text: string) => DateTime.makeUnsafe(text)
const account = (index: number) => [String(1 + index)]
const indexOf = (share: number) => accounts.findIndex((one) => one.share === share)

/** Common, rare (1 in 5,000 or so) and absent values of every filter. */
const postFilters: Values<PostsAsked> = {
  status: [
    ["published", ["published"]],
    ["scheduled", ["scheduled"]],
    ["rare", ["draft"]],
    ["processing", ["processing"]],
    ["absent", ["failed"]]
  ],
  result: [
    ["rare", ["failed", "unconfirmed"]],
    ["absent", ["unconfirmed"]]
  ],
  approval: [
    ["rare", ["waiting", "approved"]],
    ["absent", ["refused"]]
  ],
  platform: [
    ["common", ["bluesky"]],
    ["rare", ["youtube"]],
    ["absent", ["tiktok"]]
  ],
  social_account_id: [
    ["common", account(0)],
    ["1 in 20", account(indexOf(498))],
    ["rare", account(indexOf(2))],
    ["absent", account(accounts.length - 1)]
  ],
  dated: [
    ["from common", { start: at("2025-01-01T00:00:00Z") }],
    ["from rare", { start: at("2035-01-16T00:00:00Z") }],
    ["from absent", { start: at("2090-01-01T00:00:00Z") }],
    ["to common", { stop: at("2025-01-01T00:00:00Z") }],
    ["to rare", { stop: at("2024-02-07T00:00:00Z") }],
    ["to absent", { stop: at("2000-01-01T00:00:00Z") }],
    ["a month", { start: at("2025-01-01T00:00:00Z"), stop: at("2025-02-01T00:00:00Z") }]
  ],
  undated: [["rare", true]],
  made: [
    ["common", { start: at("2025-01-01T00:00:00Z") }],
    ["a day", { start: at("2025-01-01T00:00:00Z"), stop: at("2025-01-02T00:00:00Z") }]
  ],
  q: [
    ["common", "bells"],
    ["rare", "quetzal"],
    ["of one account", "onyx"],
    ["absent", "zzz"]
  ]
}

const resultFilters: Values<PostResultFilter> = {
  status: [
    ["common", ["published"]],
    ["waiting", ["waiting"]],
    ["rare", ["failed"]],
    ["absent", ["unconfirmed"]]
  ],
  platform: [
    ["common", ["bluesky"]],
    ["rare", ["youtube"]],
    ["absent", ["tiktok"]]
  ]
}

const mediaFilters: Values<MediaFilter> = {
  type: [
    ["common", ["image"]],
    ["rare", ["document"]],
    ["absent", ["video"]]
  ],
  status: [
    ["common", ["ready"]],
    ["rare", ["reserved"]],
    ["absent", ["failed"]]
  ],
  q: [
    ["common", "bells"],
    ["rare", "quetzal"],
    ["absent", "zzz"]
  ]
}

interface Case<Filter> {
  readonly filters: string
  readonly values: string
  readonly filter: Filter
}

/** Nothing, every filter alone, and every two of them, each with each of their values. */
const cases = <Filter extends object>(values: Values<Filter>): ReadonlyArray<Case<Filter>> => {
  const single = Object.entries(values).map(([name, choices]) =>
    (choices as ReadonlyArray<readonly [string, unknown]>).map(([word, value]) => ({
      filters: name,
      values: word,
      filter: { [name]: value } as Filter
    }))
  )
  const pairs = single.flatMap((first, index) =>
    single.slice(index + 1).flatMap((second) =>
      first.flatMap((one) =>
        second.map((two) => ({
          filters: `${one.filters} + ${two.filters}`,
          values: `${one.values}, ${two.values}`,
          filter: { ...one.filter, ...two.filter }
        }))
      )
    )
  )
  return [{ filters: "none", values: "", filter: {} as Filter }, ...single.flat(), ...pairs]
}

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly Plans?: ReadonlyArray<Plan>
}

const wholeTables = (plan: Plan): ReadonlyArray<string> => [
  // The tables have to be filled: an empty one is best read whole.
  ...(plan["Node Type"] === "Seq Scan" && /^(posts|targets|media)$/.test(plan["Relation Name"]!)
    ? [plan["Relation Name"]!]
    : []),
  ...(plan.Plans ?? []).flatMap(wholeTables)
]

/** The statements that the effect sends, each with its values. */
const captured = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const statements: Array<readonly [string, ReadonlyArray<unknown>]> = []
  // One that takes too long is still among the statements.
  const answer = yield* Effect.provideService(effect, Statement.CurrentTransformer, (statement) =>
    Effect.sync(() => {
      statements.push(statement.compile(true))
      return statement
    })
  ).pipe(Effect.timeoutOption(longest), Effect.exit)
  return { answer: Option.flatten(Exit.getSuccess(answer)), statements }
})

const bench = Effect.fn("bench.lists")(function* (options: {
  readonly posts: number
  readonly others: number
  readonly postgres: boolean
  readonly filled: Option.Option<string>
  readonly verbose: boolean
}) {
  const database = Option.isSome(options.filled) ? undefined : yield* benchDatabase(options.postgres)
  const url = database?.url ?? Option.getOrUndefined(options.filled)
  if (url === undefined) return yield* Effect.die(new Error("This needs PostgreSQL: pass --postgres."))
  const services = yield* Layer.build(
    Layer.mergeAll(
      PostListRepository.layer,
      PostResultListRepository.layer,
      MediaRepository.layer,
      CalendarRepository.layer
    ).pipe(
      Layer.provide(AppConfig.layer),
      Layer.provide(Sql.layer({ databaseUrl: Option.some(Redacted.make(url)), dataDir: "" }))
    )
  )
  const client = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      // As the service's own sessions.
      const opened = new Client({ connectionString: url, options: "-c jit=off" })
      await opened.connect()
      return opened
    }),
    (opened) => Effect.promise(() => opened.end())
  )
  const run = (text: string, values: ReadonlyArray<unknown> = []) =>
    Effect.promise(() => client.query(text, [...values]).then(({ rows }) => rows))

  yield* Console.log(yield* circumstances)
  if (Option.isNone(options.filled)) {
    yield* Console.log(
      `${database!.label}: filling with ${figure(options.posts)} posts and five times ${figure(options.others)} …`
    )
    for (const statement of [...fill(options.posts, options.others), ...settle]) yield* run(statement)
  }
  const large = WorkspaceId.make(workspaces(options.posts, options.others)[0]!.id)

  const explained = Effect.fnUntraced(function* (list: Effect.Effect<object>) {
    const { answer, statements } = yield* captured(list)
    let milliseconds = 0
    let planning = 0
    const scans: Array<string> = []
    for (const [text, values] of statements) {
      const times: Array<readonly [number, number]> = []
      yield* run(`set statement_timeout = ${longest}`)
      while (times.length < runs && !times.some(([execution]) => execution > slow)) {
        const found = yield* Effect.tryPromise(() =>
          client.query(`explain (analyze, timing off, format json) ${text}`, [...values])
        ).pipe(
          Effect.map(({ rows }) => rows[0]["QUERY PLAN"][0]),
          Effect.option
        )
        if (Option.isNone(found)) {
          times.push([longest, 0])
          break
        }
        times.push([found.value["Execution Time"], found.value["Planning Time"]])
        if (times.length === 1) scans.push(...wholeTables(found.value.Plan))
      }
      milliseconds += median(times.map(([execution]) => execution))
      planning += median(times.map(([, plan]) => plan))
    }
    return {
      milliseconds,
      planning,
      scans,
      statements: statements.length,
      relation: Option.match(answer, {
        onNone: () => `over ${longest} ms`,
        onSome: (answer) => ("total_relation" in answer ? String(answer.total_relation) : "exact")
      })
    }
  })

  const report = Effect.fnUntraced(function* <Filter extends object>(
    title: string,
    values: Values<Filter>,
    list: (filter: Filter, page: Page) => Effect.Effect<{ readonly total_relation?: string }>
  ) {
    const all = cases(values)
    const found = yield* Effect.forEach(
      all,
      Effect.fnUntraced(function* (one, index) {
        if (index % 20 === 0) yield* Console.error(`${title}: ${index} of ${all.length} cases`)
        const first = yield* explained(list(one.filter, { limit: 50, offset: 0 }))
        const later = yield* explained(list(one.filter, { limit: 50, offset: deep }))
        return { ...one, first, later }
      })
    )
    // Unless everything is asked for, two filters are shown only with their slowest values.
    const slowest = Object.values(Object.groupBy(found, ({ filters }) => filters)).flatMap((group) =>
      options.verbose || !group![0]!.filters.includes("+")
        ? group!
        : [
            group!.reduce((a, b) =>
              b.first.milliseconds + b.later.milliseconds > a.first.milliseconds + a.later.milliseconds
                ? b
                : a
            )
          ]
    )
    yield* Console.log(
      `\n${table([
        [title, "values", "page 1 ms", `offset ${figure(deep)} ms`, "planning ms", "total"],
        ...slowest.map(({ filters, values: words, first, later }) => [
          filters,
          words,
          figure(first.milliseconds),
          figure(later.milliseconds),
          figure(first.planning),
          first.relation
        ])
      ])}`
    )
    const over = (limit: number, which: "first" | "later") =>
      found.filter((one) => one[which].milliseconds > limit).length
    yield* Console.log(
      `${found.length} cases; over 1 ms on page 1: ${over(1, "first")}; over 5 ms at the offset: ${over(5, "later")}`
    )
    return found.flatMap(({ filters, values: words, first, later }) =>
      [...first.scans, ...later.scans].map(
        (relation) => `${title} by ${filters} (${words}) reads all of ${relation}`
      )
    )
  })

  /** As many days as one answer has, where every day has its first posts shown. */
  const calendar = Effect.gen(function* () {
    const repository = yield* CalendarRepository
    const zone = DateTime.zoneMakeNamedUnsafe("Europe/Berlin")
    const days = daysOfZone("2025-01-01", "2025-12-31", zone).slice(0, mostCalendarDays)
    const two: Access = [SocialAccountId.make(1), SocialAccountId.make(1 + indexOf(2))]
    const asked: ReadonlyArray<
      readonly [string, Access, Pick<CalendarFilter, "status" | "social_account_id">]
    > = [
      ["all", null, {}],
      ["published", null, { status: ["published"] }],
      ["one common account", null, { social_account_id: account(0) }],
      ["one rare account", null, { social_account_id: account(indexOf(2)) }],
      ["a key for two accounts", two, {}]
    ]
    const found = yield* Effect.forEach(asked, ([name, access, filter]) =>
      Effect.map(explained(repository.days(large, access, filter, days, 6)), (one) => ({ name, ...one }))
    )
    yield* Console.log(
      `\n${table([
        [`calendar of ${mostCalendarDays} days`, "ms", "planning ms"],
        ...found.map(({ name, milliseconds, planning }) => [name, figure(milliseconds), figure(planning)])
      ])}`
    )
    return found.flatMap(({ name, scans }) =>
      scans.map((relation) => `calendar of ${name} reads all of ${relation}`)
    )
  })

  const program = Effect.gen(function* () {
    const lists = yield* PostListRepository
    const resultLists = yield* PostResultListRepository
    const media = yield* MediaRepository
    return [
      ...(yield* calendar),
      ...(yield* report("posts", postFilters, (filter, page) => lists.posts(large, null, filter, page))),
      ...(yield* report("results", resultFilters, (filter, page) =>
        resultLists.results(large, null, filter, page)
      )),
      ...(yield* report("media", mediaFilters, (filter, page) => media.list(large, null, filter, page)))
    ]
  })
  const scans = yield* Effect.provide(program, services)
  if (scans.length > 0) return yield* Effect.die(new Error(scans.join("\n")))
  yield* Console.log("\nNo plan reads a whole table.")
}, Effect.scoped)

const command = Command.make(
  "bench:lists",
  {
    posts: Flag.Int("posts").pipe(
      Flag.withDefault(1_000_000),
      Flag.withDescription("Posts of the listed workspace")
    ),
    others: Flag.Int("others").pipe(
      Flag.withDefault(100_000),
      Flag.withDescription("Posts of each of five others")
    ),
    postgres: Flag.Boolean("postgres").pipe(
      Flag.withDescription("On a PostgreSQL server of our own (else BENCH_DATABASE_URL)"),
      Flag.withDefault(false)
    ),
    filled: Flag.String("filled").pipe(
      Flag.withDescription("URL of a database that is filled already"),
      Flag.optional
    ),
    verbose: Flag.Boolean("verbose").pipe(
      Flag.withDescription("Every combination of values"),
      Flag.withDefault(false)
    )
  },
  bench
).pipe(Command.withDescription("SQL time and plans of the lists on a million posts"))

NodeRuntime.runMain(Effect.provide(Command.run(command, { version: "1" }), NodeServices.layer))
