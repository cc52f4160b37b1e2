import {
  type AuditAction,
  type BadRequest,
  type Conflict,
  type CreateWebhook,
  CurrentActor,
  EventId,
  type NewWebhook,
  type NotFound,
  type Page,
  problem,
  type UpdateWebhook,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryFilter,
  WebhookDeliveryId,
  WebhookId
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { SqlClient } from "effect/sql"
import { actingCredential, Audit } from "../audit/Audit.ts"
import { RemoteFetch } from "../http/RemoteFetch.ts"
import { shownUrl } from "../http/RemoteFetchError.ts"
import { Wakeup } from "../sql/Wakeup.ts"
import { Deliver } from "./Deliver.ts"
import { DeliveryQueue, lease } from "./DeliveryQueue.ts"
import { WebhookRepository, type WebhookRow } from "./WebhookRepository.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"

/** How many webhooks a workspace may have. */
export const maximumWebhooks = 20

type Listed<A> = Effect.Effect<
  { readonly data: ReadonlyArray<A>; readonly total: number },
  never,
  CurrentActor
>

/** The addresses that a workspace's events are sent to. */
export class Webhooks extends Context.Service<
  Webhooks,
  {
    list(page: Page): Listed<Webhook>
    create(request: CreateWebhook): Effect.Effect<NewWebhook, BadRequest | Conflict, CurrentActor>
    get(id: string): Effect.Effect<Webhook, NotFound, CurrentActor>
    update(id: string, changes: UpdateWebhook): Effect.Effect<Webhook, BadRequest | NotFound, CurrentActor>
    delete(id: string): Effect.Effect<WebhookId, NotFound, CurrentActor>
    rotateSecret(id: string): Effect.Effect<NewWebhook, NotFound, CurrentActor>
    /** Sends a test event once and waits for the result. */
    test(id: string): Effect.Effect<WebhookDelivery, NotFound, CurrentActor>
    deliveries(
      id: string,
      filter: WebhookDeliveryFilter,
      page: Page
    ): Effect.Effect<
      { readonly data: ReadonlyArray<WebhookDelivery>; readonly total: number },
      NotFound,
      CurrentActor
    >
    redeliver(id: string): Effect.Effect<WebhookDelivery, NotFound | Conflict, CurrentActor>
  }
>()("@carillon/server/webhooks/Webhooks") {
  static readonly layerNoDeps = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const audit = yield* Audit
      const repository = yield* WebhookRepository
      const secrets = yield* WebhookSecrets
      const fetch = yield* RemoteFetch
      const deliver = yield* Deliver
      const queue = yield* DeliveryQueue
      const wakeup = yield* Wakeup

      const allowed = (url: string) =>
        fetch.check(url).pipe(
          Effect.mapError(() =>
            problem("webhook_url_not_allowed", [
              {
                path: "url",
                code: "webhook_url_not_allowed",
                message:
                  `"${shownUrl(url)}" cannot be used for a webhook; give an http or https URL on port 80 or 443, ` +
                  "without user name or password, whose host is on the public internet."
              }
            ])
          )
        )

      /** Named by its host: paths of webhooks hold secrets. */
      const told = Effect.fnUntraced(function* (
        action: AuditAction,
        { id, url }: Pick<WebhookRow, "id" | "url">
      ) {
        const { workspace_id } = yield* CurrentActor
        const subject = { type: "webhook", id, name: new URL(url).host } as const
        yield* audit.record({ workspace_id, actor: yield* actingCredential, action, subject })
      })

      const list = Effect.fn("Webhooks.list")(function* (page: Page) {
        const { workspace_id } = yield* CurrentActor
        const { data, total } = yield* repository.list(workspace_id, page)
        return { data: data.map(toWebhook), total }
      })

      const create = Effect.fn("Webhooks.create")(function* ({ url, events, description }: CreateWebhook) {
        const { workspace_id, member_id } = yield* CurrentActor
        yield* allowed(url)
        const id = WebhookId.make(SecureRandom.uuidV7Unsafe())
        const { secret, stored } = yield* secrets.issue(id)
        const now = yield* DateTime.now
        const row: WebhookRow = {
          id,
          url,
          events,
          description: description ?? null,
          status: "active",
          status_reason: null,
          secrets: stored,
          failing_since: null,
          created_at: now,
          updated_at: now
        }
        const inserted = yield* repository.insert(workspace_id, row, member_id, maximumWebhooks).pipe(
          Effect.tap((done) => (done ? told("webhook.created", row) : Effect.void)),
          sql.withTransaction,
          Effect.orDie
        )
        if (!inserted) {
          return yield* problem(
            "webhook_limit_reached",
            `The workspace has ${maximumWebhooks} webhooks, which is the limit; delete one, or change an existing one.`
          )
        }
        return { ...toWebhook(row), secret }
      })

      const owned = Effect.fnUntraced(function* (text: string) {
        const { workspace_id } = yield* CurrentActor
        const id = toId(text)
        const row = id === null ? Option.none() : yield* repository.byId(workspace_id, id)
        return Option.isNone(row) ? yield* noSuchWebhook(text) : row.value
      })

      const get = Effect.fn("Webhooks.get")((text: string) => Effect.map(owned(text), toWebhook))

      const changed = Effect.fnUntraced(function* (
        action: AuditAction,
        text: string,
        change: (row: WebhookRow) => Effect.Effect<WebhookRow>
      ) {
        const { workspace_id } = yield* CurrentActor
        const id = toId(text)
        const row =
          id === null
            ? Option.none()
            : yield* repository.update(workspace_id, id, change).pipe(
                Effect.tap((found) => (Option.isSome(found) ? told(action, found.value) : Effect.void)),
                sql.withTransaction,
                Effect.orDie
              )
        return Option.isNone(row) ? yield* noSuchWebhook(text) : row.value
      })

      const update = Effect.fn("Webhooks.update")(function* (text: string, changes: UpdateWebhook) {
        if (changes.url !== undefined) yield* allowed(changes.url)
        const row = yield* changed("webhook.updated", text, (before) =>
          Effect.map(DateTime.now, (now) => ({
            ...before,
            ...changes,
            ...(changes.status === undefined || changes.status === before.status
              ? {}
              : changes.status === "active"
                ? { status_reason: null, failing_since: null }
                : { status_reason: "Paused by a user." }),
            updated_at: now
          }))
        )
        yield* wakeup.deliveries.notify
        return toWebhook(row)
      })

      const remove = Effect.fn("Webhooks.delete")(function* (text: string) {
        const { workspace_id } = yield* CurrentActor
        const id = toId(text)
        const removed =
          id === null
            ? Option.none()
            : yield* repository.remove(workspace_id, id).pipe(
                Effect.tap((found) =>
                  Option.isSome(found) ? told("webhook.deleted", found.value) : Effect.void
                ),
                sql.withTransaction,
                Effect.orDie
              )
        return Option.isNone(removed) ? yield* noSuchWebhook(text) : removed.value.id
      })

      const rotateSecret = Effect.fn("Webhooks.rotateSecret")(function* (text: string) {
        let secret = ""
        const row = yield* changed("webhook.secret_rotated", text, (before) =>
          Effect.gen(function* () {
            const issued = yield* secrets.rotate(before.id, before.secrets)
            secret = issued.secret
            return { ...before, secrets: issued.stored, updated_at: yield* DateTime.now }
          })
        )
        return { ...toWebhook(row), secret }
      })

      const existing = Effect.fnUntraced(function* (text: string) {
        const { workspace_id } = yield* CurrentActor
        const id = Schema.is(WebhookDeliveryId)(text.toLowerCase()) ? text.toLowerCase() : null
        const row =
          id === null ? Option.none() : yield* repository.delivery(workspace_id, WebhookDeliveryId.make(id))
        return Option.isNone(row)
          ? yield* problem("not_found", `There is no webhook delivery ${JSON.stringify(text)}.`)
          : row.value
      })

      const test = Effect.fn("Webhooks.test")(function* (text: string) {
        const { workspace_id } = yield* CurrentActor
        const webhook = yield* owned(text)
        const now = yield* DateTime.now
        const delivery_id = WebhookDeliveryId.make(SecureRandom.uuidV7Unsafe())
        const event = {
          webhook_id: webhook.id,
          event_id: EventId.make(SecureRandom.uuidV7Unsafe()),
          data: { webhook_id: webhook.id, message: "This is a test of the webhook." }
        }
        const stored = yield* repository.insertTest(workspace_id, {
          ...event,
          delivery_id,
          now,
          until: DateTime.addDuration(now, lease)
        })
        if (!stored) return yield* noSuchWebhook(text)
        const { response_status, response_excerpt, error } = yield* deliver.message({
          ...event,
          url: webhook.url,
          secrets: webhook.secrets,
          type: "webhook.test",
          timestamp: now
        })
        yield* queue.settle({
          id: delivery_id,
          fence: 0,
          status: error === null ? "delivered" : "failed",
          next_attempt_at: null,
          response_status,
          response_excerpt,
          error,
          pausing: null
        })
        return yield* existing(delivery_id)
      })

      const deliveries = Effect.fn("Webhooks.deliveries")(function* (
        text: string,
        filter: WebhookDeliveryFilter,
        page: Page
      ) {
        const { id } = yield* owned(text)
        return yield* repository.deliveries(id, filter, page)
      })

      const redeliver = Effect.fn("Webhooks.redeliver")(function* (text: string) {
        const delivery = yield* existing(text)
        const webhook = yield* owned(delivery.webhook_id)
        if (webhook.status === "paused") {
          return yield* problem(
            "webhook_paused",
            `The webhook ${webhook.id} is paused; resume it with PATCH and status active, then send the event again.`
          )
        }
        const now = yield* DateTime.now
        const id =
          delivery.status === "pending" ? delivery.id : WebhookDeliveryId.make(SecureRandom.uuidV7Unsafe())
        yield* delivery.status === "pending"
          ? repository.hasten(id, now)
          : repository.copy(delivery.id, id, now)
        yield* wakeup.deliveries.notify
        return yield* existing(id)
      })

      return Webhooks.of({
        list,
        create,
        get,
        update,
        delete: remove,
        rotateSecret,
        test,
        deliveries,
        redeliver
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(
    Layer.provide([WebhookRepository.layer, WebhookSecrets.layer, RemoteFetch.layer])
  )
}

const toWebhook = ({ secrets, ...row }: WebhookRow): Webhook => row

const toId = (text: string): WebhookId | null => {
  const lower = text.toLowerCase()
  return Schema.is(WebhookId)(lower) ? lower : null
}

const noSuchWebhook = (id: string) => problem("not_found", `There is no webhook ${JSON.stringify(id)}.`)
