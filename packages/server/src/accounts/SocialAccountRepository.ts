import {
  AccountLimits,
  DemoState,
  type Page,
  PlatformId,
  type SocialAccountFilter,
  SocialAccountStatus,
  UpdateSocialAccount,
  WorkspaceId
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { isWanted } from "../events/isWanted.ts"
import { Instant, Int8, int8s } from "../sql/Rows.ts"
import { HeldCredentials, RefreshableAccount } from "./CredentialRepository.ts"

export const SocialAccountRow = Schema.Struct({
  id: Int8,
  workspace_id: WorkspaceId,
  platform: PlatformId,
  remote_id: Schema.String,
  username: Schema.String,
  display_name: Schema.NullOr(Schema.String),
  /** Of the picture that is kept; null: there is none. */
  avatar_version: Schema.NullOr(Schema.String),
  status: SocialAccountStatus,
  status_reason: Schema.NullOr(Schema.String),
  connected_at: Instant,
  token_expires_at: Schema.NullOr(Instant),
  access_expires_at: Schema.NullOr(Instant),
  default_board_id: Schema.NullOr(Schema.String),
  default_privacy_level: Schema.NullOr(Schema.String),
  limits: Schema.NullOr(AccountLimits),
  granted_scopes: Schema.NullOr(Schema.Array(Schema.String)),
  demo: Schema.NullOr(DemoState)
})
export interface SocialAccountRow extends Schema.Schema.Type<typeof SocialAccountRow> {}

const DisconnectedAccount = Schema.Struct({
  ...HeldCredentials.fields,
  credentials: Schema.NullOr(HeldCredentials.fields.credentials),
  was_connected: Schema.Boolean,
  /** Whether someone asks for the event. */
  wanted: Schema.Boolean
})

const postDependsOn = [
  "id",
  "workspace_id",
  "status",
  "username",
  "default_board_id",
  "default_privacy_level",
  "limits",
  "granted_scopes"
] as const

const columns =
  "id, workspace_id, platform, remote_id, username, display_name, avatar_version, status, status_reason, connected_at, token_expires_at, access_expires_at, " +
  "default_board_id, default_privacy_level, limits, granted_scopes, demo"

const Connected = Schema.Struct({
  workspace_id: WorkspaceId,
  platform: PlatformId,
  remote_id: Schema.String,
  username: Schema.String,
  display_name: Schema.NullOr(Schema.String),
  avatar_url: Schema.NullOr(Schema.String),
  avatar: Schema.NullOr(Schema.Uint8Array),
  avatar_version: Schema.NullOr(Schema.String),
  credentials: Schema.Uint8Array,
  token_expires_at: Schema.NullOr(Instant),
  refresh_at: Schema.NullOr(Instant),
  access_expires_at: Schema.optionalKey(Instant),
  connected_at: Instant,
  default_board_id: Schema.NullOr(Schema.String),
  limits: Schema.NullOr(Schema.fromJsonString(AccountLimits)),
  granted_scopes: Schema.NullOr(Schema.fromJsonString(Schema.Array(Schema.String))),
  demo: Schema.optionalKey(DemoState)
})

const KnownAccount = Schema.Struct({
  id: Int8,
  remote_id: Schema.String,
  status: SocialAccountStatus
})

const AvatarSource = Schema.Struct({ id: Int8, workspace_id: WorkspaceId, avatar_url: Schema.String })
export interface AvatarSource extends Schema.Schema.Type<typeof AvatarSource> {}

/** A small picture, and what is different when the picture is. */
export interface AvatarPicture {
  readonly avatar: Uint8Array
  readonly avatar_version: string
}

const ExpiringAccount = Schema.Struct({
  id: Int8,
  access_expires_at: Instant,
  expiry_notice: Schema.NullOr(Schema.Int)
})
export interface ExpiringAccount extends Schema.Schema.Type<typeof ExpiringAccount> {}

export class SocialAccountRepository extends Context.Service<SocialAccountRepository>()(
  "@carillon/server/accounts/SocialAccountRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const all = sql.literal(columns)

      /** The same remote account again keeps its id. */
      const connect = SqlSchema.findOne({
        Request: Connected,
        Result: Schema.Struct({ ...SocialAccountRow.fields, was_known: Schema.Boolean }),
        execute: (account) => sql`
          insert into social_accounts ${sql.insert({
            ...account,
            status: "connected",
            created_at: account.connected_at,
            limits_asked_at: account.connected_at
          })}
          on conflict (workspace_id, platform, remote_id) do update set
            username = excluded.username, display_name = excluded.display_name, avatar_url = excluded.avatar_url,
            avatar = case when excluded.avatar_url is null or excluded.avatar is not null
              then excluded.avatar else social_accounts.avatar end,
            avatar_version = case when excluded.avatar_url is null or excluded.avatar is not null
              then excluded.avatar_version else social_accounts.avatar_version end,
            credentials = excluded.credentials, token_expires_at = excluded.token_expires_at,
            refresh_at = excluded.refresh_at, refreshing_until = null, refresh_failures = 0,
            access_expires_at = excluded.access_expires_at, expiry_notice = null,
            demo = case social_accounts.demo when 'removed' then 'active' else social_accounts.demo end,
            granted_scopes = excluded.granted_scopes, limits = excluded.limits, limits_asked_at = excluded.limits_asked_at,
            status = 'connected', status_reason = null, paused_until = null, connected_at = excluded.connected_at,
            default_board_id = coalesce(social_accounts.default_board_id, excluded.default_board_id)
          -- A row that was just inserted has no xmax.
          returning ${all}, xmax <> 0 as was_known`
      })

      const known = SqlSchema.findAll({
        Request: Schema.Struct({
          workspace_id: WorkspaceId,
          platform: PlatformId,
          remote_ids: Schema.Array(Schema.String)
        }),
        Result: KnownAccount,
        execute: ({ workspace_id, platform, remote_ids }) => sql`
          select id, remote_id, status from social_accounts
          where workspace_id = ${workspace_id} and platform = ${platform} and ${sql.in("remote_id", remote_ids)}`
      })

      const byIds = SqlSchema.findAll({
        Request: Schema.Struct({ workspace_id: WorkspaceId, ids: Schema.Array(Schema.Int) }),
        Result: SocialAccountRow,
        execute: ({ workspace_id, ids }) => sql`
          select ${all} from social_accounts where workspace_id = ${workspace_id} and id = any(${int8s(ids)}::bigint[])`
      })

      /** A part of a statement: the accounts that have changed since in a way that matters to a post. */
      const changed = (accounts: ReadonlyArray<SocialAccountRow>) => sql`
        select a.id from json_to_recordset(${JSON.stringify(
          accounts.map((account) => Struct.pick(account, postDependsOn))
        )}::json) as a (id bigint, workspace_id uuid, status text, username text, default_board_id text, default_privacy_level text, limits jsonb,
          granted_scopes jsonb)
        where not exists (
          select from social_accounts s
          where s.id = a.id and s.workspace_id = a.workspace_id and s.status = a.status and s.username = a.username
            and s.default_board_id is not distinct from a.default_board_id
            and s.default_privacy_level is not distinct from a.default_privacy_level
            and s.limits is not distinct from a.limits
            and s.granted_scopes is not distinct from a.granted_scopes)`

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
          ...(allowed === null ? [] : [sql`id = any(${int8s(allowed)}::bigint[])`]),
          ...(filter.platform ? [sql`platform = any(${filter.platform}::text[])`] : []),
          ...(filter.status ? [sql`status = any(${filter.status}::text[])`] : []),
          ...(filter.q === undefined
            ? []
            : [
                sql`(strpos(lower(username), lower(${filter.q.replace(/^@/, "")})) > 0
                  or strpos(lower(display_name), lower(${filter.q})) > 0)`
              ]),
          ...(filter.username === undefined
            ? []
            : [
                sql`lower(username) in (
                  select lower(one) from unnest(${filter.username.map((name) => name.replace(/^@/, ""))}::text[]) one)`
              ])
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

      /** Erases the stored credentials. The answer is what it was before. */
      const disconnect = SqlSchema.findOne({
        Request: Schema.Struct({ workspace_id: WorkspaceId, id: Schema.Int, now: Schema.Date }),
        Result: DisconnectedAccount,
        execute: ({ workspace_id, id, now }) => sql`
          with before as (
            select id, platform, remote_id, credentials, status <> 'disconnected' as was_connected,
              ${isWanted(sql, sql`social_accounts.workspace_id`, ["account.disconnected"], now)} as wanted
            from social_accounts where workspace_id = ${workspace_id} and id = ${id} for update
          ), disconnected as (
            update social_accounts set status = 'disconnected', status_reason = 'Disconnected by the user.',
              credentials = null, token_expires_at = null, refresh_at = null, paused_until = null,
              access_expires_at = null, expiry_notice = null,
              demo = case demo when 'replaced' then 'removed' else demo end,
              avatar_url = null, avatar = null, avatar_version = null
            from before where social_accounts.id = before.id
          )
          select * from before`
      })

      const setDefaults = SqlSchema.findOneOption({
        Request: Schema.Struct({
          workspace_id: WorkspaceId,
          id: Schema.Int,
          defaults: UpdateSocialAccount
        }),
        Result: SocialAccountRow,
        execute: ({ workspace_id, id, defaults }) => sql`
          update social_accounts set ${sql.update({ ...defaults })}
          where workspace_id = ${workspace_id} and id = ${id} returning ${all}`
      })

      /** Accounts whose platform names a picture that is not kept: one of them, or those that were connected last. */
      const withoutAvatar = SqlSchema.findAll({
        Request: Schema.Struct({ id: Schema.NullOr(Schema.Int), limit: Schema.Int }),
        Result: AvatarSource,
        execute: ({ id, limit }) => sql`
          select id, workspace_id, avatar_url from social_accounts
          where avatar_url is not null and avatar is null and status <> 'disconnected'
            and (${id}::bigint is null or id = ${id}::bigint)
          order by connected_at desc limit ${limit}`
      })

      /** Unless the account has another picture by now, or is gone. */
      const keepAvatar = Effect.fnUntraced(function* (
        { id, avatar_url }: AvatarSource,
        { avatar, avatar_version }: AvatarPicture
      ) {
        yield* sql`
          update social_accounts set ${sql.update({ avatar, avatar_version })}
          where id = ${id} and avatar_url = ${avatar_url} and avatar is null`
      }, Effect.orDie)

      const avatar = Effect.fnUntraced(function* (id: number, version: string) {
        const rows = yield* sql<{ avatar: Uint8Array | null }>`
          select avatar from social_accounts where id = ${id} and avatar_version = ${version}`
        return rows[0]?.avatar ?? null
      }, Effect.orDie)

      /** The encrypted credentials of those that have some, by id. */
      const sealed = Effect.fnUntraced(function* (ids: ReadonlyArray<number>) {
        const rows = yield* sql<{ id: string; credentials: Uint8Array }>`
          select id, credentials from social_accounts
          where id = any(${int8s(ids)}::bigint[]) and credentials is not null`
        return new Map(rows.map(({ id, credentials }) => [Number(id), credentials]))
      }, Effect.orDie)

      /** Accounts of any workspace whose access ends within one of these days and that were not told of since. */
      const expiring = SqlSchema.findAll({
        Request: Schema.Struct({ now: Instant, days: Schema.Array(Schema.Int), limit: Schema.Int }),
        Result: ExpiringAccount,
        execute: ({ now, days, limit }) => sql`
          select id, access_expires_at, expiry_notice from social_accounts
          where status = 'connected' and demo is null and access_expires_at > ${now} and ${sql.or(
            days.map(
              (count) => sql`(access_expires_at <= ${now}::timestamptz + make_interval(days => ${count})
                and (expiry_notice is null or expiry_notice > ${count}))`
            )
          )}
          order by access_expires_at limit ${limit}`
      })

      /** None if it is not as it was read. */
      const markNotice = SqlSchema.findOneOption({
        Request: Schema.Struct({ ...ExpiringAccount.fields, notice: Schema.Int }),
        Result: SocialAccountRow,
        execute: ({ id, access_expires_at, expiry_notice, notice }) => sql`
          update social_accounts set expiry_notice = ${notice}
          where id = ${id} and status = 'connected' and access_expires_at = ${access_expires_at}
            and expiry_notice is not distinct from ${expiry_notice}::int
          returning ${all}`
      })

      /** Connected accounts whose limits were last asked for before then; they count as asked now. */
      const takeForLimits = SqlSchema.findAll({
        Request: Schema.Struct({
          platforms: Schema.Array(PlatformId),
          before: Instant,
          now: Instant,
          limit: Schema.Int
        }),
        Result: RefreshableAccount,
        execute: ({ platforms, before, now, limit }) => sql`
          update social_accounts set limits_asked_at = ${now} where id = any (array(
            select id from social_accounts
            where status = 'connected' and platform = any(${platforms}::text[])
              and (limits_asked_at is null or limits_asked_at <= ${before})
            order by id limit ${limit} for update skip locked))
          returning id, platform, remote_id`
      })

      /** Connected accounts that were not told of; they count as told now. */
      const takeForWarning = SqlSchema.findAll({
        Request: Schema.Struct({ platform: PlatformId, now: Instant, limit: Schema.Int }),
        Result: SocialAccountRow,
        execute: ({ platform, now, limit }) => sql`
          update social_accounts set warned_at = ${now} where id = any (array(
            select id from social_accounts
            where status = 'connected' and platform = ${platform} and warned_at is null
            order by id limit ${limit} for update skip locked))
          returning ${all}`
      })

      /** It is still there. */
      const remindOfWarning = SqlSchema.void({
        Request: Schema.Struct({ platform: PlatformId, before: Instant, now: Instant }),
        execute: ({ before, now, platform }) => sql`
          update social_accounts set warned_at = ${now} where platform = ${platform} and warned_at <= ${before}`
      })

      const forgetWarning = SqlSchema.void({
        Request: Schema.Struct({ platform: PlatformId, before: Instant }),
        execute: ({ platform, before }) => sql`
          update social_accounts set warned_at = null where platform = ${platform} and warned_at <= ${before}`
      })

      const keepLimits = SqlSchema.void({
        Request: Schema.Struct({ id: Schema.Int, limits: Schema.fromJsonString(AccountLimits) }),
        execute: ({ id, limits }) =>
          sql`update social_accounts set limits = ${limits}::jsonb where id = ${id} and status = 'connected'`
      })

      return {
        connect: (account: typeof Connected.Type) => Effect.orDie(connect(account)),
        /** Those that have one of these ids at the platform. */
        known: (workspace_id: WorkspaceId, platform: PlatformId, remote_ids: ReadonlyArray<string>) =>
          Effect.orDie(known({ workspace_id, platform, remote_ids })),
        byIds: (workspaceId: WorkspaceId, ids: ReadonlyArray<number>) =>
          Effect.orDie(byIds({ workspace_id: workspaceId, ids })),
        /** An account of any workspace. */
        byId: (id: number) => Effect.orDie(byId(id)),
        changed,
        list,
        withoutAvatar: (id: number | null, limit: number) => Effect.orDie(withoutAvatar({ id, limit })),
        keepAvatar,
        avatar,
        disconnect: (workspaceId: WorkspaceId, id: number, now: DateTime.Utc) =>
          Effect.orDie(disconnect({ workspace_id: workspaceId, id, now: DateTime.toDateUtc(now) })),
        /** At least one of them. */
        setDefaults: (workspaceId: WorkspaceId, id: number, defaults: UpdateSocialAccount) =>
          Effect.orDie(setDefaults({ workspace_id: workspaceId, id, defaults })),
        sealed,
        expiring: (now: DateTime.Utc, days: ReadonlyArray<number>, limit: number) =>
          Effect.orDie(expiring({ now, days, limit })),
        markNotice: (account: ExpiringAccount, notice: number) =>
          Effect.orDie(markNotice({ ...account, notice })),
        takeForLimits: (
          platforms: ReadonlyArray<PlatformId>,
          before: DateTime.Utc,
          now: DateTime.Utc,
          limit: number
        ) => Effect.orDie(takeForLimits({ platforms, before, now, limit })),
        takeForWarning: (platform: PlatformId, now: DateTime.Utc, limit: number) =>
          Effect.orDie(takeForWarning({ platform, now, limit })),
        remindOfWarning: (platform: PlatformId, before: DateTime.Utc, now: DateTime.Utc) =>
          Effect.orDie(remindOfWarning({ platform, before, now })),
        forgetWarning: (platform: PlatformId, before: DateTime.Utc) =>
          Effect.orDie(forgetWarning({ platform, before })),
        keepLimits: (id: number, limits: AccountLimits) => Effect.orDie(keepLimits({ id, limits }))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
