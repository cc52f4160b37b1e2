import { pathTo, type RequestOptions, type Transport } from "../Transport.ts"
import type { ConfirmResult, PostResult, PostResultFilter, PostResultList } from "../Wire.ts"

/** What happened on each social account: one row per post and account (contract.md section 5). */
export class ResultsResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** Newest first. */
  list(filter: PostResultFilter = {}, options: RequestOptions = {}): Promise<PostResultList> {
    return this.#transport.request("GET", "/v1/post-results", { ...options, query: filter })
  }

  async get(id: string, options: RequestOptions = {}): Promise<PostResult> {
    return this.#transport.request("GET", pathTo("/v1/post-results", id), options)
  }

  /**
   * Says what became of an unconfirmed result: `{ published: true, url }` when it is live, `{ published: false }` when
   * it is not and may be retried.
   *
   * @throws ConflictError `result_not_unconfirmed` when it is not unconfirmed
   */
  async confirm(id: string, seen: ConfirmResult, options: RequestOptions = {}): Promise<PostResult> {
    return this.#transport.request("POST", `${pathTo("/v1/post-results", id)}/confirm`, {
      ...options,
      body: seen
    })
  }
}
