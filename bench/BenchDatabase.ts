import { Effect, type Scope } from "effect"
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Client, type QueryResultRow } from "pg"
import { figure } from "./Figures.ts"
import { cpuMicrosOfTree } from "./Processes.ts"

const run = promisify(execFile)

/** The database of one run, and what it can be asked about the work it does. */
export interface BenchDatabase {
  readonly label: string
  /** undefined: the database embedded in the service. */
  readonly url: string | undefined
  /** The unit that `statements` counts. */
  readonly counts: "statements" | "transactions"
  /** The statements executed so far in this database, without begin and commit; NaN where it cannot be told. */
  readonly statements: Effect.Effect<number>
  /** Each statement's text and how often it ran, the most frequent first. Empty where it cannot be told. */
  readonly byStatement: Effect.Effect<ReadonlyMap<string, number>>
  /** How long each statement took since `planBlindly`, in milliseconds. Empty where it cannot be told. */
  readonly times: Effect.Effect<ReadonlyArray<StatementTime>>
  /** Plans of later connections are made without knowing their values, and times are counted from zero. */
  readonly planBlindly: Effect.Effect<void>
  /** Microseconds of CPU of the whole server; NaN where it is not ours. */
  readonly cpu: Effect.Effect<number>
}

export interface StatementTime {
  readonly query: string
  readonly calls: number
  readonly mean: number
  readonly max: number
}

const embedded: BenchDatabase = {
  label: "embedded database",
  url: undefined,
  counts: "transactions",
  statements: Effect.succeed(Number.NaN),
  byStatement: Effect.succeed(new Map()),
  times: Effect.succeed([]),
  planBlindly: Effect.void,
  cpu: Effect.succeed(Number.NaN)
}

/**
 * BENCH_DATABASE_URL if it is set; with `postgres` a server of our own that flushes to disk, removed at the end; else
 * the embedded database. On a server a new database is made and dropped at the end.
 */
export const benchDatabase = (postgres: boolean): Effect.Effect<BenchDatabase, never, Scope.Scope> => {
  const given = process.env["BENCH_DATABASE_URL"]
  if (given !== undefined && given !== "") return onServer(given, Effect.succeed(Number.NaN))
  if (!postgres) return Effect.succeed(embedded)
  return Effect.flatMap(ownServer, ({ url, pid }) => onServer(url, cpuMicrosOfTree(pid)))
}

/** The statements that some work sends to the database, divided by the number of times that the work was done. */
export const statementsOf = Effect.fnUntraced(function* (
  { byStatement }: BenchDatabase,
  work: Effect.Effect<number>
) {
  const before = yield* byStatement
  const times = yield* work
  const after = yield* byStatement
  const lines = [...after]
    .map(([text, calls]) => [(calls - (before.get(text) ?? 0)) / times, text] as const)
    .filter(([calls]) => calls > 0.005)
    .toSorted(([a], [b]) => b - a)
    .map(([calls, text]) => `  ${figure(calls).padStart(5)}  ${text.slice(0, 120)}`)
  return ["", "statements of the service, for each one", ...lines].join("\n")
})

const script = join(import.meta.dirname, "../packages/testing/src/postgres.sh")

const ownServer = Effect.gen(function* () {
  // Not in a folder of our own: as root the server runs as another user.
  const directory = join(tmpdir(), `carillon-bench-postgres-${process.pid}`)
  const options = ["-c", "fsync=on", "-c", "shared_preload_libraries=pg_stat_statements"]
  return yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const { stdout } = await run("sh", [script, "start", directory, ...options])
      const [pid] = (await readFile(join(directory, "data/postmaster.pid"), "utf8")).split("\n")
      return { url: stdout.trim(), pid: Number(pid) }
    }),
    () => Effect.promise(() => run("sh", [script, "remove", directory]))
  )
})

const onServer = Effect.fnUntraced(function* (server: string, cpu: Effect.Effect<number>) {
  const admin = yield* client(server)
  const name = `carillon_bench_${process.pid}`
  yield* Effect.acquireRelease(
    query(admin, `create database ${name} template template0 encoding 'UTF8'`),
    () => Effect.orDie(query(admin, `drop database if exists ${name} with (force)`))
  )
  const url = new URL(server)
  url.pathname = name
  const observer = yield* client(url.href)
  const [settings] = yield* query<{ version: string; fsync: string }>(
    observer,
    "select current_setting('server_version') as version, current_setting('fsync') as fsync"
  )
  // Only for a superuser, and only where the library is loaded.
  const observed = yield* query(observer, "create extension pg_stat_statements").pipe(
    Effect.andThen(query(observer, "select count(*) from pg_stat_statements")),
    Effect.match({ onSuccess: () => true, onFailure: () => false })
  )
  // Begin and commit are left out: a prepared one is counted the first time only (pg_stat_statements of 15 and 18).
  const own =
    "dbid = (select oid from pg_database where datname = current_database()) and query !~* '^(begin|commit|rollback)'"
  const total = observed
    ? `select sum(calls)::float8 as n from pg_stat_statements where ${own}`
    : "select xact_commit::float8 as n from pg_stat_database where datname = current_database()"
  return {
    label: `PostgreSQL ${settings!.version} (fsync ${settings!.fsync})`,
    url: url.href,
    counts: observed ? "statements" : "transactions",
    statements: Effect.map(Effect.orDie(query<{ n: number }>(observer, total)), ([row]) => row!.n),
    byStatement: observed
      ? query<{ query: string; calls: number }>(
          observer,
          `select query, calls::float8 as calls from pg_stat_statements where ${own} order by calls desc`
        ).pipe(
          Effect.map(
            (rows) => new Map(rows.map((row) => [row.query.replaceAll(/\s+/g, " ").trim(), row.calls]))
          ),
          Effect.orDie
        )
      : Effect.succeed(new Map<string, number>()),
    times: observed
      ? query<StatementTime>(
          observer,
          `select query, calls::int as calls, mean_exec_time as mean, max_exec_time as max from pg_stat_statements
          where ${own} order by max_exec_time desc`
        ).pipe(
          Effect.map((rows) =>
            rows.map((row) => ({ ...row, query: row.query.replaceAll(/\s+/g, " ").trim() }))
          ),
          Effect.orDie
        )
      : Effect.succeed([]),
    planBlindly: query(admin, `alter database ${name} set plan_cache_mode = force_generic_plan`).pipe(
      Effect.andThen(observed ? query(observer, "select pg_stat_statements_reset()") : Effect.void),
      Effect.asVoid,
      Effect.orDie
    ),
    cpu
  } satisfies BenchDatabase
}, Effect.orDie)

const client = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const opened = new Client(url)
      // The server may be gone before this connection is.
      opened.on("error", () => undefined)
      await opened.connect()
      return opened
    }),
    (opened) => Effect.promise(() => opened.end())
  )

const query = <A extends QueryResultRow>(on: Client, text: string) =>
  Effect.map(
    Effect.tryPromise(() => on.query<A>(text)),
    ({ rows }) => rows
  )
