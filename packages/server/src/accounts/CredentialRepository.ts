import { PlatformId } from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Instant, Int8 } from "../sql/Rows.ts"

export const RefreshableAccount = Schema.Struct({ id: Int8, platform: PlatformId, remote_id: Schema.String })
export interface RefreshableAccount extends Schema.Schema.Type<typeof RefreshableAccount> {}

export const HeldCredentials = Schema.Struct({
  id: Int8,
  platform: PlatformId,
  remote_id: Schema.String,
  credentials: Schema.Uint8Array
})
export interface HeldCredentials extends Schema.Schema.Type<typeof HeldCredentials> {}

export interface TokenTimes {
  readonly token_expires_at: DateTime.Utc | null
  readonly refresh_at: DateTime.Utc | null
}

/** The encrypted credentials of accounts, and who renews them when. */
export class CredentialRepository extends Context.Service<CredentialRepository>()(
  "@carillon/server/accounts/CredentialRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const credentials = Effect.fnUntraced(function* (id: number) {
        const rows = yield* sql<{ credentials: Uint8Array | null }>`
          select credentials from social_accounts where id = ${id}`
        return rows[0]?.credentials ?? null
      }, Effect.orDie)

      /**
       * Takes the right to renew exactly these credentials until then; gives how often that has failed so far.
       * None: another process has it, or has renewed them.
       */
      const leaseRefresh = Effect.fnUntraced(function* (
        id: number,
        credentials: Uint8Array,
        now: DateTime.Utc,
        until: DateTime.Utc
      ) {
        const rows = yield* sql<{ refresh_failures: number }>`
          update social_accounts set refreshing_until = ${DateTime.toDateUtc(until)}
          where id = ${id} and credentials = ${credentials}
            and (refreshing_until is null or refreshing_until <= ${DateTime.toDateUtc(now)})
          returning refresh_failures`
        return Option.fromUndefinedOr(rows[0]?.refresh_failures)
      })

      /** Writes renewed credentials only over those that were renewed. `noticed`: an end after it is told of anew. */
      const replaceCredentials = Effect.fnUntraced(function* (
        id: number,
        before: Uint8Array,
        after: Uint8Array,
        {
          token_expires_at,
          refresh_at,
          access_expires_at
        }: TokenTimes & {
          readonly access_expires_at?: DateTime.Utc
        },
        noticed: DateTime.Utc
      ) {
        const end = sql`coalesce(${date(access_expires_at ?? null)}::timestamptz, access_expires_at)`
        yield* sql`
          update social_accounts set credentials = ${after}, token_expires_at = ${date(token_expires_at)},
            refresh_at = ${date(refresh_at)}, refreshing_until = null, refresh_failures = 0, access_expires_at = ${end},
            expiry_notice = case when ${end} > ${DateTime.toDateUtc(noticed)} then null else expiry_notice end
          where id = ${id} and credentials = ${before}`
      })

      /** Records a failed renewal: others may try, and the next try ahead of the end is then. */
      const releaseRefresh = Effect.fnUntraced(function* (
        id: number,
        before: Uint8Array,
        refreshAt: DateTime.Utc | null
      ) {
        yield* sql`
          update social_accounts set refreshing_until = null, refresh_at = ${date(refreshAt)},
            refresh_failures = refresh_failures + 1
          where id = ${id} and credentials = ${before}`
      })

      const dueForRefresh = SqlSchema.findAll({
        Request: Schema.Struct({ platforms: Schema.Array(PlatformId), now: Instant, limit: Schema.Int }),
        Result: RefreshableAccount,
        execute: ({ platforms, now, limit }) => sql`
          select id, platform, remote_id from social_accounts
          where status = 'connected' and refresh_at <= ${now} and platform = any(${platforms}::text[])
            and (refreshing_until is null or refreshing_until <= ${now})
          order by refresh_at limit ${limit}`
      })

      const nextRefreshAt = SqlSchema.findOneOption({
        Request: Schema.Array(PlatformId),
        Result: Schema.Struct({ at: Instant }),
        execute: (platforms) => sql`
          select greatest(refresh_at, refreshing_until) as at from social_accounts
          where status = 'connected' and refresh_at is not null and platform = any(${platforms}::text[])
          order by 1 limit 1`
      })

      const holdingCredentials = SqlSchema.findAll({
        Request: Schema.Struct({
          after: Schema.Int,
          limit: Schema.Int,
          platform: Schema.NullOr(PlatformId)
        }),
        Result: HeldCredentials,
        execute: ({ after, limit, platform }) => sql`
          select id, platform, remote_id, credentials from social_accounts
          where id > ${after} and credentials is not null
            and (${platform}::text is null or platform = ${platform}::text)
          order by id limit ${limit}`
      })

      const connectedTo = SqlSchema.findAll({
        Request: PlatformId,
        Result: HeldCredentials,
        execute: (platform) => sql`
          select id, platform, remote_id, credentials from social_accounts
          where platform = ${platform} and status = 'connected' and demo is null and credentials is not null
          order by id`
      })

      /** The same credentials, encrypted anew. */
      const reencrypt = Effect.fnUntraced(function* (id: number, before: Uint8Array, after: Uint8Array) {
        yield* sql`update social_accounts set credentials = ${after} where id = ${id} and credentials = ${before}`
      })

      return {
        credentials,
        leaseRefresh: (...args: Parameters<typeof leaseRefresh>) => Effect.orDie(leaseRefresh(...args)),
        replaceCredentials,
        releaseRefresh: (...args: Parameters<typeof releaseRefresh>) => Effect.orDie(releaseRefresh(...args)),
        dueForRefresh: (platforms: ReadonlyArray<PlatformId>, now: DateTime.Utc, limit: number) =>
          Effect.orDie(dueForRefresh({ platforms, now, limit })),
        nextRefreshAt: (platforms: ReadonlyArray<PlatformId>) =>
          Effect.orDie(
            Effect.map(
              nextRefreshAt(platforms),
              Option.map(({ at }) => at)
            )
          ),
        /** Accounts of any workspace in the order of their ids, after `after`. */
        holdingCredentials: (platform: PlatformId | null, after: number, limit: number) =>
          Effect.orDie(holdingCredentials({ platform, after, limit })),
        /** Connected accounts of any workspace, without demo accounts. */
        connectedTo: (platform: PlatformId) => Effect.orDie(connectedTo(platform)),
        reencrypt: (...args: Parameters<typeof reencrypt>) => Effect.orDie(reencrypt(...args))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

const date = (instant: DateTime.Utc | null) => (instant === null ? null : DateTime.toDateUtc(instant))
