import { SentEventType, type WorkspaceId } from "@carillon/domain"
import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Instant } from "../sql/Rows.ts"
import { transactionsWith } from "./transactionsWith.ts"

/** How far back a listener may go on. */
const kept = Duration.days(7)

/** How many events are read at once. */
const page = 200

const LoggedEvent = Schema.Struct({
  sequence: Schema.Finite,
  workspace_id: Schema.String,
  type: SentEventType,
  created_at: Instant,
  /** The stored text; null: it was not asked for. */
  data: Schema.NullOr(Schema.String)
})
export interface LoggedEvent extends Schema.Schema.Type<typeof LoggedEvent> {}

/**
 * The events in the order of their sequence. A transaction takes its number before it commits, so a lower number can appear
 * after a higher one: where one is missing, the reader waits for the transactions that may still bring it.
 */
export class EventLog extends Context.Service<EventLog>()("@carillon/server/events/EventLog", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const transactions = transactionsWith(sql, "events", "RowExclusiveLock")
    const decode = Schema.decodeUnknownEffect(Schema.Array(LoggedEvent))
    const of = (data: string) =>
      sql.literal(`sequence::float8 as sequence, workspace_id, type, created_at, ${data} as data`)

    /** The newest sequence, once every lower one has been committed or never will be. */
    const newest = Effect.gen(function* () {
      const rows = yield* sql<{
        newest: number
      }>`select coalesce(max(sequence), 0)::float8 as newest from events`
      yield* transactions.ended
      return rows[0]!.newest
    })

    /** The next events of all workspaces, with the data of those given; at least one, if there is one. */
    const next = Effect.fnUntraced(function* (position: number, workspaceIds: ReadonlyArray<string>) {
      const read = Effect.flatMap(
        sql`
          select ${of("case when w.heard then data::text end")}
          from events, lateral (select workspace_id = any(${workspaceIds}::uuid[]) as heard) w
          where sequence > ${position}::float8::bigint order by sequence limit ${page}`,
        decode
      )
      const found = yield* read
      const gap = found.findIndex(({ sequence }, index) => sequence !== position + index + 1)
      if (gap !== 0) return gap === -1 ? found : found.slice(0, gap)
      yield* transactions.ended
      // What is missing now was rolled back or has been deleted.
      const last = found.at(-1)!.sequence
      return (yield* read).filter(({ sequence }) => sequence <= last)
    })

    /** The next events of one workspace up to one that `next` has come to. */
    const between = Effect.fnUntraced(function* (workspaceId: WorkspaceId, after: number, to: number) {
      const rows = yield* sql`
        select ${of("data::text")} from events
        where workspace_id = ${workspaceId} and sequence > ${after}::float8::bigint and sequence <= ${to}::float8::bigint
        order by sequence limit ${page}`
      const events = yield* decode(rows)
      return { events, to: events.length < page ? to : events.at(-1)!.sequence }
    })

    /** Whether no event after that one has been deleted. */
    const isKept = Effect.fnUntraced(function* (after: number) {
      const oldest = DateTime.toDateUtc(DateTime.subtractDuration(yield* DateTime.now, kept))
      const rows = yield* sql<{ is_kept: boolean }>`
        select case when ${after}::float8 = 0
          then not exists (select 1 from (select created_at from events order by sequence limit 1) e where created_at <= ${oldest})
          else exists (select 1 from events where sequence = ${after}::float8::bigint and created_at > ${oldest}) end as is_kept`
      return rows[0]!.is_kept
    })

    return { newest, next, between, isKept }
  })
}) {
  static readonly layer = Layer.effect(this, this.make)
}
