import type { PgClient } from "@effect/sql-pg"
import { Clock, Duration, Effect } from "effect"
import { supervised } from "../Supervised.ts"

/** Replaying this much after a crash takes about a second, and four segments of 16 MiB are written in between. */
const MAX_WAL_BYTES = 64 * 1024 * 1024

export interface MaintenanceOptions {
  /** The time between two checkpoints and vacuums of everything. Default one hour. */
  readonly maintenanceInterval?: Duration.Input | undefined
  /** The time between two checks of the log and the tables for an earlier need. Default ten seconds. */
  readonly inspectionInterval?: Duration.Input | undefined
  /** Bytes of write-ahead log since the last checkpoint that bring the next one forward. Default 64 MiB. */
  readonly maxWalBytes?: number | undefined
}

/** PGlite has no background processes, so this does the work of the checkpointer and autovacuum. */
export const maintain = Effect.fnUntraced(
  function* (sql: PgClient.PgClient, options: MaintenanceOptions) {
    const everything = Duration.toMillis(Duration.fromInputUnsafe(options.maintenanceInterval ?? "1 hour"))
    const inspection = Duration.fromInputUnsafe(options.inspectionInterval ?? "10 seconds")
    const maxWalBytes = options.maxWalBytes ?? MAX_WAL_BYTES

    const elapsedMillis = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos / 1_000_000n))
    let last = yield* elapsedMillis

    const tend = (tables: ReadonlyArray<Table>) =>
      // Table by table, each a statement of its own: the process answers nothing else while one runs.
      Effect.forEach(
        tables,
        ({ name, dead }) => sql.unsafe(`${dead ? "VACUUM (ANALYZE)" : "ANALYZE"} ${name}`).unprepared,
        { discard: true }
      )

    const pass = Effect.gen(function* () {
      const now = yield* elapsedMillis
      if (now - last >= everything) {
        last = now
        yield* tend(yield* everyTable(sql))
        yield* sql`CHECKPOINT`
        return
      }
      yield* tend(yield* worn(sql))
      if ((yield* walBytes(sql)) > maxWalBytes) yield* sql`CHECKPOINT`
    })

    return yield* Effect.sleep(inspection).pipe(Effect.andThen(pass), Effect.forever)
  },
  Effect.orDie,
  (maintenance) => supervised("maintenance of the embedded database", maintenance, "5 seconds")
)

/** Bytes of write-ahead log that a start after a crash would have to replay. */
const walBytes = (sql: PgClient.PgClient) =>
  Effect.map(
    sql<{ bytes: number }>`
      SELECT (pg_current_wal_lsn() - redo_lsn)::float8 AS bytes FROM pg_control_checkpoint()`,
    ([row]) => row?.bytes ?? 0
  )

interface Table {
  readonly name: string
  /** It has rows to clean away; otherwise only its statistics are old. */
  readonly dead: boolean
}

const everyTable = (sql: PgClient.PgClient) =>
  sql<Table>`
    SELECT format('%I.%I', schemaname, relname) AS name, true AS dead FROM pg_stat_all_tables WHERE schemaname <> 'pg_toast'`

/** The tables autovacuum would take, by its own default thresholds. */
const worn = (sql: PgClient.PgClient) =>
  sql<Table>`
    SELECT * FROM (
      SELECT format('%I.%I', schemaname, tables.relname) AS name,
        n_dead_tup > 50 + 0.2 * greatest(reltuples, 0)
          OR n_ins_since_vacuum > 1000 + 0.2 * greatest(reltuples, 0) AS dead,
        n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0) AS changed
      FROM pg_stat_all_tables tables JOIN pg_class ON pg_class.oid = relid
      WHERE schemaname <> 'pg_toast'
    ) t WHERE dead OR changed`
