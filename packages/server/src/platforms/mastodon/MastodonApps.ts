import { Context, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { RegisteredApp } from "../../AppConfig.ts"
import { CredentialCipher } from "../../crypto/CredentialCipher.ts"
import { makeKeyedLock } from "../../KeyedLock.ts"
import { Throttle } from "../../http/Throttle.ts"
import { PublishError } from "../Platform.ts"

/** The place that an app is registered for. */
export interface MastodonPlace {
  /** The server's address, without a path. */
  readonly server: string
  readonly redirect_uri: string
  readonly scopes: string
}

const Row = Schema.Struct({
  server: Schema.String,
  client_id: Schema.String,
  client_secret: Schema.Uint8Array
})
const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

/** Whoever may connect accounts can name servers without end; what is dropped is registered anew. */
const mostKept = 1000
/** Registrations at one server in an hour. Whatever is done here, a stranger's server is not filled with apps. */
const mostAnHour = 5

/** The apps of this service at the servers of accounts, one for each. Their secrets are encrypted, each bound to its app. */
export class MastodonApps extends Context.Service<MastodonApps>()(
  "@carillon/server/platforms/mastodon/MastodonApps",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const cipher = yield* CredentialCipher
      const throttle = yield* Throttle
      const oneAtATime = yield* makeKeyedLock<string>()

      const owner = (server: string, clientId: string) => `mastodon_app:${server}:${clientId}`

      const find = Effect.fnUntraced(function* ({ redirect_uri, scopes, server }: MastodonPlace) {
        const [row] = yield* Effect.flatMap(
          sql`
            select server, client_id, client_secret from mastodon_apps
            where server = ${server} and redirect_uri = ${redirect_uri} and scopes = ${scopes}`,
          decode
        )
        if (row === undefined) return undefined
        const { client_id: id, client_secret } = row
        const secret = Redacted.make(String(cipher.open(owner(server, id), client_secret)["secret"]))
        return { id, secret } satisfies RegisteredApp
      }, Effect.orDie)

      /** Unless another process was faster. */
      const put = Effect.fnUntraced(function* (
        place: MastodonPlace,
        before: RegisteredApp | undefined,
        { id, secret }: RegisteredApp
      ) {
        const row = {
          ...place,
          client_id: id,
          client_secret: cipher.seal(owner(place.server, id), { secret: Redacted.value(secret) }),
          registered_at: DateTime.toDateUtc(yield* DateTime.now)
        }
        yield* sql`
          insert into mastodon_apps ${sql.insert(row)}
          on conflict (server, redirect_uri, scopes) do update set
            client_id = excluded.client_id, client_secret = excluded.client_secret, registered_at = excluded.registered_at
          where mastodon_apps.client_id = ${before?.id ?? ""}`
        yield* sql`
          delete from mastodon_apps where registered_at < (
            select registered_at from mastodon_apps order by registered_at desc offset ${mostKept - 1} limit 1)`
      }, Effect.orDie)

      /** The stored app while the server knows it, else a new one. Of two that were registered at once all use one. */
      const obtain = (
        place: MastodonPlace,
        isKnown: (app: RegisteredApp) => Effect.Effect<boolean, PublishError>,
        register: Effect.Effect<RegisteredApp, PublishError>
      ): Effect.Effect<RegisteredApp, PublishError> =>
        Effect.gen(function* () {
          const before = yield* find(place)
          if (before !== undefined && (yield* isKnown(before))) return before
          const made = yield* register
          yield* put(place, before, made)
          return (yield* find(place)) ?? made
        }).pipe(oneAtATime(JSON.stringify(place)))

      /** Counts a registration, for all processes together, before the server is asked. */
      const admit = (server: string): Effect.Effect<void, PublishError> =>
        throttle.take({ bucket: `mastodon-app:${server}`, most: mostAnHour, within: "1 hour" }).pipe(
          Effect.catchTag("Throttled", ({ retry_after_seconds: seconds }) =>
            Effect.flatMap(DateTime.now, (now) => {
              const retry_at = DateTime.add(now, { seconds })
              return Effect.fail(
                new PublishError({
                  class: "rate_limited",
                  code: "too_many_registrations",
                  message: `Carillon has registered itself at ${new URL(server).host} five times within an hour, the most that it asks of a server. Try again at ${DateTime.formatIso(retry_at)}, or use an access token.`,
                  retry_at
                })
              )
            })
          )
        )

      /** Encrypts under the present secret what is still under a former one; gives the number. */
      const reencrypt = Effect.gen(function* () {
        let count = 0
        const rows = yield* Effect.flatMap(
          sql`select server, client_id, client_secret from mastodon_apps`,
          decode
        )
        for (const { server, client_id, client_secret } of rows) {
          const renewed = cipher.renewed(owner(server, client_id), client_secret)
          if (Option.isNone(renewed)) continue
          yield* sql`
            update mastodon_apps set client_secret = ${renewed.value}
            where server = ${server} and client_secret = ${client_secret}`
          count += 1
        }
        return count
      })

      return { obtain, admit, reencrypt: Effect.orDie(reencrypt) }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make).pipe(
    Layer.provide([CredentialCipher.layer, Throttle.layer])
  )
}
