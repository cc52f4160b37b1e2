import { PgClient, PgConnection } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import { connect as connectSocket } from "node:net"
import { DatabaseStartError } from "./DatabaseStartError.ts"
import { explainSqlError } from "./explainSqlError.ts"

/** The oldest supported major version. */
const OLDEST_MAJOR = 14

/** The connections of one process beside its own session: PostgreSQL's default of 100 serves nine processes. */
const MAX_CONNECTIONS = 9

const SESSION = {
  // A list page takes milliseconds; a statement of half a minute is a fault, and holds one of the few connections.
  statement_timeout: "30s",
  // A process that was stopped inside a transaction must not hold its rows for ever.
  idle_in_transaction_session_timeout: "60s",
  // Rows are locked for milliseconds; after that an error that is retried is better than more waiting.
  lock_timeout: "10s",
  // Compiling a statement that runs once takes longer than running it: 1.3 of the 1.6 seconds of a month of the calendar.
  jit: "off",
  timezone: "UTC"
}

/** Five seconds more than any statement may take. */
const PATIENCE = 35_000

/** For a process's own session, which is asked every five seconds. */
const SESSION_PATIENCE = 10_000

export interface PostgresOptions {
  readonly databaseUrl: Redacted.Redacted
  readonly maxConnections?: number | undefined
  /** A pooler in transaction mode is in between: nothing may be kept in a session. */
  readonly pooled?: boolean | undefined
  /** Waits for an answer however long it takes: for migrations. */
  readonly patient?: boolean | undefined
}

/** PostgreSQL over TCP (or a Unix socket), pooled. A connection that broke is replaced at its next use. */
export const layer = (options: PostgresOptions) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const where = yield* locate(options.databaseUrl)
      const sql = yield* connect(options).pipe(Effect.mapError((error) => unreachable(where, error)))
      yield* checkServer(where, sql)
      return Context.make(PgClient.PgClient, sql).pipe(Context.add(SqlClient.SqlClient, sql))
    })
  ).pipe(Layer.provide(Reactivity.layer))

/** A process's own session: frequent questions show whether the other end lives, and keep routers from closing it. */
export const ownSession = (config: PgConnection.Config) =>
  PgConnection.make({ ...config, multiplex: false, ...transport(config.url!, SESSION_PATIENCE, 5000) })

const connect = Effect.fnUntraced(function* (options: PostgresOptions) {
  const sql = yield* PgClient.make({
    url: options.databaseUrl,
    applicationName: "carillon",
    ...(options.pooled === true
      ? // A pooler passes on neither prepared statements nor most settings; those of the role hold there.
        { prepare: false, startupParameters: { timezone: SESSION.timezone } }
      : { startupParameters: SESSION }),
    minConnections: 1,
    maxConnections: options.maxConnections ?? MAX_CONNECTIONS,
    idleTimeout: "30 seconds",
    ...transport(options.databaseUrl, options.patient === true ? 0 : PATIENCE)
  })
  // sql-pg 4.0.5 does not know this field yet.
  return Object.assign(sql, { driver: "pg" })
})

/**
 * Closes a connection that has been silent for longer than `patience`; 0: never. TCP alone reports only after a quarter
 * of an hour that a machine has disappeared during a statement, and never that one stands still.
 */
const transport = (databaseUrl: Redacted.Redacted, patience: number, keepAliveInitialDelay = 30_000) => ({
  stream: () => {
    const { host, port } = addressIn(new URL(Redacted.value(databaseUrl)))
    const socket = host.startsWith("/")
      ? connectSocket(`${host}/.s.PGSQL.${port}`)
      : connectSocket({ host, port: Number(port), noDelay: true, keepAlive: true, keepAliveInitialDelay })
    return socket.setTimeout(patience, () =>
      socket.destroy(new Error(`PostgreSQL has not answered for ${patience / 1000} seconds`))
    )
  }
})

/**
 * The way to a process's own session, tried once: `DATABASE_LISTEN_URL`, or else that of all statements. A pooler may be
 * in between only if it keeps a session of the server for each connection.
 */
export const session = Effect.fnUntraced(function* (
  databaseUrl: Redacted.Redacted,
  listenUrl: Option.Option<Redacted.Redacted>
): Effect.fn.Return<PgConnection.Config, DatabaseStartError> {
  const url = Option.getOrElse(listenUrl, () => databaseUrl)
  const variable = Option.isSome(listenUrl) ? "DATABASE_LISTEN_URL" : "DATABASE_URL"
  const where = yield* locate(url, variable)
  const config = { url, applicationName: "carillon", startupParameters: SESSION, ...transport(url, PATIENCE) }
  const way = yield* wayTo(config).pipe(Effect.mapError((error) => unreachable(where, error, variable)))
  if (way === "sharing") return yield* pooled(where, variable)
  if (way === "keeping") {
    yield* Effect.logWarning(
      `${variable} leads to a pooler at ${where}: other processes cannot see that this one lives, and take over ` +
        "what it held only when its leases end. Set DATABASE_LISTEN_URL to the same database without the pooler."
    )
  }
  return config
})

const wayTo = Effect.fnUntraced(function* (config: PgConnection.Config) {
  const backend = (connection: PgConnection.PgConnection) =>
    Effect.map(
      connection.query("select pg_backend_pid() as pid", [], false),
      ({ rows }) => rows[0]!["pid"] as number
    )
  const one = yield* PgConnection.make(config)
  if ((yield* backend(one)) === one.processId) return "direct"
  // A pooler invents the backend's number. In session mode two connections have one backend each, and always the same.
  const other = yield* PgConnection.make(config)
  const pids = yield* Effect.forEach([one, other, other, one, one, other], backend)
  const [first, second] = pids
  return first !== second && [0, 1, 1, 0, 0, 1].every((which, index) => pids[which] === pids[index])
    ? "keeping"
    : "sharing"
}, Effect.scoped)

const checkServer = Effect.fn("Postgres.checkServer")(function* (where: string, sql: PgClient.PgClient) {
  const rows = yield* sql<{ version: number; name: string; encoding: string }>`
    SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name,
      current_setting('server_encoding') AS encoding`.pipe(
    Effect.mapError((error) => unreachable(where, error))
  )
  for (const { version, name, encoding } of rows) {
    if (version < OLDEST_MAJOR * 10_000) {
      return yield* new DatabaseStartError({
        reason: "wrong_version",
        message:
          `The database at ${where} is PostgreSQL ${name}; Carillon needs ${OLDEST_MAJOR} or newer. ` +
          "Upgrade the server, or point DATABASE_URL at another one."
      })
    }
    if (encoding !== "UTF8") {
      return yield* new DatabaseStartError({
        reason: "wrong_encoding",
        message:
          `The database at ${where} has the encoding ${encoding}; Carillon needs UTF8. ` +
          "Create one with: CREATE DATABASE carillon ENCODING 'UTF8' TEMPLATE template0."
      })
    }
  }
})

type Variable = "DATABASE_URL" | "DATABASE_LISTEN_URL"

const addressIn = (url: URL) => ({
  host:
    url.searchParams.get("host") ??
    (decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, "$1") || "localhost"),
  port: url.searchParams.get("port") ?? (url.port || "5432")
})

/** Host, port and name: the parts of the URL that an error may show. */
const locate = (given: Redacted.Redacted, variable: Variable = "DATABASE_URL") =>
  Effect.try({
    try: () => {
      const url = new URL(Redacted.value(given))
      if (url.protocol !== "postgres:" && url.protocol !== "postgresql:")
        throw new TypeError("not PostgreSQL")
      const { host, port } = addressIn(url)
      return `${host}:${port}${url.pathname}`
    },
    // The parser's own error contains the whole text, with the password.
    catch: () =>
      new DatabaseStartError({
        reason: "invalid_url",
        message:
          `${variable} is not a PostgreSQL URL. It looks like postgres://user:password@host:5432/database; ` +
          "special characters in the password are written percent-encoded."
      })
  })

const unreachable = (where: string, error: SqlError.SqlError, variable: Variable = "DATABASE_URL") => {
  const words = explainSqlError(error)
  // PgBouncer's answer to the settings of a session.
  if (words.includes("unsupported startup parameter")) return pooled(where, variable)
  return new DatabaseStartError({
    reason: "unreachable",
    message:
      `PostgreSQL at ${where} cannot be used: ${words}. ` +
      `Check ${variable} and that the server runs and lets this machine in.`
  })
}

const pooled = (where: string, variable: Variable) =>
  new DatabaseStartError({
    reason: "pooled",
    message:
      `${variable} leads to a pooler at ${where}, and a process needs a session of its own: it listens there, and ` +
      "others see by it that the process lives. " +
      (variable === "DATABASE_URL"
        ? "Set DATABASE_LISTEN_URL to the same database without the pooler; DATABASE_URL may then stay."
        : "Point it at PostgreSQL itself.")
  })
