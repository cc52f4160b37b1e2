import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { CredentialCipher } from "../crypto/CredentialCipher.ts"
import { newSecret } from "./Signature.ts"

/** A secret, and until when it signs: null is the present one. */
const Stored = Schema.Struct({
  secrets: Schema.Array(
    Schema.Struct({ secret: Schema.String, until: Schema.NullOr(Schema.DateTimeUtcFromString) })
  )
})
const encode = Schema.encodeSync(Stored)
const decode = Schema.decodeUnknownSync(Stored)

/** A new secret, with all secrets of the webhook to store from now on. */
export interface IssuedSecret {
  readonly secret: string
  readonly stored: Uint8Array
}

/** The signing secrets of webhooks: encrypted at rest, bound to their webhook, and replaced with a day of overlap. */
export class WebhookSecrets extends Context.Service<
  WebhookSecrets,
  {
    issue(webhookId: string): Effect.Effect<IssuedSecret>
    rotate(webhookId: string, stored: Uint8Array): Effect.Effect<IssuedSecret>
    /** The secrets that sign now, the present one first. */
    current(webhookId: string, stored: Uint8Array): Effect.Effect<ReadonlyArray<string>>
  }
>()("@carillon/server/webhooks/WebhookSecrets") {
  static readonly layer = Layer.effect(
    WebhookSecrets,
    Effect.gen(function* () {
      const cipher = yield* CredentialCipher
      const owner = (webhookId: string) => `webhook:${webhookId}`

      const seal = (webhookId: string, secrets: (typeof Stored.Type)["secrets"]) =>
        cipher.seal(owner(webhookId), encode({ secrets }))

      const open = Effect.fnUntraced(function* (webhookId: string, stored: Uint8Array) {
        // None after a restore under another CARILLON_SECRET.
        const opened = yield* Effect.option(Effect.try(() => cipher.open(owner(webhookId), stored)))
        const { secrets } = Option.isNone(opened) ? { secrets: [] } : decode(opened.value)
        const now = yield* DateTime.now
        return secrets.filter(({ until }) => until === null || DateTime.isGreaterThan(until, now))
      })

      const issue = (webhookId: string) =>
        Effect.sync(() => {
          const secret = newSecret()
          return { secret, stored: seal(webhookId, [{ secret, until: null }]) }
        })

      const rotate = Effect.fnUntraced(function* (webhookId: string, stored: Uint8Array) {
        const overlap = DateTime.add(yield* DateTime.now, { hours: 24 })
        const secret = newSecret()
        const old = (yield* open(webhookId, stored)).map((one) => ({ ...one, until: one.until ?? overlap }))
        return { secret, stored: seal(webhookId, [{ secret, until: null }, ...old]) }
      })

      const current = (webhookId: string, stored: Uint8Array) =>
        Effect.map(open(webhookId, stored), (secrets) => secrets.map(({ secret }) => secret))

      return WebhookSecrets.of({ issue, rotate, current })
    })
  )
}
