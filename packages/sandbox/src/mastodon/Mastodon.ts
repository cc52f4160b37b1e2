import { Context, Effect, Layer, Schema } from "effect"
import { createHash } from "node:crypto"
import { Journal } from "../Journal.ts"
import { Ledger, type Publication } from "../Ledger.ts"
import { StoredMedia } from "../MediaStore.ts"

/** A file that was sent and is not yet part of a status. */
const Upload = Schema.Struct({
  /** The id of the stored file. */
  id: Schema.String,
  account: Schema.String,
  alt_text: Schema.NullOr(Schema.String),
  filename: Schema.optionalKey(Schema.String),
  focus: Schema.optionalKey(Schema.String),
  thumbnail: Schema.optionalKey(StoredMedia),
  /** How many more looks find it unfinished. */
  polls: Schema.Int,
  becomes: Schema.Literals(["ready", "failed"])
})
export interface Upload extends Schema.Schema.Type<typeof Upload> {}

/** An app that registered itself; of its secret the hash is kept. */
const App = Schema.Struct({
  client_id: Schema.String,
  secret_sha256: Schema.String,
  host: Schema.String,
  /** One on a line, as Mastodon keeps them. */
  redirect_uri: Schema.String,
  scopes: Schema.Array(Schema.String)
})
interface App extends Schema.Schema.Type<typeof App> {}

const MastodonEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("registered"), app: App }),
  Schema.Struct({ type: Schema.Literal("uploaded"), upload: Upload }),
  Schema.Struct({ type: Schema.Literal("looked"), id: Schema.String })
])
type MastodonEvent = typeof MastodonEvent.Type

/** "Idempotency keys are stored for up to 1 hour": https://docs.joinmastodon.org/methods/statuses/#create */
const keyLasts = 60 * 60_000

/** The files and statuses of the stand-in for servers that speak Mastodon's API; statuses are publications of the ledger. */
export class Mastodon extends Context.Service<
  Mastodon,
  {
    register(app: App): void
    app(clientId: string): App | undefined
    upload(upload: Upload): void
    find(account: string, id: string): Upload | undefined
    /** The last of its account's files that was sent under this name. */
    newestNamed(account: string, filename: string | undefined): Upload
    /** A look moves an unfinished file one step on. */
    look(id: string): void
    withKey(account: string, key: string, now: number): Publication | undefined
    /** Newest first. */
    statuses(account: string): ReadonlyArray<Publication>
  }
>()("@carillon/sandbox/mastodon/Mastodon") {
  static readonly layer = Layer.effect(
    Mastodon,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const uploads = new Map<string, Upload>()
      const apps = new Map<string, App>()
      const apply = (event: MastodonEvent) => {
        if (event.type === "registered") return void apps.set(event.app.client_id, event.app)
        if (event.type === "uploaded") return void uploads.set(event.upload.id, event.upload)
        const upload = uploads.get(event.id)
        if (upload !== undefined) uploads.set(event.id, { ...upload, polls: upload.polls - 1 })
      }
      const happen = yield* (yield* Journal).stream("mastodon", MastodonEvent, apply)
      const published = (account: string) => ledger.publications({ platform: "mastodon", account })

      return Mastodon.of({
        register: (app) => happen({ type: "registered", app }),
        app: (clientId) => apps.get(clientId),
        upload: (upload) => happen({ type: "uploaded", upload }),
        find: (account, id) => {
          const upload = uploads.get(id)
          return upload?.account === account ? upload : undefined
        },
        newestNamed: (account, filename) =>
          [...uploads.values()].findLast((one) => one.account === account && one.filename === filename)!,
        look: (id) => happen({ type: "looked", id }),
        withKey: (account, key, now) =>
          published(account).findLast(
            ({ idempotency_key, published_at }) =>
              idempotency_key === key && Date.parse(published_at) > now - keyLasts
          ),
        statuses: (account) => published(account).toReversed()
      })
    })
  )
}

/** The id of the account of this name. */
export const accountId = (name: string) =>
  String(
    110_000_000_000_000_000n + (createHash("sha256").update(name).digest().readBigUInt64BE(0) % 10n ** 15n)
  )
