import { pathTo, type RequestOptions, type Transport } from "../Transport.ts"
import type {
  ConnectAccount,
  SocialAccount,
  SocialAccountDeleted,
  SocialAccountFilter,
  SocialAccountList
} from "../Wire.ts"

/** The accounts that posts are published to (contract.md section 6). */
export class AccountsResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(filter: SocialAccountFilter = {}, options: RequestOptions = {}): Promise<SocialAccountList> {
    return this.#transport.request("GET", "/v1/social-accounts", { ...options, query: filter })
  }

  async get(id: number, options: RequestOptions = {}): Promise<SocialAccount> {
    return this.#transport.request("GET", pathTo("/v1/social-accounts", id), options)
  }

  /**
   * Connects an account with its credentials. The same remote account again renews it and keeps its id.
   *
   * @throws InvalidRequestError `credentials_rejected` when the platform refuses them
   */
  connect(account: ConnectAccount, options: RequestOptions = {}): Promise<SocialAccount> {
    return this.#transport.request("POST", "/v1/social-accounts", { ...options, body: account })
  }

  /** Erases its tokens. Posts scheduled for it fail at their time with `account_disconnected`. */
  async disconnect(id: number, options: RequestOptions = {}): Promise<SocialAccountDeleted> {
    return this.#transport.request("DELETE", pathTo("/v1/social-accounts", id), options)
  }
}
