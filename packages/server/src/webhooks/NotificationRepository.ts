import {
  NotificationAttempt,
  NotificationEvent,
  NotificationFormat,
  WebhookStatus,
  type WorkspaceId
} from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { int8s, Instant } from "../sql/Rows.ts"
import { type Kind, mostNamed, type Troubles, type Workspace } from "./noticeOf.ts"

/** The webhook of a workspace's people. */
export const PeopleRow = Schema.Struct({
  id: Schema.String,
  /** By its host alone. */
  url: Schema.String,
  format: NotificationFormat,
  events: Schema.Array(NotificationEvent),
  status: WebhookStatus,
  status_reason: Schema.NullOr(Schema.String),
  /** The whole address, encrypted. */
  secrets: Schema.Uint8Array,
  failing_since: Schema.NullOr(Instant)
})
export interface PeopleRow extends Schema.Schema.Type<typeof PeopleRow> {}

/** What a person sets of it. */
export type PeopleChange = Pick<PeopleRow, "id" | "url" | "format" | "events" | "secrets">

const AttemptRow = Schema.Struct({ ...NotificationAttempt.fields, at: Instant })

const kind = `case type when 'post.result' then e.data ->> 'status' else split_part(type, '.', 2) end`

export class NotificationRepository extends Context.Service<NotificationRepository>()(
  "@carillon/server/webhooks/NotificationRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const decode = Schema.decodeUnknownEffect(Schema.Array(PeopleRow))
      const decodeAttempts = Schema.decodeUnknownEffect(Schema.Array(AttemptRow))
      const kindOf = sql.literal(kind)

      const get = Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
        const rows = yield* sql`
          select id, url, format, events, status, status_reason, secrets, failing_since
          from webhooks where workspace_id = ${workspaceId} and format is not null`
        return Option.fromNullishOr((yield* decode(rows))[0])
      }, Effect.orDie)

      /** Sets what `change` makes of the present one while nobody else can. What waits is told then. */
      const set = Effect.fnUntraced(function* <E>(
        workspaceId: WorkspaceId,
        change: (before: Option.Option<PeopleRow>) => Effect.Effect<PeopleChange, E>
      ) {
        yield* Effect.orDie(sql`select 1 from workspaces where id = ${workspaceId} for no key update`)
        const row = yield* change(yield* get(workspaceId))
        const now = DateTime.toDateUtc(yield* DateTime.now)
        yield* Effect.orDie(sql`
          with set as (
            insert into webhooks (id, workspace_id, url, format, events, status, secrets, created_at, updated_at)
            values (${row.id}, ${workspaceId}, ${row.url}, ${row.format}, ${row.events}::text[], 'active', ${row.secrets},
              ${now}, ${now})
            on conflict (id) do update set url = excluded.url, format = excluded.format, events = excluded.events,
              status = 'active', status_reason = null, secrets = excluded.secrets, failing_since = null, updated_at = ${now}
          )
          update webhook_deliveries set attempts = 0, next_attempt_at = least(next_attempt_at, created_at + interval '1 minute')
          where webhook_id = ${row.id} and status = 'pending'`)
        return row
      })

      const remove = Effect.fnUntraced(
        function* (workspaceId: WorkspaceId) {
          const rows = yield* sql<{ readonly id: string; readonly url: string }>`
            delete from webhooks where workspace_id = ${workspaceId} and format is not null returning id, url`
          return Option.fromNullishOr(rows[0])
        },
        // As of other webhooks: deliveries are locked before their webhook.
        Effect.retry({ times: 5, while: ({ isRetryable }) => isRetryable }),
        Effect.orDie
      )

      const lastAttempt = Effect.fnUntraced(function* (id: string) {
        const rows = yield* sql`
          select last_attempt_at as at, response_status, response_excerpt, error from webhook_deliveries
          where webhook_id = ${id} and last_attempt_at is not null order by last_attempt_at desc limit 1`
        return (yield* decodeAttempts(rows))[0] ?? null
      }, Effect.orDie)

      const workspace = Effect.fnUntraced(function* (id: string) {
        const rows = yield* sql<Workspace>`
          select w.id, w.name from workspaces w where w.id = (select workspace_id from webhooks where id = ${id})`
        return rows[0]
      }, Effect.orDie)

      /** What the events with these sequences were. */
      const troubles = Effect.fnUntraced(function* (sequences: ReadonlyArray<number>) {
        const these = sql`e.sequence = any(${int8s(sequences)}::bigint[])`
        const counts = yield* sql<{ kind: Kind; count: number }>`
          select ${kindOf} as kind, count(*)::int as count from events e where ${these} group by 1`
        const first = yield* sql<Troubles["first"][number]>`
          select ${kindOf} as kind, coalesce(e.data ->> 'post_id', e.data ->> 'id') as id, e.data ->> 'platform' as platform,
            coalesce(a.username, e.data ->> 'username') as username, coalesce(p.caption, e.data ->> 'caption') as caption,
            coalesce(e.data #>> '{error,message}', e.data ->> 'status_reason') as reason
          from events e
          left join social_accounts a
            on a.id = (e.data ->> 'social_account_id')::bigint and a.workspace_id = e.workspace_id
          left join posts p on p.id = (e.data ->> 'post_id')::uuid and p.workspace_id = e.workspace_id
          where ${these} order by e.sequence limit ${mostNamed}`
        return {
          counts: Object.fromEntries(counts.map(({ count, kind }) => [kind, count])),
          first
        } satisfies Troubles
      }, Effect.orDie)

      return { get, set, remove, lastAttempt, workspace, troubles }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
