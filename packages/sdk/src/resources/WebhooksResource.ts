import { listAt, type ListRequest } from "../ListRequest.ts"
import { pathTo, type RequestOptions, type SendOptions, type Transport } from "../Transport.ts"
import type {
  CreateWebhook,
  NewWebhook,
  UpdateWebhook,
  Webhook,
  WebhookDeleted,
  WebhookDelivery,
  WebhookDeliveryFilter,
  WebhookDeliveryList,
  WebhookFilter,
  WebhookList
} from "../Wire.ts"

const collection = "/v1/webhooks"

/** The addresses that receive events. All of it needs the scope `admin`. */
export class WebhooksResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Newest first.
   *
   * ```ts
   * for await (const { url, status } of carillon.webhooks.list()) console.log(url, status)
   * ```
   */
  list(filter: WebhookFilter = {}, options: RequestOptions = {}): ListRequest<WebhookList> {
    return listAt(this.#transport, () => collection, filter, options)
  }

  /**
   * Makes a webhook. Keep `secret` of the answer: it is never shown again.
   *
   * ```ts
   * const { secret } = await carillon.webhooks.create({
   *   url: "https://example.com/carillon",
   *   events: ["post.published", "post.failed"]
   * })
   * ```
   *
   * @throws InvalidRequestError `webhook_url_not_allowed`: the host is not public
   * @throws ConflictError `webhook_limit_reached`
   */
  create(webhook: CreateWebhook, options: SendOptions = {}): Promise<NewWebhook> {
    return this.#transport.request("POST", collection, { ...options, body: webhook })
  }

  /**
   * ```ts
   * const { status, status_reason } = await carillon.webhooks.get(id)
   * ```
   *
   * @throws NotFoundError
   */
  async get(id: string, options: RequestOptions = {}): Promise<Webhook> {
    return this.#transport.request("GET", pathTo(collection, id), options)
  }

  /**
   * An absent key is unchanged. `status: "active"` resumes, and the waiting events are sent.
   *
   * ```ts
   * await carillon.webhooks.update(id, { status: "active" })
   * ```
   */
  async update(id: string, changes: UpdateWebhook, options: RequestOptions = {}): Promise<Webhook> {
    return this.#transport.request("PATCH", pathTo(collection, id), { ...options, body: changes })
  }

  /**
   * ```ts
   * await carillon.webhooks.delete(id)
   * ```
   *
   * @throws NotFoundError
   */
  async delete(id: string, options: RequestOptions = {}): Promise<WebhookDeleted> {
    return this.#transport.request("DELETE", pathTo(collection, id), options)
  }

  /**
   * A new secret. For 24 hours everything is signed with the old one too.
   *
   * ```ts
   * const { secret } = await carillon.webhooks.rotateSecret(id)
   * ```
   */
  async rotateSecret(id: string, options: SendOptions = {}): Promise<NewWebhook> {
    return this.#transport.request("POST", `${pathTo(collection, id)}/rotate-secret`, options)
  }

  /**
   * Sends a `webhook.test` event now and waits up to 15 seconds for the result.
   *
   * ```ts
   * const { status, response_status, error } = await carillon.webhooks.test(id)
   * ```
   */
  async test(id: string, options: SendOptions = {}): Promise<WebhookDelivery> {
    return this.#transport.request("POST", `${pathTo(collection, id)}/test`, options)
  }

  /**
   * The deliveries of the last 30 days, newest first.
   *
   * ```ts
   * for await (const { event_type, error } of carillon.webhooks.deliveries(id, { status: "failed" }))
   *   console.log(event_type, error)
   * ```
   */
  deliveries(
    id: string,
    filter: WebhookDeliveryFilter = {},
    options: RequestOptions = {}
  ): ListRequest<WebhookDeliveryList> {
    return listAt(this.#transport, () => `${pathTo(collection, id)}/deliveries`, filter, options)
  }

  /**
   * Sends the event of a delivery again, now.
   *
   * ```ts
   * await carillon.webhooks.redeliver(deliveryId)
   * ```
   *
   * @throws ConflictError `webhook_paused`
   */
  async redeliver(deliveryId: string, options: SendOptions = {}): Promise<WebhookDelivery> {
    return this.#transport.request(
      "POST",
      `${pathTo(`${collection}/deliveries`, deliveryId)}/redeliver`,
      options
    )
  }
}
