import { pathTo, type RequestOptions, type Transport } from "../Transport.ts"
import type { ChangePassword, PasswordConfirmed, SessionEnded, SessionList, SessionsEnded } from "../Wire.ts"

const collection = "/v1/sessions"

/** The member who is signed in, for a client that was made with `session`. Keys and apps get `person_only`, except for `confirm`. */
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

  /**
   * Ends every session of the member, and begins one anew in this browser.
   *
   * ```ts
   * await carillon.session.changePassword({ current_password: "three words before", new_password: "four words that differ" })
   * ```
   */
  changePassword(passwords: ChangePassword, options: RequestOptions = {}): Promise<SessionsEnded> {
    return this.#transport.request("PUT", "/v1/session/password", { ...options, body: passwords })
  }

  /**
   * Where the member is signed in, last used first.
   *
   * ```ts
   * const { data } = await carillon.session.list()
   * for (const { device, address, current } of data) console.log(device, address, current)
   * ```
   */
  list(options: RequestOptions = {}): Promise<SessionList> {
    return this.#transport.request("GET", collection, options)
  }

  /**
   * Signs out of one browser, which may be this one.
   *
   * ```ts
   * await carillon.session.end("019a9d3c-0000-7000-8000-000000000001")
   * ```
   */
  async end(id: string, options: RequestOptions = {}): Promise<SessionEnded> {
    return this.#transport.request("DELETE", pathTo(collection, id), options)
  }

  /**
   * Signs out everywhere, this browser included.
   *
   * ```ts
   * await carillon.session.endAll()
   * ```
   */
  endAll(options: RequestOptions = {}): Promise<SessionsEnded> {
    return this.#transport.request("DELETE", collection, options)
  }
}
