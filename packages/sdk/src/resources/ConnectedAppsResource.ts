import { pathTo, type RequestOptions, type Transport } from "../Transport.ts"
import type { ConnectedApp, ConnectedAppDisconnected, ConnectedAppList, UpdateConnectedApp } from "../Wire.ts"

const collection = "/v1/connected-apps"

/** The apps that the signed-in member connected to the workspace, for a client that was made with `session`. Keys and apps get `person_only`. */
export class ConnectedAppsResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Last used first, with those that ended in the last 30 days.
   *
   * ```ts
   * const { data } = await carillon.connectedApps.list()
   * for (const { name, scopes, last_used_at } of data) console.log(name, scopes, last_used_at)
   * ```
   */
  list(options: RequestOptions = {}): Promise<ConnectedAppList> {
    return this.#transport.request("GET", collection, options)
  }

  /**
   * Changes what an app may do, from its next request on.
   *
   * ```ts
   * await carillon.connectedApps.update(id, { needs_approval: true })
   * ```
   */
  async update(id: string, changes: UpdateConnectedApp, options: RequestOptions = {}): Promise<ConnectedApp> {
    return this.#transport.request("PATCH", pathTo(collection, id), { ...options, body: changes })
  }

  /**
   * Ends its access at once. Posts that it scheduled stay.
   *
   * ```ts
   * await carillon.connectedApps.disconnect(id)
   * ```
   */
  async disconnect(id: string, options: RequestOptions = {}): Promise<ConnectedAppDisconnected> {
    return this.#transport.request("DELETE", pathTo(collection, id), options)
  }
}
