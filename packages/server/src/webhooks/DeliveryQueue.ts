import { NotificationFormat, SentEventType, WebhookDeliveryStatus } from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import type { Held } from "../engine/Loop.ts"
import { makeWriteBatcher } from "../engine/WriteBatcher.ts"
import { Events } from "../events/Events.ts"
import { liveProcesses } from "../sql/Liveness.ts"
import { Instant, Int8 } from "../sql/Rows.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { longestFailing } from "./DeliveryPolicy.ts"

/** How long a claim holds: longer than a try can take. After that another process may take the delivery. */
export const lease = Duration.seconds(30)

/** How many deliveries of one webhook a process holds at once; of a failing one, a single try. */
export const perWebhook = 8

/** A paused webhook is looked at again after this; resuming does not wait for it. */
const holdPaused = Duration.minutes(15)

/** The wait behind a delivery in flight. Its settlement wakes the next one; this is for when they cross. */
const holdBehind = Duration.seconds(2)

/** How long events and their deliveries are kept. */
const retention = Duration.days(30)

/** A delivery that this process holds. */
export const ClaimedDelivery = Schema.Struct({
  id: Schema.String,
  fence: Schema.Int,
  attempts: Schema.Int,
  webhook_id: Schema.String,
  url: Schema.String,
  secrets: Schema.Uint8Array,
  /** null: a signed event. Otherwise a message for people, about `sequence` and `also`. */
  format: Schema.NullOr(NotificationFormat),
  sequence: Int8,
  also: Schema.Array(Int8),
  event_id: Schema.String,
  type: SentEventType,
  timestamp: Instant,
  data: Schema.Json
})
export interface ClaimedDelivery extends Schema.Schema.Type<typeof ClaimedDelivery> {}

/** The result of a claim. `pausing`: the webhook is paused for this reason. */
export interface DeliverySettlement {
  readonly id: string
  readonly fence: number
  readonly status: WebhookDeliveryStatus
  readonly next_attempt_at: DateTime.Utc | null
  readonly response_status: number | null
  readonly response_excerpt: string | null
  readonly error: string | null
  readonly pausing: string | null
}

const SettlementRow = Schema.Struct({
  id: Schema.String,
  fence: Schema.Int,
  status: WebhookDeliveryStatus,
  next_attempt_at: Schema.NullOr(Schema.DateTimeUtcFromString),
  response_status: Schema.NullOr(Schema.Int),
  response_excerpt: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.String),
  pausing: Schema.NullOr(Schema.String)
})
const encodeSettlements = Schema.encodeSync(Schema.Array(SettlementRow))

/**
 * The statements of the delivery loop. A delivery belongs to the holder of its present fence, and is sent only while no
 * earlier one of its webhook and subject is open. To people, all that waits goes with the first: it takes in the others' events.
 */
export class DeliveryQueue extends Context.Service<DeliveryQueue>()(
  "@carillon/server/webhooks/DeliveryQueue",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const events = yield* Events
      const wakeup = yield* Wakeup

      /**
       * The webhooks that have something to send, and how much more of it this process may take. It steps from webhook to
       * webhook through the index, so the ten thousand deliveries of a dead one cost a single look.
       */
      const open = (held: Held) => sql`
        recursive pending (webhook_id) as (
          (select webhook_id from webhook_deliveries where status in ('pending', 'sending')
            order by webhook_id limit 1)
          union all
          select (select d.webhook_id from webhook_deliveries d
            where d.status in ('pending', 'sending') and d.webhook_id > p.webhook_id order by d.webhook_id limit 1)
          from pending p where p.webhook_id is not null
        ), webhook as (
          select w.id, w.url, w.secrets, w.format, w.status = 'active' as active,
            (case when w.failing_since is null then ${perWebhook}::int else 1 end) - coalesce(h.count, 0) as room
          from pending p join webhooks w on w.id = p.webhook_id
          left join jsonb_to_recordset(${sql.json(
            [...held].map(([id, count]) => ({ id, count }))
          )}::jsonb) as h (id uuid, count int) on h.id = w.id
        )`

      const claimDue = Effect.fn("DeliveryQueue.claim")(function* (held: Held, limit: number) {
        const instant = yield* DateTime.now
        const at = (duration: Duration.Duration) =>
          DateTime.toDateUtc(DateTime.addDuration(instant, duration))
        const rows = yield* sql`
          with ${open(held)}, due as materialized (
            select d.*, w.active, w.url, w.secrets, w.format from webhook w cross join lateral (
              select id, webhook_id, subject, event_sequence from webhook_deliveries
              where webhook_id = w.id and status in ('pending', 'sending') and next_attempt_at <= ${at(Duration.zero)}
              order by next_attempt_at, event_sequence limit w.room
              for update skip locked
            ) d where w.room > 0 limit ${limit}
          ), turn as materialized (
            select due.*, (
              select greatest(${at(Duration.millis(100))}, case
                when e.status = 'sending' then least(e.next_attempt_at, ${at(holdBehind)})
                else e.next_attempt_at end)
              from webhook_deliveries e
              where e.webhook_id = due.webhook_id and e.subject = due.subject
                and e.event_sequence < due.event_sequence and e.status in ('pending', 'sending')
              order by e.event_sequence limit 1
            ) as not_before
            from due
          ), first as materialized (
            select id, webhook_id from turn where active and not_before is null and format is not null
          ), gathered as (
            delete from webhook_deliveries where id in (
              select d.id from first f join webhook_deliveries d on d.webhook_id = f.webhook_id and d.id <> f.id
              where d.status = 'pending' for update of d skip locked)
            returning id, webhook_id, event_sequence, also
          ), held as (
            update webhook_deliveries d set status = 'pending', fence = d.fence + 1,
              next_attempt_at = case when t.active then t.not_before else ${at(holdPaused)} end
            from turn t where d.id = t.id and (not t.active or t.not_before is not null)
              and not exists (select 1 from gathered g where g.id = t.id)
          ), taken as (
            update webhook_deliveries d set status = 'sending', fence = d.fence + 1, next_attempt_at = ${at(lease)},
              holder = ${yield* wakeup.alive}, also = d.also || coalesce((
                select array_agg(s) from gathered g, unnest(g.event_sequence || g.also) s
                where g.webhook_id = t.webhook_id and t.format is not null), '{}')
            from turn t where d.id = t.id and t.active and t.not_before is null
            returning d.id, d.fence, d.attempts, d.also
          )
          select k.id, k.fence, k.attempts, k.also, t.webhook_id, t.url, t.secrets, t.format, v.sequence, v.id as event_id, v.type,
            v.created_at as timestamp, v.data
          from turn t left join taken k on k.id = t.id left join events v on v.sequence = t.event_sequence
          order by t.event_sequence`
        const items = yield* decodeClaimed(rows.filter(({ id }) => id !== null))
        // What was put off has taken the place of others.
        return { items, more: rows.length > items.length || rows.length === limit }
      })

      const nextAttemptAt = SqlSchema.findOneOption({
        Request: Schema.Any,
        Result: Schema.Struct({ next_attempt_at: Instant }),
        execute: (held: Held) => sql`
          with ${open(held)}
          select d.next_attempt_at from webhook w cross join lateral (
            select next_attempt_at from webhook_deliveries
            where webhook_id = w.id and status in ('pending', 'sending') order by next_attempt_at limit 1
          ) d where w.room > 0 order by d.next_attempt_at limit 1`
      })

      const settleAll = Effect.fn("DeliveryQueue.settle")(function* (
        settlements: ReadonlyArray<DeliverySettlement>
      ) {
        const instant = yield* DateTime.now
        const now = DateTime.toDateUtc(instant)
        const patience = DateTime.toDateUtc(DateTime.subtractDuration(instant, longestFailing))
        const rows = yield* sql<{ id: string }>`
          with item as (
            select * from jsonb_to_recordset(${sql.json(encodeSettlements(settlements))}::jsonb) as i (
              id uuid, fence int, status text, next_attempt_at timestamptz, response_status int,
              response_excerpt text, error text, pausing text)
          ), settled as (
            update webhook_deliveries d set
              fence = d.fence + 1, status = i.status, next_attempt_at = i.next_attempt_at, attempts = d.attempts + 1,
              last_attempt_at = ${now}, response_status = i.response_status, response_excerpt = i.response_excerpt,
              error = i.error, finished_at = case when i.status = 'pending' then null else ${now}::timestamptz end
            from item i where d.id = i.id and d.fence = i.fence and d.status = 'sending'
            returning d.id, d.webhook_id, d.subject, d.event_sequence, d.status, i.pausing
          ), health as (
            select w.id, w.failing_since, bool_or(s.status = 'delivered') as got_through,
              coalesce(max(s.pausing), case
                when bool_or(s.status = 'failed') and not bool_or(s.status = 'delivered')
                  and w.failing_since <= ${patience}
                then 'Nothing has got through since ' ||
                  to_char(w.failing_since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') ||
                  '. Mend the receiver, then resume with status active; what waits is sent then.'
              end) as pausing
            from settled s join webhooks w on w.id = s.webhook_id group by w.id
          ), watched as (
            update webhooks w set
              failing_since = case when h.got_through then null else coalesce(w.failing_since, ${now}) end,
              status = case when h.pausing is null then w.status else 'paused' end,
              status_reason = coalesce(h.pausing, w.status_reason),
              updated_at = case when h.pausing is null then w.updated_at else ${now} end
            from health h
            where w.id = h.id and (h.pausing is not null or h.got_through = (w.failing_since is not null))
          ), released as (
            update webhook_deliveries n set next_attempt_at = ${now}
            from settled s
            -- What people are told of keeps its minute.
            where s.status <> 'pending' and s.subject is not null and s.subject <> s.webhook_id::text and n.status = 'pending' and n.id = (
              select c.id from webhook_deliveries c
              where c.webhook_id = s.webhook_id and c.subject = s.subject and c.event_sequence > s.event_sequence
                and c.status in ('pending', 'sending')
              order by c.event_sequence limit 1)
          )
          select id from settled`
        const settled = new Set(rows.map(({ id }) => id))
        return settlements.map(({ id }) => settled.has(id))
      })
      const settle = yield* makeWriteBatcher({ run: settleAll, max: 200, concurrency: 1, minParallel: 1 })

      /** Gives back an unfinished delivery: it may arrive twice, but never not at all. */
      const release = Effect.fn("DeliveryQueue.release")(function* ({ id, fence }: ClaimedDelivery) {
        yield* sql`
          update webhook_deliveries set fence = fence + 1, status = 'pending',
            next_attempt_at = ${DateTime.toDateUtc(yield* DateTime.now)}
          where id = ${id} and fence = ${fence} and status = 'sending'`
      })

      /** Frees the deliveries of processes that are not seen to live; true: there were some. */
      const recover = Effect.fn("DeliveryQueue.recover")(function* () {
        const self = yield* wakeup.alive
        const freed = yield* sql`
          update webhook_deliveries set next_attempt_at = ${DateTime.toDateUtc(yield* DateTime.now)}, holder = null
          where status = 'sending' and holder <> ${self}::int and holder <> all (${liveProcesses(sql)})
          returning id`
        return freed.length > 0
      })

      /** Deletes old events with their deliveries. */
      const collect = Effect.fn("DeliveryQueue.collect")(function* () {
        yield* events.deleteBefore(DateTime.subtractDuration(yield* DateTime.now, retention))
      })

      return {
        claim: (held: Held, limit: number) => Effect.orDie(claimDue(held, limit)),
        /** When the loop has to look again, if nobody wakes it before. */
        nextAttemptAt: (held: Held) =>
          Effect.orDie(
            Effect.map(
              nextAttemptAt(held),
              Option.map((row) => row.next_attempt_at)
            )
          ),
        /** The end of a claim, fenced. False: no longer ours. */
        settle,
        release: (delivery: ClaimedDelivery) =>
          Effect.orDie(Effect.andThen(release(delivery), wakeup.deliveries.notify)),
        recover: Effect.suspend(() => Effect.orDie(recover())),
        collect: Effect.suspend(() => collect())
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(Events.layer))
}

const decodeClaimed = Schema.decodeUnknownEffect(Schema.Array(ClaimedDelivery))
