import {
  type Page,
  PlatformId,
  type SocialAccountFilter,
  SocialAccountId,
  SocialAccountStatus,
  WorkspaceId
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Instant, Int8 } from "../sql/Rows.ts"

export const SocialAccountRow = Schema.Struct({
  id: Int8,
  workspace_id: WorkspaceId,
  platform: PlatformId,
  remote_id: Schema.String,
  username: Schema.String,
  display_name: Schema.NullOr(Schema.String),
  avatar_url: Schema.NullOr(Schema.String),
  status: SocialAccountStatus,
  status_reason: Schema.NullOr(Schema.String),
  connected_at: Instant,
  token_expires_at: Schema.NullOr(Instant)
})
export interface SocialAccountRow extends Schema.Schema.Type<typeof SocialAccountRow> {}

const columns =
  "id, workspace_id, platform, remote_id, username, display_name, avatar_url, status, status_reason, connected_at, token_expires_at"

const Connected = Schema.Struct({
  workspace_id: WorkspaceId,
  platform: PlatformId,
  remote_id: Schema.String,
  username: Schema.String,
  display_name: Schema.NullOr(Schema.String),
  avatar_url: Schema.NullOr(Schema.String),
  credentials: Schema.Uint8Array,
  token_expires_at: Schema.NullOr(Instant),
  connected_at: Instant
})

export class SocialAccountRepository extends Context.Service<SocialAccountRepository>()(
  "@carillon/server/accounts/SocialAccountRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const all = sql.literal(columns)

      /** The same remote account again keeps its id. */
      const connect = SqlSchema.findOne({
        Request: Connected,
        Result: SocialAccountRow,
        execute: (account) => sql`
          insert into social_accounts ${sql.insert({
            ...account,
            status: "connected",
            created_at: account.connected_at
          })}
          on conflict (workspace_id, platform, remote_id) do update set
            username = excluded.username, display_name = excluded.display_name, avatar_url = excluded.avatar_url,
            credentials = excluded.credentials, token_expires_at = excluded.token_expires_at,
            status = 'connected', status_reason = null, paused_until = null, connected_at = excluded.connected_at
          returning ${all}`
      })

      const byIds = SqlSchema.findAll({
        Request: Schema.Struct({ workspace_id: WorkspaceId, ids: Schema.Array(Schema.Int) }),
        Result: SocialAccountRow,
        execute: ({ workspace_id, ids }) => sql`
          select ${all} from social_accounts where workspace_id = ${workspace_id} and id = any(${ids}::bigint[])`
      })

      const byId = SqlSchema.findOneOption({
        Request: Schema.Int,
        Result: SocialAccountRow,
        execute: (id) => sql`select ${all} from social_accounts where id = ${id}`
      })

      const where = (
        workspaceId: WorkspaceId,
        allowed: ReadonlyArray<number> | null,
        filter: SocialAccountFilter
      ) =>
        sql.and([
          sql`workspace_id = ${workspaceId}`,
          ...(allowed === null ? [] : [sql`id = any(${allowed}::bigint[])`]),
          ...(filter.platform ? [sql`platform = any(${filter.platform}::text[])`] : []),
          ...(filter.status ? [sql`status = any(${filter.status}::text[])`] : []),
          ...(filter.username === undefined
            ? []
            : [sql`lower(username) = lower(${filter.username.replace(/^@/, "")})`])
        ])

      const decode = Schema.decodeUnknownEffect(Schema.Array(SocialAccountRow))

      const list = Effect.fnUntraced(function* (
        workspaceId: WorkspaceId,
        allowed: ReadonlyArray<number> | null,
        filter: SocialAccountFilter,
        page: Page
      ) {
        const condition = where(workspaceId, allowed, filter)
        const rows = yield* sql`
          select ${all} from social_accounts where ${condition}
          order by id desc limit ${page.limit} offset ${page.offset}`
        const counted = yield* sql<{ total: number }>`
          select count(*)::int as total from social_accounts where ${condition}`
        return { data: yield* decode(rows), total: counted[0]!.total }
      }, Effect.orDie)

      const disconnect = Effect.fnUntraced(function* (workspaceId: WorkspaceId, id: number) {
        const rows = yield* sql`
          update social_accounts set status = 'disconnected', status_reason = 'Disconnected by the user.',
            credentials = null, token_expires_at = null, paused_until = null
          where workspace_id = ${workspaceId} and id = ${id} returning id`
        return rows.length > 0
      }, Effect.orDie)

      const credentials = Effect.fnUntraced(function* (id: number) {
        const rows = yield* sql<{ credentials: Uint8Array | null }>`
          select credentials from social_accounts where id = ${id}`
        return rows[0]?.credentials ?? null
      }, Effect.orDie)

      /** Writes refreshed credentials only over the ones that were refreshed. */
      const replaceCredentials = (
        id: number,
        before: Uint8Array,
        after: Uint8Array,
        tokenExpiresAt: DateTime.Utc | null
      ) =>
        Effect.orDie(
          Effect.asVoid(sql`
          update social_accounts set credentials = ${after},
            token_expires_at = ${tokenExpiresAt === null ? null : DateTime.toDateUtc(tokenExpiresAt)}
          where id = ${id} and credentials = ${before}`)
        )

      return {
        connect: (account: typeof Connected.Type) => Effect.orDie(connect(account)),
        byIds: (workspaceId: WorkspaceId, ids: ReadonlyArray<number>) =>
          Effect.orDie(byIds({ workspace_id: workspaceId, ids })),
        /** Of any workspace. */
        byId: (id: number) => Effect.orDie(byId(id)),
        list,
        disconnect,
        credentials,
        replaceCredentials
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

/** Rejects what is no id at all before it reaches a bigint column. */
export const toAccountId = (text: string): number | undefined =>
  /^[1-9]\d{0,14}$/.test(text) ? SocialAccountId.make(Number(text)) : undefined
