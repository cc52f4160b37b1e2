import {
  EventId,
  EventType,
  type Page,
  WebhookDelivery,
  type WebhookDeliveryFilter,
  WebhookDeliveryId,
  WebhookDeliveryStatus,
  WebhookId,
  WebhookStatus,
  type WorkspaceId
} from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Events } from "../events/Events.ts"
import { Instant } from "../sql/Rows.ts"

export const WebhookRow = Schema.Struct({
  id: WebhookId,
  url: Schema.String,
  events: Schema.Array(EventType),
  description: Schema.NullOr(Schema.String),
  status: WebhookStatus,
  status_reason: Schema.NullOr(Schema.String),
  secrets: Schema.Uint8Array,
  failing_since: Schema.NullOr(Instant),
  created_at: Instant,
  updated_at: Instant
})
export interface WebhookRow extends Schema.Schema.Type<typeof WebhookRow> {}

/** How much of a message is shown. */
const excerptLength = 2000

const DeliveryRow = Schema.Struct({
  id: WebhookDeliveryId,
  webhook_id: WebhookId,
  event_id: EventId,
  event_type: WebhookDelivery.fields.event_type,
  event_at: Instant,
  event_data: Schema.String,
  status: WebhookDeliveryStatus,
  attempts: Schema.Int,
  next_attempt_at: Schema.NullOr(Instant),
  last_attempt_at: Schema.NullOr(Instant),
  response_status: Schema.NullOr(Schema.Int),
  response_excerpt: Schema.NullOr(Schema.String),
  error: Schema.NullOr(Schema.String),
  created_at: Instant,
  finished_at: Schema.NullOr(Instant)
})

/** The body as `Deliver` makes it, of which the data may be cut off. */
const toDelivery = ({ event_at, event_data, ...row }: typeof DeliveryRow.Type): WebhookDelivery => {
  const { event_type: type } = row
  const text = JSON.stringify({ type, timestamp: DateTime.formatIso(event_at), data: 0 })
  const request_excerpt = `${text.slice(0, -2)}${event_data}}`.slice(0, excerptLength).toWellFormed()
  return { ...row, request_excerpt }
}

/** A test event with its only delivery, held by its sender until `until`. */
export interface TestDelivery {
  readonly webhook_id: WebhookId
  readonly delivery_id: WebhookDeliveryId
  readonly event_id: EventId
  readonly data: Schema.Json
  readonly now: DateTime.Utc
  readonly until: DateTime.Utc
}

const columns =
  "w.id, w.url, w.events, w.description, w.status, w.status_reason, w.secrets, w.failing_since, w.created_at, w.updated_at"

/** A delivery in flight still shows as pending, and a paused webhook has no next try. */
const deliveryColumns = `
  d.id, d.webhook_id, e.id as event_id, e.type as event_type, e.created_at as event_at,
  left(e.data::text, ${excerptLength}) as event_data,
  case d.status when 'sending' then 'pending' else d.status end as status, d.attempts,
  case when d.status = 'pending' and w.status = 'active' then d.next_attempt_at end as next_attempt_at,
  d.last_attempt_at, d.response_status, d.response_excerpt, d.error, d.created_at, d.finished_at`

export class WebhookRepository extends Context.Service<WebhookRepository>()(
  "@carillon/server/webhooks/WebhookRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const events = yield* Events
      const all = sql.literal(columns)
      const ofDelivery = sql.literal(deliveryColumns)
      const decode = Schema.decodeUnknownEffect(Schema.Array(WebhookRow))
      const decodeDeliveries = Schema.decodeUnknownEffect(Schema.Array(DeliveryRow))
      const one = <A>(rows: ReadonlyArray<A>) => Option.fromNullishOr(rows[0])

      /** False: the workspace has `limit` of them already. */
      const insert = Effect.fnUntraced(
        function* (workspaceId: WorkspaceId, row: WebhookRow, createdBy: string | null, limit: number) {
          // Two at once must not both be the last that is allowed.
          yield* sql`select 1 from workspaces where id = ${workspaceId} for no key update`
          const inserted = yield* sql`
          insert into webhooks
            (id, workspace_id, url, events, description, status, secrets, created_by, created_at, updated_at)
          select ${row.id}, ${workspaceId}, ${row.url}, ${row.events}::text[], ${row.description}, ${row.status},
            ${row.secrets}, ${createdBy}::uuid, ${DateTime.toDateUtc(row.created_at)}, ${DateTime.toDateUtc(row.updated_at)}
          where (select count(*) from webhooks where workspace_id = ${workspaceId} and format is null) < ${limit}::int
          returning id`
          return inserted.length > 0
        },
        sql.withTransaction,
        Effect.orDie
      )

      const byId = Effect.fnUntraced(function* (workspaceId: WorkspaceId, id: WebhookId) {
        const rows = yield* sql`
          select ${all} from webhooks w where w.workspace_id = ${workspaceId} and w.id = ${id} and w.format is null`
        return one(yield* decode(rows))
      }, Effect.orDie)

      const list = Effect.fnUntraced(function* (workspaceId: WorkspaceId, page: Page) {
        const rows = yield* sql`
          select ${all} from webhooks w where w.workspace_id = ${workspaceId} and w.format is null
          order by w.created_at desc, w.id desc limit ${page.limit} offset ${page.offset}`
        const counted = yield* sql<{ total: number }>`
          select count(*)::int as total from webhooks where workspace_id = ${workspaceId} and format is null`
        return { data: yield* decode(rows), total: counted[0]!.total }
      }, Effect.orDie)

      /** Applies `change` to the webhook while nobody else can change it. */
      const update = Effect.fnUntraced(
        function* (
          workspaceId: WorkspaceId,
          id: WebhookId,
          change: (row: WebhookRow) => Effect.Effect<WebhookRow>
        ) {
          const locked = yield* sql`
            select ${all} from webhooks w where w.workspace_id = ${workspaceId} and w.id = ${id} and w.format is null for no key update`
          const before = one(yield* decode(locked))
          if (Option.isNone(before)) return Option.none()
          const row = yield* change(before.value)
          const now = DateTime.toDateUtc(row.updated_at)
          yield* sql`
            update webhooks set url = ${row.url}, events = ${row.events}::text[], description = ${row.description},
              status = ${row.status}, status_reason = ${row.status_reason}, secrets = ${row.secrets},
              failing_since = ${row.failing_since === null ? null : DateTime.toDateUtc(row.failing_since)}::timestamptz,
              updated_at = ${now}
            where id = ${id}`
          if (before.value.status === "paused" && row.status === "active") {
            yield* sql`
              update webhook_deliveries set next_attempt_at = ${now} where webhook_id = ${id} and status = 'pending'`
          }
          return Option.some(row)
        },
        sql.withTransaction,
        Effect.orDie
      )

      const remove = Effect.fnUntraced(
        function* (workspaceId: WorkspaceId, id: WebhookId) {
          const rows = yield* sql<{ readonly id: WebhookId; readonly url: string }>`
          delete from webhooks where workspace_id = ${workspaceId} and id = ${id} and format is null returning id, url`
          return one(rows)
        },
        // Deliveries are settled in the other order: they are locked before their webhook.
        Effect.retry({ times: 5, while: ({ isRetryable }) => isRetryable }),
        Effect.orDie
      )

      /** False: the webhook was deleted. The lock keeps it until the delivery refers to it. */
      const insertTest = Effect.fnUntraced(function* (workspaceId: WorkspaceId, test: TestDelivery) {
        const now = DateTime.toDateUtc(test.now)
        const inserted = yield* sql`
          with kept as (
            select id from webhooks where workspace_id = ${workspaceId} and id = ${test.webhook_id} for key share
          ), stored as (
            ${events.storing(sql`(
              select ${test.event_id}::uuid as id, ${workspaceId}::uuid as workspace_id, 'webhook.test' as type,
                id::text as subject, ${JSON.stringify(test.data)}::json as data, ${now}::timestamptz as created_at
              from kept) e`)}
          )
          insert into webhook_deliveries (id, webhook_id, event_sequence, status, next_attempt_at, created_at)
          select ${test.delivery_id}, ${test.webhook_id}, sequence, 'sending', ${DateTime.toDateUtc(test.until)}, ${now}
          from stored
          returning id`
        return inserted.length > 0
      }, Effect.orDie)

      const deliveries = Effect.fnUntraced(function* (
        id: WebhookId,
        filter: WebhookDeliveryFilter,
        page: Page
      ) {
        const states = filter.status?.flatMap((status) =>
          status === "pending" ? ["pending", "sending"] : [status]
        )
        const from = sql`
          from webhook_deliveries d join events e on e.sequence = d.event_sequence join webhooks w on w.id = d.webhook_id
          where ${sql.and([
            sql`d.webhook_id = ${id}`,
            ...(states ? [sql`d.status = any(${states}::text[])`] : []),
            ...(filter.event_type ? [sql`e.type = any(${filter.event_type}::text[])`] : [])
          ])}`
        const rows = yield* sql`
          select ${ofDelivery} ${from} order by d.created_at desc, d.id desc
          limit ${page.limit} offset ${page.offset}`
        const counted = yield* sql<{ total: number }>`select count(*)::int as total ${from}`
        return { data: (yield* decodeDeliveries(rows)).map(toDelivery), total: counted[0]!.total }
      }, Effect.orDie)

      const delivery = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspaceId: Schema.String, id: WebhookDeliveryId }),
        Result: DeliveryRow,
        execute: ({ workspaceId, id }) => sql`
          select ${ofDelivery} from webhook_deliveries d
          join events e on e.sequence = d.event_sequence join webhooks w on w.id = d.webhook_id
          where d.id = ${id} and w.workspace_id = ${workspaceId} and w.format is null`
      })

      /** Brings the next try forward, unless one is under way. */
      const hasten = (id: WebhookDeliveryId, now: DateTime.Utc) =>
        Effect.orDie(sql`
          update webhook_deliveries set next_attempt_at = ${DateTime.toDateUtc(now)}
          where id = ${id} and status = 'pending'`)

      const copy = (id: WebhookDeliveryId, newId: WebhookDeliveryId, at: DateTime.Utc) => {
        const now = DateTime.toDateUtc(at)
        return Effect.orDie(sql`
          with kept as (
            select d.webhook_id, d.event_sequence
            from webhook_deliveries d join webhooks w on w.id = d.webhook_id
            where d.id = ${id} for key share
          )
          insert into webhook_deliveries (id, webhook_id, event_sequence, status, next_attempt_at, created_at)
          select ${newId}, webhook_id, event_sequence, 'pending', ${now}, ${now} from kept`)
      }

      return {
        insert,
        byId,
        list,
        update,
        remove,
        insertTest,
        deliveries,
        delivery: (workspaceId: WorkspaceId, id: WebhookDeliveryId) =>
          Effect.orDie(Effect.map(delivery({ workspaceId, id }), Option.map(toDelivery))),
        hasten,
        /** The same event once more, out of turn; nothing where the webhook has been deleted. */
        copy
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(Events.layer))
}
