import { Option, Schema } from "effect"
import type { PublishError } from "../Platform.ts"
import { refusedByStatus, type Refusal, type Refused } from "../PlatformHttp.ts"
import { versionAdvice } from "./ApiVersion.ts"

const name = "LinkedIn"

const InputError = Schema.Struct({
  code: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  input: Schema.optionalKey(Schema.Unknown)
})
const ApiError = Schema.Struct({
  message: Schema.optionalKey(Schema.String),
  code: Schema.optionalKey(Schema.String),
  serviceErrorCode: Schema.optionalKey(Schema.Union([Schema.Finite, Schema.String])),
  errorDetails: Schema.optionalKey(Schema.Unknown)
})
const decodeError = Schema.decodeUnknownOption(ApiError)
const decodeDetails = Schema.decodeUnknownOption(Schema.Struct({ inputErrors: Schema.Array(InputError) }))
const decodePath = Schema.decodeUnknownOption(
  Schema.Struct({ inputPath: Schema.Struct({ fieldPath: Schema.String }) })
)
const decodeTokenError = Schema.decodeUnknownOption(
  Schema.Struct({ error: Schema.String, error_description: Schema.optionalKey(Schema.String) })
)

export const duplicateCode = "DUPLICATE_POST"

const read = ({ body, status }: Refusal) => {
  const error = Option.getOrElse(decodeError(body), (): typeof ApiError.Type => ({}))
  const inputs = Option.match(decodeDetails(error.errorDetails), {
    onNone: () => [],
    onSome: ({ inputErrors }) => inputErrors
  })
  const fields = inputs.map(({ description = "", input }) =>
    Option.match(decodePath(input), {
      onNone: () => description,
      onSome: ({ inputPath }) => `${inputPath.fieldPath}: ${description}`
    })
  )
  const code = inputs[0]?.code ?? error.code ?? error.serviceErrorCode ?? `http_${status}`
  return {
    code: String(code),
    words: [error.message ?? "", ...fields].filter((text) => text !== "").join("; ")
  }
}

/** The URN that a refused duplicate names; undefined for every other refusal. */
export const duplicateOf = (refusal: Refusal): string | undefined => {
  const { code, words } = read(refusal)
  const isDuplicate = refusal.status === 422 && (code === duplicateCode || /\bduplicate\b/i.test(words))
  return isDuplicate ? /urn:li:(?:share|ugcPost):\d+/.exec(words)?.[0] : undefined
}

/** https://learn.microsoft.com/linkedin/shared/api-guide/concepts/error-handling, and what posts and files are refused for. */
export const refuseApi = (refusal: Refusal): Refused => {
  const { status } = refusal
  const { code, words } = read(refusal)
  const said = `${code} ${words}`
  const as = (errorClass: Refused["class"], sentence: string): Refused => ({
    class: errorClass,
    code,
    message: words === "" ? sentence : `${sentence} LinkedIn says "${words}"`
  })
  switch (status) {
    case 401:
      return {
        ...as("reconnect", "The account's access was revoked or has ended. Connect the account again."),
        token_expired: true
      }
    case 403:
      return /not enough permissions|scope/i.test(words)
        ? as("reconnect", "A permission was not granted. Connect the account again and allow everything.")
        : as(
            "forbidden",
            "LinkedIn does not allow the account to do this. For a page, check that the person is still its administrator or content administrator."
          )
    case 404:
      return as("invalid", "LinkedIn does not find what the post names, such as the post to repost.")
    case 409:
      return as("transient", "LinkedIn was busy with the account. Carillon will try again.")
    case 426:
      return {
        ...as("config", `LinkedIn no longer has this version of its API. ${versionAdvice}`),
        code: "version_ended"
      }
    case 400:
    case 422:
      if (/PROCESSING_FAILED/.test(said))
        return {
          ...as("media_rejected", "LinkedIn could not process a file. Encode it again."),
          discard_handle: true
        }
      if (/still (being )?process|being processed|in processing|WAITING_UPLOAD/i.test(said))
        return { ...as("transient", "LinkedIn is still processing a file."), code: "media_processing" }
      if (duplicateOf(refusal) !== undefined || code === duplicateCode)
        return {
          ...as(
            "invalid",
            "LinkedIn already has a post of the same content from this account, or had one until lately. Change the text."
          ),
          code: duplicateCode
        }
      return as("invalid", "LinkedIn rejected the post. Change what it names.")
    default:
      return refusedByStatus(name, status, words === "" ? undefined : { code, message: words })
  }
}

/** The same for what belongs to a file: one that LinkedIn does not know is sent again. */
export const refuseAsset = (refusal: Refusal): Refused =>
  refusal.status === 404 ? uploadLost(read(refusal).code) : refuseApi(refusal)

/** Errors of an upload's own address, whose content is of no use to anybody. */
export const refuseUpload = ({ status }: Refusal): Refused => {
  switch (status) {
    case 400:
    case 401:
    case 403:
    case 404:
    case 410:
      return uploadLost(`http_${status}`)
    default:
      return { ...refusedByStatus(name, status), discard_handle: true }
  }
}

const uploadLost = (code: string): Refused => ({
  class: "transient",
  code,
  message:
    "LinkedIn no longer takes or has the file at the place that it gave. Nothing was posted. Carillon will send the file again.",
  discard_handle: true
})

export const processingFailed: ConstructorParameters<typeof PublishError>[0] = {
  class: "media_rejected",
  code: "PROCESSING_FAILED",
  message:
    "LinkedIn could not process the file and gave no reason. Encode a video again as MP4 with H.264 and AAC, and save a picture or document anew."
}

/** The token endpoint (RFC 6749). */
export const refuseTokens = ({ body, status }: Refusal): Refused =>
  Option.match(decodeTokenError(body), {
    onNone: () => refusedByStatus(name, status),
    onSome: ({ error: code, error_description = "" }) =>
      code.startsWith("invalid_client")
        ? {
            class: "config",
            code,
            message:
              "LinkedIn rejected this instance's app. Compare the client ID, the client secret and the redirect URL with the app on LinkedIn."
          }
        : /^invalid_(grant|request|redirect_uri)$/.test(code) || status === 401
          ? {
              class: "reconnect",
              code,
              message: `LinkedIn does not accept the account's authorization: it was used, was revoked, or has ended. Connect the account again.${error_description === "" ? "" : ` LinkedIn says "${error_description}"`}`
            }
          : refusedByStatus(name, status, { code, message: error_description })
  })
