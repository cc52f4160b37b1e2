import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"

const reconnect =
  "The service was restored from a backup without its CARILLON_SECRET, so this account's credentials cannot be read. " +
  "Connect it again."
const rotate =
  "The service was restored from a backup without its CARILLON_SECRET. Rotate the webhook's secret, give it to the " +
  "receiver, and resume."
const enterAgain =
  "The service was restored from a backup without its CARILLON_SECRET, so the address cannot be read. Enter it again."

/** What a restore changes beside the posts. */
export class RestoreRepository extends Context.Service<RestoreRepository>()(
  "@carillon/server/backup/RestoreRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient

      /** Everything that was encrypted is lost with the secret. */
      const forgetSecrets = Effect.gen(function* () {
        yield* sql`
          update social_accounts set credentials = null, refresh_at = null, status = 'needs_reconnect', status_reason = ${reconnect}
          where credentials is not null`
        yield* sql`
          update webhooks set status = 'paused', status_reason = case when format is null then ${rotate} else ${enterAgain} end
          where status = 'active'`
        yield* sql`delete from platform_apps`
        yield* sql`delete from mastodon_apps`
        yield* sql`delete from idempotency_keys`
        yield* sql`delete from account_connections`
        yield* sql`delete from oauth_records where model = 'Client' and payload ? 'encrypted_secret'`
      })

      return { forgetSecrets }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
