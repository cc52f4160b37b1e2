import type { RequestOptions, Transport } from "../Transport.ts"
import type { Instance } from "../Wire.ts"

/** The operator's configuration of the service. */
export class InstanceResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * The platforms that can be connected, the limits on file sizes, and whether videos are converted.
   *
   * ```ts
   * const { connectable, maximum_bytes } = await carillon.instance.get()
   * ```
   */
  get(options: RequestOptions = {}): Promise<Instance> {
    return this.#transport.request("GET", "/v1/instance", options)
  }
}
