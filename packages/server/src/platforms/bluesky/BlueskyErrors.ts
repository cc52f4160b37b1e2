import { Option, Schema } from "effect"
import { type Refusal, type Refused, refusedByStatus } from "../PlatformHttp.ts"

const ErrorBody = Schema.Struct({ error: Schema.String, message: Schema.optionalKey(Schema.String) })
const decodeErrorBody = Schema.decodeUnknownOption(ErrorBody)

export const inactive = {
  class: "forbidden",
  message:
    "Bluesky says that the account is deactivated, suspended or taken down. Sign in at bsky.app to see why."
} as const

/** An error that is not named here goes by its status. */
export const refuse = ({ status, body }: Refusal): Refused =>
  Option.match(decodeErrorBody(body), {
    onNone: () => withRefresh(refusedByStatus("Bluesky", status)),
    onSome: ({ error: code, message = code }) => {
      switch (code) {
        case "ExpiredToken":
        case "InvalidToken":
        case "AuthMissing":
        case "AuthenticationRequired":
          return {
            class: "reconnect",
            code,
            message: "Bluesky no longer accepts the account's authorization. Connect the account again.",
            token_expired: true
          }
        case "AccountTakedown":
        case "AccountDeactivated":
        case "AccountSuspended":
        case "RepoTakendown":
        case "RepoDeactivated":
        case "RepoSuspended":
          return { ...inactive, code }
        case "BlobNotFound":
          return {
            class: "transient",
            code,
            message:
              "Bluesky no longer has a file that was uploaded for this post. Carillon will upload it again.",
            discard_handle: true
          }
        case "InvalidMimeType":
        case "InvalidSize":
        case "BlobTooLarge":
        case "PayloadTooLarge":
          return {
            class: "media_rejected",
            code,
            message: `Bluesky rejected a file: "${message}". Use a smaller file or another type.`
          }
        default:
          return withRefresh(refusedByStatus("Bluesky", status, { code, message }))
      }
    }
  })

/** Every other 401 may be the token's fault too. */
const withRefresh = (refused: Refused): Refused =>
  refused.class === "reconnect" ? { ...refused, token_expired: true } : refused

export const refuseSignIn = (refusal: Refusal): Refused => {
  const refused = refuse(refusal)
  if (refused.code === "AuthFactorTokenRequired") {
    return {
      class: "reconnect",
      code: "credentials_rejected",
      message:
        "This is the account's main password, which also requires a code sent by e-mail. Create an app password at " +
        "bsky.app (Settings, Privacy and security, App passwords) and use that."
    }
  }
  return refused.token_expired === true
    ? {
        class: "reconnect",
        code: "credentials_rejected",
        message:
          "The server rejected this handle and app password. Check the handle, and create a new app password " +
          "at bsky.app (Settings, Privacy and security, App passwords)."
      }
    : refused
}

export const refuseRefresh = (refusal: Refusal): Refused => {
  const { token_expired: _expired, ...refused } = refuse(refusal)
  return refused
}
