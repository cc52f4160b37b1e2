import type { RequestOptions, Transport } from "../Transport.ts"
import type { NotificationAttempt, Notifications, NotificationsDeleted, SetNotifications } from "../Wire.ts"

const collection = "/v1/notifications"

/** Where people are told what needs them. All of it needs the scope `admin`. */
export class NotificationsResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * ```ts
   * const { url, status, last_attempt } = await carillon.notifications.get()
   * ```
   */
  get(options: RequestOptions = {}): Promise<Notifications> {
    return this.#transport.request("GET", collection, options)
  }

  /**
   * An absent key is unchanged. Whatever is set, a paused address is told again.
   *
   * ```ts
   * await carillon.notifications.set({ url: "https://hooks.slack.com/services/T0/B0/secret" })
   * ```
   *
   * @throws InvalidRequestError `webhook_url_not_allowed`: the host is not public
   */
  set(notifications: SetNotifications, options: RequestOptions = {}): Promise<Notifications> {
    return this.#transport.request("PUT", collection, { ...options, body: notifications })
  }

  /**
   * Nobody is told any more.
   *
   * ```ts
   * await carillon.notifications.delete()
   * ```
   */
  delete(options: RequestOptions = {}): Promise<NotificationsDeleted> {
    return this.#transport.request("DELETE", collection, options)
  }

  /**
   * Sends a test message now and waits up to 15 seconds for the answer.
   *
   * ```ts
   * const { response_status, error } = await carillon.notifications.test()
   * ```
   *
   * @throws NotFoundError where no address is set
   */
  test(options: RequestOptions = {}): Promise<NotificationAttempt> {
    return this.#transport.request("POST", `${collection}/test`, options)
  }
}
