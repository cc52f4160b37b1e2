import type { PgClient, PgConnection } from "@effect/sql-pg"
import { Context, Effect, Layer, Option, type Redacted } from "effect"
import { Migrator, SqlClient, SqlError } from "effect/sql"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { DatabaseStartError } from "./DatabaseStartError.ts"
import type { DatabaseStopped } from "./DatabaseStopped.ts"
import { LastDiskFull } from "./DiskFull.ts"
import { adviceOn, explainSqlError } from "./explainSqlError.ts"
import { migrationSentences } from "./MigrationSentences.ts"
import { type Migrations, migrations } from "./Migrations.ts"
import * as Postgres from "./Postgres.ts"

export interface SqlConfig {
  /** A PostgreSQL URL; none means the embedded database. */
  readonly databaseUrl: Option.Option<Redacted.Redacted>
  /** A way to the same server without a pooler; none: `databaseUrl` itself. */
  readonly databaseListenUrl?: Option.Option<Redacted.Redacted>
  /** The folder that holds the embedded database. */
  readonly dataDir: string
  /** Waits for every answer of PostgreSQL however long it takes. */
  readonly patient?: boolean
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

export const numberOf = (migration: string) => Number.parseInt(migration, 10)

/** The way of a database or backup from before 0.1.0, whose migrations this version does not have. */
export const wayFromBefore =
  "export each workspace there with its `carillon export`, and bring it into a new instance of this version with " +
  "`carillon import` (docs/upgrading.md#from-before-010)"

/** The last migration that the database has seen, and a sentence for each that it has not. Refuses one that this version cannot read. */
export const planned = Effect.fn("Sql.planned")(function* (record: Migrations) {
  const row = yield* Effect.mapError(lastOf, migrationFailed)
  const last = row === undefined ? null : `${String(row.id).padStart(4, "0")}_${row.name}`
  const ours = Object.keys(record).toSorted()
  const [oldest, newest] = [ours[0], ours.at(-1)]
  if (row !== undefined && newest !== undefined && row.id > numberOf(newest)) {
    return yield* new DatabaseStartError({
      reason: "newer_database",
      message:
        `The database was written by a newer Carillon: its last migration is ${last}, and the last that this one ` +
        `knows is ${newest}. Start the newer version again, or restore the backup that was made before the ` +
        "upgrade (docs/upgrading.md). Nothing was changed."
    })
  }
  if (row !== undefined && oldest !== undefined && row.id < numberOf(oldest)) {
    return yield* new DatabaseStartError({
      reason: "older_database",
      message:
        `The database was written by a Carillon before 0.1.0: its last migration is ${last}, and the first that this one ` +
        `knows is ${oldest}. Start the version that wrote it, ${wayFromBefore}. Nothing was changed.`
    })
  }
  const sentences: Readonly<Record<string, string>> = migrationSentences
  const todo = ours
    .filter((key) => row === undefined || numberOf(key) > row.id)
    .map((key) => `${key} ${sentences[key] ?? ""}`.trimEnd())
  return { last, todo }
})

const lastOf = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ there: boolean }>`select to_regclass('migrations') is not null as there`
  if (found?.there !== true) return undefined
  const [row] = yield* sql<{ id: number; name: string }>`
    select migration_id as id, name from migrations order by migration_id desc limit 1`
  return row
})

/** Runs the outstanding migrations, all or none. Processes that start together wait for the first of them. */
export const migrate = Effect.fn("Sql.migrate")(function* (record: Migrations) {
  const sql = yield* SqlClient.SqlClient
  const run = Effect.gen(function* () {
    // The second process waits as long as the first one needs, and a large table takes its time.
    yield* sql`SET LOCAL lock_timeout = 0`
    yield* sql`SET LOCAL statement_timeout = 0`
    yield* sql`SELECT 1 FROM pg_advisory_xact_lock(${sql.literal(MIGRATION_LOCK)})`
    const { last, todo } = yield* planned(record)
    // The migrator makes this table too, but looks at it again when it may not, and so hides why.
    if (last === null) {
      yield* sql`
        create table if not exists migrations (
          migration_id integer primary key,
          created_at timestamp with time zone not null default now(),
          name text not null
        )`
    }
    // A new database has nothing that could be changed.
    if (last !== null)
      yield* Effect.forEach(todo, (sentence) => Effect.logInfo(`migration ${sentence}`), { discard: true })
    return yield* Migrator.make({})({ loader: Migrator.fromRecord(record), table: "migrations" })
  })
  return yield* sql
    .withTransaction(run)
    .pipe(Effect.mapError((error) => (error instanceof DatabaseStartError ? error : migrationFailed(error))))
})

// Loaded where it is used: a process on PostgreSQL starts without it.
const embedded = ({ dataDir }: SqlConfig) =>
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
        ).pipe(Layer.provideMerge(EmbeddedDatabase.layer({ dataDir })))
    )
  )

const postgresOptions = (databaseUrl: Redacted.Redacted, { databaseListenUrl, patient }: SqlConfig) => {
  const listenUrl = Option.flatten(Option.fromUndefinedOr(databaseListenUrl))
  return { databaseUrl, listenUrl, pooled: Option.isSome(listenUrl), patient }
}

/** One connection that waits however long a migration takes. */
const oneThatWaits = (databaseUrl: Redacted.Redacted, config: SqlConfig) =>
  Postgres.layer({ ...postgresOptions(databaseUrl, config), maxConnections: 1, patient: true })

/** Whether the embedded database has still to be made: a look must not make what it looks for. */
export const hasNoDatabase = ({ databaseUrl, dataDir }: SqlConfig) =>
  Option.isNone(databaseUrl) && !existsSync(join(dataDir, "database"))

/** The database of this configuration as it is. */
export const layerToMigrate = (config: SqlConfig): Layer.Layer<SqlClient.SqlClient, DatabaseStartError> =>
  Option.match(config.databaseUrl, {
    onNone: () => embedded(config),
    onSome: (databaseUrl) => oneThatWaits(databaseUrl, config)
  })

/** The database of this configuration with the given migrations done. */
export const layerWith = (
  config: SqlConfig,
  record: Migrations
): Layer.Layer<PgClient.PgClient | SqlClient.SqlClient | Database, DatabaseStartError> =>
  Option.match(config.databaseUrl, {
    onNone: () => Layer.effectDiscard(migrate(record)).pipe(Layer.provideMerge(embedded(config))),
    onSome: (databaseUrl) => {
      const { listenUrl, ...options } = postgresOptions(databaseUrl, config)
      const migrated = Effect.provide(migrate(record), oneThatWaits(databaseUrl, config), { local: true })
      return Layer.effectDiscard(migrated).pipe(
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

const migrationFailed = (error: Migrator.MigrationError | SqlError.SqlError) => {
  const refused = [error, error.cause].find(SqlError.isSqlError)
  const words = refused === undefined ? [] : [explainSqlError(refused)]
  return new DatabaseStartError({
    reason: "migration_failed",
    message:
      `The database could not be brought up to date: ${[...(refused === error ? [] : [error.message]), ...words].join(": ")}. ` +
      `Nothing was changed. ${(refused && adviceOn(refused)) ?? "Start the release that ran before, and report this."}`,
    cause: error
  })
}
