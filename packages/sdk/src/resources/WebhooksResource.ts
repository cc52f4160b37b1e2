import { pathTo, type RequestOptions, type Transport } from "../Transport.ts"
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

/** The addresses that are told what happens (contract.md section 8). All of it needs the scope `admin`. */
export class WebhooksResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Newest first. */
  list(filter: WebhookFilter = {}, options: RequestOptions = {}): Promise<WebhookList> {
    return this.#transport.request("GET", collection, { ...options, query: filter })
  }

  /**
   * Makes a webhook. Keep `secret` of the answer: it is never shown again.
   *
   * @throws InvalidRequestError `webhook_url_not_allowed`: the host is not public
   * @throws ConflictError `webhook_limit_reached`
   */
  create(webhook: CreateWebhook, options: RequestOptions = {}): Promise<NewWebhook> {
    return this.#transport.request("POST", collection, { ...options, body: webhook })
  }

  async get(id: string, options: RequestOptions = {}): Promise<Webhook> {
    return this.#transport.request("GET", pathTo(collection, id), options)
  }

  /** An absent key is unchanged. `status: "active"` resumes, and what waited is sent. */
  async update(id: string, changes: UpdateWebhook, options: RequestOptions = {}): Promise<Webhook> {
    return this.#transport.request("PATCH", pathTo(collection, id), { ...options, body: changes })
  }

  async delete(id: string, options: RequestOptions = {}): Promise<WebhookDeleted> {
    return this.#transport.request("DELETE", pathTo(collection, id), options)
  }

  /** A new secret. For 24 hours everything is signed with the old one too. */
  async rotateSecret(id: string, options: RequestOptions = {}): Promise<NewWebhook> {
    return this.#transport.request("POST", `${pathTo(collection, id)}/rotate-secret`, options)
  }

  /** Sends a `webhook.test` event now and waits up to 15 seconds for what comes of it. */
  async test(id: string, options: RequestOptions = {}): Promise<WebhookDelivery> {
    return this.#transport.request("POST", `${pathTo(collection, id)}/test`, options)
  }

  /** Newest first, of the last 30 days. */
  async deliveries(
    id: string,
    filter: WebhookDeliveryFilter = {},
    options: RequestOptions = {}
  ): Promise<WebhookDeliveryList> {
    return this.#transport.request("GET", `${pathTo(collection, id)}/deliveries`, {
      ...options,
      query: filter
    })
  }

  /**
   * Sends the event of a delivery again, now.
   *
   * @throws ConflictError `webhook_paused`
   */
  async redeliver(deliveryId: string, options: RequestOptions = {}): Promise<WebhookDelivery> {
    return this.#transport.request(
      "POST",
      `${pathTo(`${collection}/deliveries`, deliveryId)}/redeliver`,
      options
    )
  }
}
