import { listAt, type ListRequest } from "../ListRequest.ts"
import { pathTo, type RequestOptions, type SendOptions, type Transport } from "../Transport.ts"
import type {
  ChooseAccounts,
  ChosenAccounts,
  ConnectAccount,
  ConnectLink,
  ConnectLinkRequest,
  ConnectStarted,
  PendingConnection,
  PendingConnectionFilter,
  SocialAccount,
  SocialAccountDeleted,
  SocialAccountFilter,
  SocialAccountList,
  SocialAccountOptions,
  StartConnect,
  UpdateSocialAccount
} from "../Wire.ts"

const collection = "/v1/social-accounts"
const pendingConnections = `${collection}/pending`

/** The accounts that posts are published to. */
export class AccountsResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * The accounts of the workspace.
   *
   * ```ts
   * for await (const account of carillon.accounts.list({ platform: ["tiktok", "instagram"], status: "connected" }))
   *   console.log(account.id, account.platform, account.username)
   * ```
   */
  list(filter: SocialAccountFilter = {}, options: RequestOptions = {}): ListRequest<SocialAccountList> {
    return listAt(this.#transport, () => collection, filter, options)
  }

  /**
   * ```ts
   * const { status, status_reason } = await carillon.accounts.get(1)
   * ```
   *
   * @throws NotFoundError
   */
  async get(id: number, options: RequestOptions = {}): Promise<SocialAccount> {
    return this.#transport.request("GET", pathTo(collection, id), options)
  }

  /**
   * What a post to this account may hold: the platform's limits, what the account itself offers now (`choices`, such as
   * its boards or privacy levels), and the JSON Schema of its entry in `platform_configurations`.
   *
   * ```ts
   * const { choices, placements } = await carillon.accounts.options(1)
   * ```
   *
   * @throws NotFoundError
   */
  async options(id: number, options: RequestOptions = {}): Promise<SocialAccountOptions> {
    return this.#transport.request("GET", `${pathTo(collection, id)}/options`, options)
  }

  /**
   * Connects an account with its credentials. The same remote account again renews it and keeps its id.
   *
   * ```ts
   * const account = await carillon.accounts.connect({
   *   platform: "bluesky",
   *   credentials: { identifier: "bells.example.com", app_password: "xxxx-xxxx-xxxx-xxxx" }
   * })
   * ```
   *
   * @throws InvalidRequestError `credentials_rejected` when the platform refuses them
   */
  connect(account: ConnectAccount, options: SendOptions = {}): Promise<SocialAccount> {
    return this.#transport.request("POST", collection, { ...options, body: account })
  }

  /**
   * Begins connecting an account on the platform's own consent page: send a person to `authorize_url` before
   * `expires_at`. They come back to `redirect_url` with `status`: `connected` and the accounts' ids, `pending` if `choose` has
   * to say which accounts of the sign-in, or `failed`.
   *
   * ```ts
   * const { authorize_url } = await carillon.accounts.startConnect({
   *   platform: "tiktok",
   *   redirect_url: "https://example.com/accounts"
   * })
   * ```
   *
   * @throws InvalidRequestError `platform_not_configured` when the operator has set no app of the platform
   */
  startConnect(start: StartConnect, options: SendOptions = {}): Promise<ConnectStarted> {
    return this.#transport.request("POST", `${collection}/connect`, { ...options, body: start })
  }

  /**
   * How a connection that `startConnect` began goes on, for 15 minutes after each step. Where the sign-in opens several
   * accounts, `accounts` offers them; `q` searches their names.
   *
   * ```ts
   * const { accounts, status } = await carillon.accounts.pending(pending_id, { q: "bakery" })
   * ```
   *
   * @throws NotFoundError also when another credential began it
   */
  async pending(
    id: string,
    filter: PendingConnectionFilter = {},
    options: RequestOptions = {}
  ): Promise<PendingConnection> {
    return this.#transport.request("GET", pathTo(pendingConnections, id), { ...options, query: filter })
  }

  /**
   * Connects the chosen ones of the accounts that a sign-in offers, by id or username.
   *
   * ```ts
   * const { data } = await carillon.accounts.choose(pending_id, { accounts: ["bakery", "shop"] })
   * ```
   *
   * @throws InvalidRequestError `account_not_offered`
   * @throws ConflictError `nothing_to_choose` before the sign-in, and after another choice
   * @throws NotFoundError
   */
  async choose(id: string, choice: ChooseAccounts, options: SendOptions = {}): Promise<ChosenAccounts> {
    return this.#transport.request("POST", pathTo(pendingConnections, id), { ...options, body: choice })
  }

  /**
   * `startConnect` with the fields of clients of similar services: send a person to `url` before `expires_at`.
   *
   * ```ts
   * const { url } = await carillon.accounts.connectLink({
   *   platform: "tiktok",
   *   return_url: "https://example.com/accounts"
   * })
   * ```
   *
   * @throws InvalidRequestError `platform_not_configured` when the operator has set no app of the platform
   */
  connectLink(link: ConnectLinkRequest, options: SendOptions = {}): Promise<ConnectLink> {
    return this.#transport.request("POST", `${collection}/connect-link`, { ...options, body: link })
  }

  /**
   * Chooses the default board of a Pinterest account, by id or name, or the default audience of a TikTok account
   * (`default_privacy_level`), for posts that name none; null: no default.
   *
   * ```ts
   * await carillon.accounts.update(1, { default_board_id: "Recipes" })
   * ```
   *
   * @throws InvalidRequestError `destination_not_found` when the account has no such board, `privacy_level_not_offered`
   *   when it may not have this audience
   * @throws NotFoundError
   */
  async update(
    id: number,
    changes: UpdateSocialAccount,
    options: RequestOptions = {}
  ): Promise<SocialAccount> {
    return this.#transport.request("PATCH", pathTo(collection, id), { ...options, body: changes })
  }

  /**
   * Erases its tokens. Posts scheduled for it fail at their time with `account_disconnected`.
   *
   * ```ts
   * await carillon.accounts.disconnect(1)
   * ```
   *
   * @throws NotFoundError
   */
  async disconnect(id: number, options: RequestOptions = {}): Promise<SocialAccountDeleted> {
    return this.#transport.request("DELETE", pathTo(collection, id), options)
  }
}
