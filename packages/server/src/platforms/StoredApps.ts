import { PlatformAppName } from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { RegisteredApp } from "../AppConfig.ts"
import { CredentialCipher } from "../crypto/CredentialCipher.ts"
import { Instant } from "../sql/Rows.ts"

const Row = Schema.Struct({
  app: PlatformAppName,
  client_id: Schema.String,
  client_secret: Schema.Uint8Array,
  stored_at: Instant
})
const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

export interface StoredApp extends RegisteredApp {
  readonly name: PlatformAppName
  readonly stored_at: DateTime.Utc
}

/** The operator's apps that were entered here. Their secrets are encrypted, each bound to its app. */
export class StoredApps extends Context.Service<StoredApps>()("@carillon/server/platforms/StoredApps", {
  make: Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const cipher = yield* CredentialCipher

    const owner = (name: PlatformAppName) => `platform_app:${name}`
    const rows = Effect.flatMap(
      sql`select app, client_id, client_secret, stored_at from platform_apps`,
      decode
    )

    const all = Effect.map(rows, (found) =>
      found.map(({ app: name, client_id: id, client_secret, stored_at }): StoredApp => {
        const { bot_token, secret } = cipher.open(owner(name), client_secret)
        return {
          name,
          id,
          secret: Redacted.make(String(secret)),
          ...(typeof bot_token === "string" ? { bot_token: Redacted.make(bot_token) } : {}),
          stored_at
        }
      })
    )

    const put = Effect.fnUntraced(function* (
      name: PlatformAppName,
      { bot_token, id, secret }: RegisteredApp
    ) {
      const row = {
        app: name,
        client_id: id,
        client_secret: cipher.seal(owner(name), {
          secret: Redacted.value(secret),
          ...(bot_token === undefined ? {} : { bot_token: Redacted.value(bot_token) })
        }),
        stored_at: DateTime.toDateUtc(yield* DateTime.now)
      }
      yield* sql`
        insert into platform_apps ${sql.insert(row)}
        on conflict (app) do update set
          client_id = excluded.client_id, client_secret = excluded.client_secret, stored_at = excluded.stored_at`
    })

    /** Whether there was one. */
    const remove = (name: PlatformAppName) =>
      Effect.map(
        sql`delete from platform_apps where app = ${name} returning app`,
        (removed) => removed.length > 0
      )

    /** Encrypts under the present secret what is still under a former one; gives the number. */
    const reencrypt = Effect.gen(function* () {
      let count = 0
      for (const { app, client_secret } of yield* rows) {
        const renewed = cipher.renewed(owner(app), client_secret)
        if (Option.isNone(renewed)) continue
        yield* sql`
          update platform_apps set client_secret = ${renewed.value}
          where app = ${app} and client_secret = ${client_secret}`
        count += 1
      }
      return count
    })

    /** Locks them until the transaction ends. */
    const lock = sql`lock table platform_apps in exclusive mode`

    return {
      all: Effect.orDie(all),
      put: (name: PlatformAppName, app: RegisteredApp) => Effect.orDie(put(name, app)),
      remove: (name: PlatformAppName) => Effect.orDie(remove(name)),
      reencrypt: Effect.orDie(reencrypt),
      lock: Effect.orDie(lock)
    }
  })
}) {
  static readonly layer = Layer.effect(this, this.make).pipe(Layer.provide(CredentialCipher.layer))
}
