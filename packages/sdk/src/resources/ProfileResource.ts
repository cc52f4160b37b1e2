import type { RequestOptions, Transport } from "../Transport.ts"
import type { Profile } from "../Wire.ts"

/** The workspace of the API key (contract.md section 2). */
export class ProfileResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /** `timezone` is the IANA zone of times that name none. */
  get(options: RequestOptions = {}): Promise<Profile> {
    return this.#transport.request("GET", "/v1/profile", options)
  }
}
