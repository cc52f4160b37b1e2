import { listAt, type ListRequest } from "../ListRequest.ts"
import { pathTo, type RequestOptions, type SendOptions, type Transport } from "../Transport.ts"
import type { ApiKeyDeleted, ApiKeyFilter, ApiKeyList, CreateApiKey, NewApiKey } from "../Wire.ts"

const collection = "/v1/api-keys"

/** The credentials of the workspace. All of it needs the scope `admin`. */
export class ApiKeysResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Newest first; the keys themselves are never shown.
   *
   * ```ts
   * for await (const key of carillon.apiKeys.list()) console.log(key.id, key.name, key.last_used_at)
   * ```
   */
  list(filter: ApiKeyFilter = {}, options: RequestOptions = {}): ListRequest<ApiKeyList> {
    return listAt(this.#transport, () => collection, filter, options)
  }

  /**
   * Makes a key. Keep `key` of the answer: it is never shown again.
   *
   * ```ts
   * const { key } = await carillon.apiKeys.create({
   *   name: "newsletter",
   *   scopes: ["posts:publish", "media:write"],
   *   social_accounts: [1, 2]
   * })
   * ```
   */
  create(apiKey: CreateApiKey, options: SendOptions = {}): Promise<NewApiKey> {
    return this.#transport.request("POST", collection, { ...options, body: apiKey })
  }

  /**
   * It stops working at once; where several processes share the database, within a second.
   *
   * ```ts
   * await carillon.apiKeys.delete("abcdefghijkl")
   * ```
   *
   * @throws ConflictError `key_in_use` for the key that asks
   */
  async delete(id: string, options: RequestOptions = {}): Promise<ApiKeyDeleted> {
    return this.#transport.request("DELETE", pathTo(collection, id), options)
  }
}
