import { Option, Schema } from "effect"
import { refusedByStatus, type Refusal, type Refused } from "../PlatformHttp.ts"

const decodeError = Schema.decodeUnknownOption(
  Schema.Struct({ code: Schema.Union([Schema.Finite, Schema.String]), message: Schema.String })
)

/**
 * The errors of the API. Pinterest's numbers are not documented one by one, so
 * the status decides, and words of the message where one status means several things.
 */
export const refuseApi = ({ status, body }: Refusal): Refused => {
  const said = Option.getOrElse(decodeError(body), () => ({ code: `http_${status}`, message: "" }))
  const code = String(said.code)
  const as = (errorClass: Refused["class"], sentence: string): Refused => ({
    class: errorClass,
    code,
    message: said.message === "" ? sentence : `${sentence} Pinterest says "${said.message}"`
  })
  const words = said.message.toLowerCase()
  const about = (...parts: ReadonlyArray<string>) => parts.some((part) => words.includes(part))
  switch (status) {
    case 401:
      return { ...as("reconnect", "The account's authorization has expired."), token_expired: true }
    case 403:
      return about("scope")
        ? as("reconnect", "A permission was not granted. Connect the account again and allow everything.")
        : as(
            "forbidden",
            "Pinterest does not allow the account or the app to do this. Check the account on Pinterest."
          )
    case 404:
      return about("media")
        ? {
            ...as(
              "transient",
              "Pinterest no longer has the video and did not create a pin. Carillon will send it again."
            ),
            discard_handle: true
          }
        : as("invalid", "The board or its section no longer exists. Choose another one.")
    case 409:
      return as("transient", "Pinterest was busy with the board. Carillon will try again.")
    case 400:
      if (about("unable to reach", "could not fetch", "fetch the image")) {
        return as("media_unreachable", "Pinterest could not fetch the media.")
      }
      if (about("board not found")) return as("invalid", "The board no longer exists. Choose another one.")
      return as("invalid", "Pinterest rejected the pin. Change it.")
    default:
      return refusedByStatus("Pinterest", status, said.message === "" ? undefined : { ...said, code })
  }
}

/** The token endpoint: 401 is about the app, 400 about the code or the refresh token. */
export const refuseTokens = (refusal: Refusal): Refused => {
  const { status } = refusal
  if (status === 401) {
    return {
      class: "config",
      code: "invalid_client",
      message:
        "Pinterest rejected this instance's app. Compare the app ID, its secret and its redirect address with the app on Pinterest."
    }
  }
  const { code, message } = refuseApi(refusal)
  return status === 400
    ? {
        class: "reconnect",
        code: "invalid_grant",
        message: "Pinterest no longer accepts the account's authorization. Connect the account again."
      }
    : { ...refusedByStatus("Pinterest", status), code, message }
}

/** Errors of the store of videos. Its content is of no use to anybody, so the upload starts again. */
export const refuseUpload = ({ status }: Refusal): Refused => {
  switch (status) {
    case 413:
      return refusedByStatus("Pinterest", status)
    case 400:
    case 403:
    case 404:
      return {
        class: "transient",
        code: "upload_not_taken",
        message:
          "Pinterest rejected the video at the upload address that it gave, or the address has expired. Carillon will send the video again.",
        discard_handle: true
      }
    default:
      return { ...refusedByStatus("Pinterest", status), discard_handle: true }
  }
}
