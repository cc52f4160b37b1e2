import { pathTo, type RequestOptions, type Transport } from "../Transport.ts"
import type {
  AddPasskey,
  Passkey,
  PasskeyDeleted,
  PasskeyOptions,
  PasswordConfirmed,
  RecoveryCodes,
  SecondFactor,
  SetTotp,
  TotpDeleted,
  TotpSecret
} from "../Wire.ts"

/** What the signed-in member signs in with beside the password, for a client that was made with `session`. Keys and apps get `person_only`. */
export class SecondFactorResource {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * The authenticator app, the recovery codes that are left, and the passkeys.
   *
   * ```ts
   * const { totp_since, passkeys } = await carillon.secondFactor.get()
   * ```
   */
  get(options: RequestOptions = {}): Promise<SecondFactor> {
    return this.#transport.request("GET", "/v1/session/second-factor", options)
  }

  /**
   * A new secret for an authenticator app. It counts once `setTotp` has confirmed it.
   *
   * ```ts
   * const { secret, uri } = await carillon.secondFactor.makeTotpSecret()
   * ```
   */
  makeTotpSecret(options: RequestOptions = {}): Promise<TotpSecret> {
    return this.#transport.request("POST", "/v1/session/totp", options)
  }

  /**
   * Asks for codes of this secret at the sign-in. The recovery codes are shown this once.
   *
   * ```ts
   * const { secret } = await carillon.secondFactor.makeTotpSecret()
   * const { recovery_codes } = await carillon.secondFactor.setTotp({ secret, code: "123456" })
   * ```
   */
  setTotp(totp: SetTotp, options: RequestOptions = {}): Promise<RecoveryCodes> {
    return this.#transport.request("PUT", "/v1/session/totp", { ...options, body: totp })
  }

  /**
   * Asks for no code any more.
   *
   * ```ts
   * await carillon.secondFactor.deleteTotp()
   * ```
   */
  deleteTotp(options: RequestOptions = {}): Promise<TotpDeleted> {
    return this.#transport.request("DELETE", "/v1/session/totp", options)
  }

  /**
   * New recovery codes instead of all former ones.
   *
   * ```ts
   * const { recovery_codes } = await carillon.secondFactor.replaceRecoveryCodes()
   * ```
   */
  replaceRecoveryCodes(options: RequestOptions = {}): Promise<RecoveryCodes> {
    return this.#transport.request("PUT", "/v1/session/recovery-codes", options)
  }

  /**
   * What the browser needs to make a passkey, or to sign with one. The answer has to follow within five minutes.
   *
   * ```ts
   * const { create, get } = await carillon.secondFactor.passkeyOptions()
   * ```
   */
  passkeyOptions(options: RequestOptions = {}): Promise<PasskeyOptions> {
    return this.#transport.request("POST", "/v1/session/passkeys/options", options)
  }

  /**
   * Adds the passkey that the browser made.
   *
   * ```ts
   * await carillon.secondFactor.addPasskey({ name: "Laptop", credential: '{"id":"…","response":{}}' })
   * ```
   */
  addPasskey(passkey: AddPasskey, options: RequestOptions = {}): Promise<Passkey> {
    return this.#transport.request("POST", "/v1/session/passkeys", { ...options, body: passkey })
  }

  /**
   * Removes a passkey: it signs in no more.
   *
   * ```ts
   * await carillon.secondFactor.deletePasskey("019a9d3c-0000-7000-8000-000000000001")
   * ```
   */
  async deletePasskey(id: string, options: RequestOptions = {}): Promise<PasskeyDeleted> {
    return this.#transport.request("DELETE", pathTo("/v1/session/passkeys", id), options)
  }

  /**
   * Confirms with a passkey what was refused with `confirm_password`, as `session.confirm` does with the password.
   *
   * ```ts
   * await carillon.secondFactor.confirmWithPasskey('{"id":"…","response":{}}')
   * ```
   */
  confirmWithPasskey(credential: string, options: RequestOptions = {}): Promise<PasswordConfirmed> {
    return this.#transport.request("PUT", "/v1/session/confirmation/passkey", {
      ...options,
      body: { credential }
    })
  }
}
