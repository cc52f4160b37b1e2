import type { PgClient, PgConnection } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, type Redacted } from "effect"
import { Migrator, SqlClient, SqlError } from "effect/sql"
import { DatabaseStartError } from "./DatabaseStartError.ts"
import type { DatabaseStopped } from "./DatabaseStopped.ts"
import { LastDiskFull } from "./DiskFull.ts"
import { explainSqlError } from "./explainSqlError.ts"
import { type Migrations, migrations } from "./Migrations.ts"
import * as Postgres from "./Postgres.ts"

export interface SqlConfig {
  /** A PostgreSQL URL; none means the embedded database. */
  readonly databaseUrl: Option.Option<Redacted.Redacted>
  /** A way to the same server without a pooler; none: `databaseUrl` itself. */
  readonly databaseListenUrl?: Option.Option<Redacted.Redacted>
  /** The folder that holds the embedded database. */
  readonly dataDir: string
}

/** The database that this process runs on. */
export class Database extends Context.Service<
  Database,
  {
    readonly kind: "embedded" | "postgres"
    /** The way to a session of one's own; none where the client's is one. */
    readonly direct?: PgConnection.Config
    /** Whether its disk is known to be full. */
    readonly full: Effect.Effect<boolean>
    /** Fails when only a new process can use the database again; never, on PostgreSQL. */
    readonly stopped: Effect.Effect<never, DatabaseStopped>
  }
>()("@carillon/server/sql/Database") {}

/** "carillon" in ASCII: the advisory lock of a migration. */
const MIGRATION_LOCK = "7165064744911826798"

/** Runs the outstanding migrations, all or none. Processes that start together wait for the first of them. */
export const migrate = Effect.fn("Sql.migrate")(function* (record: Migrations) {
  const sql = yield* SqlClient.SqlClient
  const run = Effect.gen(function* () {
    // The second process waits as long as the first one needs, and a large table takes its time.
    yield* sql`SET LOCAL lock_timeout = 0`
    yield* sql`SET LOCAL statement_timeout = 0`
    yield* sql`SELECT 1 FROM pg_advisory_xact_lock(${sql.literal(MIGRATION_LOCK)})`
    return yield* Migrator.make({})({ loader: Migrator.fromRecord(record), table: "migrations" })
  })
  return yield* sql.withTransaction(run).pipe(Effect.mapError(migrationFailed))
})

/** The database of this configuration with the given migrations done. */
export const layerWith = (
  config: SqlConfig,
  record: Migrations
): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient | Database, DatabaseStartError> =>
  Option.match(config.databaseUrl, {
    onNone: () =>
      Layer.effectDiscard(migrate(record)).pipe(
        Layer.provideMerge(
          // Loaded where it is used: a process on PostgreSQL starts without it.
          Layer.unwrap(
            Effect.map(
              Effect.promise(() => import("./Embedded.ts")),
              ({ EmbeddedDatabase }) =>
                Layer.effect(
                  Database,
                  Effect.gen(function* () {
                    const { full, stopped } = yield* EmbeddedDatabase
                    return {
                      kind: "embedded" as const,
                      full: yield* Effect.cachedWithTTL(full, "1 second"),
                      stopped
                    }
                  })
                ).pipe(Layer.provideMerge(EmbeddedDatabase.layer({ dataDir: config.dataDir })))
            )
          )
        )
      ),
    onSome: (databaseUrl) => {
      const listenUrl = Option.flatten(Option.fromUndefinedOr(config.databaseListenUrl))
      const options = { databaseUrl, pooled: Option.isSome(listenUrl) }
      const oneThatWaits = Postgres.layer({ ...options, maxConnections: 1, patient: true })
      return Layer.effectDiscard(Effect.provide(migrate(record), oneThatWaits, { local: true })).pipe(
        Layer.provideMerge(
          Layer.merge(
            Layer.effect(
              Database,
              Effect.map(Postgres.session(databaseUrl, listenUrl), (direct) => ({
                kind: "postgres" as const,
                full: Effect.map(LastDiskFull, ({ at }) => performance.now() - at < 10_000),
                stopped: Effect.never,
                direct
              }))
            ),
            Postgres.layer(options)
          )
        )
      )
    }
  })

export const layer = (config: SqlConfig) => layerWith(config, migrations)

const migrationFailed = (error: Migrator.MigrationError | SqlError.SqlError) =>
  new DatabaseStartError({
    reason: "migration_failed",
    message:
      `The database could not be brought up to date: ${explain(error)}. Nothing was changed. ` +
      "Start the release that ran before, and report this.",
    cause: error
  })

const explain = (error: Migrator.MigrationError | SqlError.SqlError): string => {
  if (SqlError.isSqlError(error)) return explainSqlError(error)
  return SqlError.isSqlError(error.cause)
    ? `${error.message}: ${explainSqlError(error.cause)}`
    : error.message
}
