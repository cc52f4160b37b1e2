import type { RequestOptions, Transport } from "../Transport.ts"
import type { PasswordConfirmed } from "../Wire.ts"

/** The member who is signed in, for a client that was made with `session`. */
export class SessionResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Gives the password again, after a call was refused with `confirm_password`. For 15 minutes such calls then work.
   *
   * ```ts
   * const { confirmed_until } = await carillon.session.confirm("correct horse battery")
   * ```
   *
   * @throws PermissionError `confirm_password` when it is wrong
   */
  confirm(password: string, options: RequestOptions = {}): Promise<PasswordConfirmed> {
    return this.#transport.request("PUT", "/v1/session/confirmation", { ...options, body: { password } })
  }
}
