import { pathTo, type RequestOptions, type Transport } from "../Transport.ts"
import type { PostResult, PostResultFilter, PostResultList } from "../Wire.ts"

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
}
