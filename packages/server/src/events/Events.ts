import { Event, type EventType, type WorkspaceId } from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient, type Statement } from "effect/sql"
import { isWanted } from "./isWanted.ts"
import { Wakeup } from "../sql/Wakeup.ts"

type Told<E> = E extends { readonly type: infer Type; readonly data: infer Data }
  ? Type extends EventType
    ? { readonly type: Type; readonly data: Data }
    : never
  : never

/** An event. Events of one `subject` stay in order: a post, a media item or an account. */
export type NewEvent = Told<Event> & { readonly workspace_id: WorkspaceId; readonly subject: string }

/** Events about one subject with the same data, in the stored form, which is also sent. */
export interface EncodedEvents {
  readonly workspace_id: WorkspaceId
  readonly subject: string
  readonly types: ReadonlyArray<Event["type"]>
  readonly data: unknown
}

/** How many deliveries and events a statement stored, and for whom. */
export interface Waiting {
  readonly for_webhooks: number
  readonly for_listeners: number
}

/**
 * The outbox. An event is stored in the transaction of its change, with one delivery for each webhook of the workspace
 * that subscribes to its type; where there is no such webhook and nobody listens, it is not stored.
 */
export class Events extends Context.Service<
  Events,
  {
    /**
     * For a transaction that has made or locked the events' subjects: that lock keeps a subject's events in the order of
     * its changes.
     */
    append(events: ReadonlyArray<NewEvent>): Effect.Effect<void>
    /**
     * The same as common table expressions of the statement that makes the change. They store the events `e` of which
     * `condition` holds. The caller wakes whom `toWake` names.
     */
    appending(
      events: ReadonlyArray<EncodedEvents>,
      now: DateTime.Utc,
      condition: Statement.Fragment
    ): Statement.Fragment
    /** Part of that statement: columns that say who waits for what it stored. */
    toWake(): Statement.Fragment
    wake(waiting: Waiting): Effect.Effect<void>
    /** Part of another statement: stores the columns of that relation, and returns the sequence of each. */
    storing(relation: Statement.Fragment): Statement.Fragment
    /** Deletes the oldest events from before that time with their deliveries, a batch at a time. */
    deleteBefore(time: DateTime.Utc): Effect.Effect<void>
    /** The given workspaces where someone asks for any of these types, for callers that would have to read the data. */
    wanted(
      workspaceIds: ReadonlyArray<string>,
      types: ReadonlyArray<EventType>
    ): Effect.Effect<ReadonlySet<string>>
  }
>()("@carillon/server/events/Events") {
  static readonly layer = Layer.effect(
    Events,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const wakeup = yield* Wakeup

      const storing = (relation: Statement.Fragment) => sql`
            insert into events (id, workspace_id, type, subject, data, created_at)
            select id, workspace_id, type, subject, data, created_at from ${relation}
            returning id, sequence`

      const deleteBefore = Effect.fn("Events.deleteBefore")(function* (time: DateTime.Utc) {
        while (true) {
          const gone = yield* sql`
            delete from events where created_at < ${DateTime.toDateUtc(time)}
              and sequence in (select sequence from events order by sequence limit 1000)
            returning sequence`
          if (gone.length < 1000) return
        }
      }, Effect.orDie)

      const appending: Events["Service"]["appending"] = (events, timestamp, condition) => {
        const now = DateTime.toDateUtc(timestamp)
        const rows = events
          .flatMap(({ data: _, types, ...about }, index) =>
            types.map((type) => ({ ...about, type, datum: index + 1, id: SecureRandom.uuidV7Unsafe() }))
          )
          .map((event, position) => ({ ...event, position }))
        // People are told of what happens within a minute in one message: all of theirs have one subject.
        const aMinuteLater = DateTime.toDateUtc(DateTime.add(timestamp, { minutes: 1 }))
        const happened = sql`
          json_to_recordset((select rows from happened)) as e (
            position int, id uuid, workspace_id uuid, subject text, type text, datum int)`
        // Text that nobody asks for is not parsed.
        return sql`
          happened (rows, data) as materialized (
            select ${JSON.stringify(rows)}::json, ${events.map(({ data }) => JSON.stringify(data))}::text[]
          ), wanted as materialized (
            select e.*, w.id as webhook_id, w.format is not null as for_people, ${sql.literal(uuidV7)} as delivery_id
            from ${happened} join webhooks w on w.workspace_id = e.workspace_id and e.type = any(w.events)
            where ${condition} and (w.format is null or e.type <> 'post.result'
              or (select data from happened)[e.datum]::json ->> 'status' <> 'published')
            -- One that is being deleted drops out here, instead of failing the caller's transaction at its foreign key.
            for key share of w
          ), heard as materialized (
            select e.* from ${happened} join listeners l on l.workspace_id = e.workspace_id and l.until > ${now}
            where ${condition}
          ), stored as (
            ${storing(sql`(
              select distinct on (position) id, workspace_id, type, subject, (select data from happened)[datum]::json as data,
                ${now}::timestamptz as created_at
              from (
                select position, id, workspace_id, type, subject, datum from wanted
                union all select position, id, workspace_id, type, subject, datum from heard
              ) asked order by position) e`)}
          ), told as (
            insert into webhook_deliveries
              (id, webhook_id, event_sequence, subject, status, next_attempt_at, created_at)
            select delivery_id, webhook_id, sequence, case when for_people then webhook_id::text else subject end,
              'pending', case when for_people then ${aMinuteLater} else ${now} end, ${now}
            from wanted join stored using (id)
            returning id
          )`
      }

      const toWake = () => sql`
        (select count(*)::int from told) as for_webhooks, (select count(*)::int from heard) as for_listeners`

      const wake = ({ for_webhooks, for_listeners }: Waiting) =>
        Effect.andThen(
          for_webhooks > 0 ? wakeup.deliveries.notify : Effect.void,
          for_listeners > 0 ? wakeup.events.notify : Effect.void
        )

      const append = Effect.fn("Events.append")(function* (events: ReadonlyArray<NewEvent>) {
        if (events.length === 0) return
        const timestamp = yield* DateTime.now
        const encoded = events.map(({ type, data, ...about }) => ({
          ...about,
          types: [type],
          data: encode({ type, data, timestamp } as Event).data
        }))
        const rows = yield* sql<Waiting>`with ${appending(encoded, timestamp, sql`true`)} select ${toWake()}`
        yield* wake(rows[0]!)
      }, Effect.orDie)

      const wanted = Effect.fn("Events.wanted")(function* (
        workspaceIds: ReadonlyArray<string>,
        types: ReadonlyArray<EventType>
      ) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const rows = yield* sql<{ id: string }>`
          select i.id from unnest(${workspaceIds}::uuid[]) as i (id) where ${isWanted(sql, sql`i.id`, types, now)}`
        return new Set(rows.map(({ id }) => id))
      }, Effect.orDie)

      return Events.of({ append, appending, toWake, wake, storing, deleteBefore, wanted })
    })
  )
}

const encode = Schema.encodeSync(Event)

/** PostgreSQL has `uuidv7()` from 18 on. Bits 52 and 53 turn a random version 4 into a version 7. */
const uuidV7 = `
  encode(set_bit(set_bit(overlay(
    uuid_send(gen_random_uuid())
    placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6
  ), 52, 1), 53, 1), 'hex')::uuid`
