import { noticeDays, type PlatformId } from "@carillon/domain"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What an operator wants to know of the database: read without a change, also of one that is not up to date. */
export const databaseFacts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sentAt = yield* Clock.currentTimeMillis
  const [facts] = yield* sql<{
    readonly version: string
    readonly bytes: number
    readonly fsync: string
    readonly commits: string
    readonly readOnly: string
    readonly now: number
  }>`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
      current_setting('fsync') as fsync, current_setting('synchronous_commit') as commits,
      current_setting('transaction_read_only') as "readOnly",
      (extract(epoch from clock_timestamp()) * 1000)::float8 as now`
  // The database read its clock at some point between sending and receiving.
  return { ...facts!, clockAhead: facts!.now - (sentAt + (yield* Clock.currentTimeMillis)) / 2 }
})

/** What ends or has ended: keys within so many days, and accounts as soon as they are told of. */
export const endingWithin = (days: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const keys = yield* sql<{ readonly name: string; readonly ended: boolean; readonly at: Date }>`
      select name, expires_at <= now() as ended, expires_at as at from api_keys
      where expires_at <= now() + make_interval(days => ${days}) order by expires_at limit 20`
    const accounts = yield* sql<{ readonly name: string; readonly reason: string | null }>`
      select platform || '/@' || username as name, status_reason as reason from social_accounts
      where status = 'needs_reconnect' order by id limit 20`
    const ending = yield* sql<{
      readonly platform: PlatformId
      readonly username: string
      readonly status: "connected"
      readonly access_expires_at: Date
    }>`
      select platform, username, status, access_expires_at from social_accounts
      where status = 'connected' and access_expires_at <= now() + make_interval(days => ${noticeDays[0]})
      order by access_expires_at limit 20`
    return { keys, accounts, ending }
  })
