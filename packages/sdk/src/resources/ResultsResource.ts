import { listAt, type ListRequest } from "../ListRequest.ts"
import { pathTo, type RequestOptions, type SendOptions, type Transport } from "../Transport.ts"
import type {
  ConfirmResult,
  DismissResult,
  PostResult,
  PostResultFilter,
  PostResultList,
  SinglePostResult
} from "../Wire.ts"

const collection = "/v1/post-results"

/** The outcome on each social account: one row per post and account. */
export class ResultsResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Settled ones, newest first; `status: ["waiting", "publishing"]` asks for the others, `"all"` for all.
   *
   * ```ts
   * for await (const { platform, error } of carillon.results.list({ status: "failed" }))
   *   console.log(platform, error?.message, error?.action)
   * ```
   */
  list(filter: PostResultFilter = {}, options: RequestOptions = {}): ListRequest<PostResultList> {
    return listAt(this.#transport, () => collection, filter, options)
  }

  /**
   * With its tries, which lists do not have.
   *
   * ```ts
   * const { status, platform_data, attempts_log } = await carillon.results.get(id)
   * ```
   *
   * @throws NotFoundError
   */
  async get(id: string, options: RequestOptions = {}): Promise<SinglePostResult> {
    return this.#transport.request("GET", pathTo(collection, id), options)
  }

  /**
   * Settles an unconfirmed result: `{ published: true, url }` when it is live, `{ published: false }` when
   * it is not and may be retried.
   *
   * ```ts
   * await carillon.results.confirm(id, { published: true, url: "https://example.com/bells" })
   * ```
   *
   * @throws ConflictError `result_not_unconfirmed` when it is not unconfirmed
   */
  async confirm(id: string, seen: ConfirmResult, options: SendOptions = {}): Promise<PostResult> {
    return this.#transport.request("POST", `${pathTo(collection, id)}/confirm`, {
      ...options,
      body: seen
    })
  }

  /**
   * Dismisses a failure for the whole workspace: `list({ dismissed: false })` then leaves it out, until it is
   * sent again. `false` takes it back.
   *
   * ```ts
   * await carillon.results.dismiss(id)
   * ```
   *
   * @throws NotFoundError
   */
  async dismiss(id: string, dismissed = true, options: SendOptions = {}): Promise<PostResult> {
    return this.#transport.request("POST", `${pathTo(collection, id)}/dismiss`, {
      ...options,
      body: { dismissed } satisfies DismissResult
    })
  }
}
