import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { liveProcesses } from "../sql/Liveness.ts"
import { Instant, Int8 } from "../sql/Rows.ts"
import { Wakeup } from "../sql/Wakeup.ts"

/** The last scheduled backup. */
export const BackupRun = Schema.Struct({
  started_at: Instant,
  ended_at: Schema.NullOr(Instant),
  error: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
  size_bytes: Schema.NullOr(Int8),
  succeeded_at: Schema.NullOr(Instant)
})
export interface BackupRun extends Schema.Schema.Type<typeof BackupRun> {}

/** The last scheduled backup; null: none was begun. */
export const lastBackup = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  SqlSchema.findOneOption({
    Request: Schema.Void,
    Result: BackupRun,
    execute: () => sql`select started_at, ended_at, error, name, size_bytes, succeeded_at from backup_runs`
  })(undefined)
).pipe(Effect.map(Option.getOrNull), Effect.orDie)

/** How long a process makes a backup before another one may try. */
const lease = Duration.hours(6)

export class ScheduleRepository extends Context.Service<ScheduleRepository>()(
  "@carillon/server/backup/ScheduleRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const wakeup = yield* Wakeup

      /** Takes the turn, if it is due and nobody has it; of several processes one. */
      const begin = Effect.fnUntraced(function* (every: Duration.Duration) {
        const now = yield* DateTime.now
        const self = yield* wakeup.alive
        const at = DateTime.toDateUtc(now)
        const due = DateTime.toDateUtc(DateTime.subtractDuration(now, every))
        const rows = yield* sql`
          insert into backup_runs as b (started_at, lease_until, holder)
          values (${at}, ${DateTime.toDateUtc(DateTime.addDuration(now, lease))}, ${self}::int)
          on conflict (only_one) do update set
            started_at = excluded.started_at, lease_until = excluded.lease_until, holder = excluded.holder,
            ended_at = null, error = null
          where case when b.ended_at is null
            then b.lease_until <= ${at} or (b.holder <> ${self}::int and b.holder <> all (${liveProcesses(sql)}))
            else b.started_at <= ${due} end
          returning b.started_at`
        return rows.length > 0
      })

      const end = Effect.fnUntraced(function* (
        made: { readonly name: string; readonly size_bytes: number } | string
      ) {
        const at = DateTime.toDateUtc(yield* DateTime.now)
        yield* typeof made === "string"
          ? sql`update backup_runs set ended_at = ${at}, lease_until = null, holder = null, error = ${made}`
          : sql`
            update backup_runs set ended_at = ${at}, lease_until = null, holder = null, error = null, succeeded_at = ${at},
              name = ${made.name}, size_bytes = ${BigInt(made.size_bytes)}`
      })

      return {
        last: Effect.provideService(lastBackup, SqlClient.SqlClient, sql),
        begin: (every: Duration.Duration) => Effect.orDie(begin(every)),
        end: (made: Parameters<typeof end>[0]) => Effect.orDie(end(made))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
