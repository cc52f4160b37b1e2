import { PgClient, PgConnection } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import { DatabaseStartError } from "./DatabaseStartError.ts"
import { explainSqlError } from "./explainSqlError.ts"

/** The oldest major version that is let in. */
const OLDEST_MAJOR = 14

/** Of one process, beside its own session: PostgreSQL's default of 100 serves nine processes. */
const MAX_CONNECTIONS = 9

const SESSION = {
  // A list page takes milliseconds; what runs for half a minute is a fault, and holds a connection of the few.
  statement_timeout: "30s",
  // A process that was stopped inside a transaction must not hold its rows for ever.
  idle_in_transaction_session_timeout: "60s",
  // Rows are locked for milliseconds; who waits longer is better off with an error that is retried.
  lock_timeout: "10s",
  timezone: "UTC"
}

export interface PostgresOptions {
  readonly databaseUrl: Redacted.Redacted
  readonly maxConnections?: number | undefined
  /** A pooler in transaction mode stands in between: nothing may be kept in a session. */
  readonly pooled?: boolean | undefined
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

/** A process's own session: it asks soon whether the other end is still there, and routers see that it is in use. */
export const ownSession = (config: PgConnection.Config) =>
  PgConnection.make({ ...config, multiplex: false, keepAlive: "5 seconds" })

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
    idleTimeout: "5 minutes",
    keepAlive: "30 seconds"
  })
  // sql-pg 4.0.5 does not know this field yet.
  return Object.assign(sql, { driver: "pg" })
})

/** The way around the pooler for a process's own session, where there is one; whether it leads anywhere is tried once. */
export const direct = Effect.fnUntraced(function* (
  url: Option.Option<Redacted.Redacted>
): Effect.fn.Return<{ readonly direct?: PgConnection.Config }, DatabaseStartError> {
  if (Option.isNone(url)) return {}
  const where = yield* locate(url.value)
  const config = { url: url.value, applicationName: "carillon", startupParameters: SESSION }
  yield* Effect.scoped(PgConnection.make(config)).pipe(Effect.mapError((error) => unreachable(where, error)))
  return { direct: config }
})

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

/** Host, port and name: what an error may tell of the URL. */
const locate = (databaseUrl: Redacted.Redacted) =>
  Effect.try({
    try: () => {
      const url = new URL(Redacted.value(databaseUrl))
      if (url.protocol !== "postgres:" && url.protocol !== "postgresql:")
        throw new TypeError("not PostgreSQL")
      const host = url.searchParams.get("host") ?? (url.hostname || "localhost")
      const port = url.searchParams.get("port") ?? (url.port || "5432")
      return `${host}:${port}${url.pathname}`
    },
    // The parser's own error carries the whole text, password and all.
    catch: () =>
      new DatabaseStartError({
        reason: "invalid_url",
        message:
          "DATABASE_URL is not a PostgreSQL URL. It looks like postgres://user:password@host:5432/database; " +
          "special characters in the password are written percent-encoded."
      })
  })

const unreachable = (where: string, error: SqlError.SqlError) =>
  new DatabaseStartError({
    reason: "unreachable",
    message:
      `PostgreSQL at ${where} cannot be used: ${explainSqlError(error)}. ` +
      "Check DATABASE_URL and that the server runs and lets this machine in."
  })
