import type { RequestOptions, Transport } from "../Transport.ts"
import type { Profile, UpdateProfile } from "../Wire.ts"

/** The workspace of the API key. */
export class ProfileResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * `timezone` is the IANA zone of times that name none; `scopes` is what the key may do.
   *
   * ```ts
   * const { timezone, scopes } = await carillon.profile.get()
   * ```
   */
  get(options: RequestOptions = {}): Promise<Profile> {
    return this.#transport.request("GET", "/v1/profile", options)
  }

  /**
   * Changes the name of the workspace, its time zone or how late a post may go out; an absent key is unchanged.
   *
   * ```ts
   * await carillon.profile.update({ timezone: "Europe/Paris" })
   * ```
   */
  update(changes: UpdateProfile, options: RequestOptions = {}): Promise<Profile> {
    return this.#transport.request("PATCH", "/v1/profile", { ...options, body: changes })
  }
}
