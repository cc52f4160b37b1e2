import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON
} from "@simplewebauthn/browser"
import { carillon } from "./api.ts"
import { boot } from "./boot.ts"

const publicOrigin = new URL(boot.public_url).origin

/** Whether this browser has passkeys: old ones do not, and a passkey belongs to one address. */
export const hasPasskeys = window.PublicKeyCredential !== undefined && location.origin === publicOrigin

/** Has the browser make one; its answer. */
export const makePasskey = async () => {
  const { startRegistration } = await import("@simplewebauthn/browser")
  const { create } = await carillon.secondFactor.passkeyOptions()
  const optionsJSON = create as unknown as PublicKeyCredentialCreationOptionsJSON
  return JSON.stringify(await startRegistration({ optionsJSON }))
}

/** Confirms with one of the person's, as the password does. */
export const confirmWithPasskey = async () => {
  const { startAuthentication } = await import("@simplewebauthn/browser")
  const { get } = await carillon.secondFactor.passkeyOptions()
  const optionsJSON = get as unknown as PublicKeyCredentialRequestOptionsJSON
  await carillon.secondFactor.confirmWithPasskey(JSON.stringify(await startAuthentication({ optionsJSON })))
}
