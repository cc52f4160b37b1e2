import type { RequestOptions, Transport } from "../Transport.ts"
import type { Instance, InstanceChecks } from "../Wire.ts"

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

  /**
   * What the instance depends on, each with what was found and what to do. For admin keys of its default workspace.
   *
   * ```ts
   * const { checks } = await carillon.instance.checks()
   * const wrong = checks.filter(({ level }) => level !== "ok")
   * ```
   */
  checks(options: RequestOptions = {}): Promise<InstanceChecks> {
    return this.#transport.request("GET", "/v1/instance/checks", options)
  }
}
