import { Option, Schema } from "effect"
import { refusedByStatus, type Refusal, type Refused } from "../PlatformHttp.ts"

const Violation = Schema.Struct({
  field: Schema.optionalKey(Schema.String),
  description: Schema.optionalKey(Schema.String),
  message: Schema.optionalKey(Schema.String)
})
const Violations = Schema.optionalKey(Schema.Array(Violation))
const Detail = Schema.Struct({
  reason: Schema.optionalKey(Schema.String),
  metadata: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  /** `google.rpc.BadRequest`, and what version 4 has instead of it. */
  fieldViolations: Violations,
  errorDetails: Violations
})
const ApiError = Schema.Struct({
  error: Schema.Struct({
    status: Schema.optionalKey(Schema.String),
    message: Schema.optionalKey(Schema.String),
    details: Schema.optionalKey(Schema.Array(Schema.Unknown))
  })
})
const decodeError = Schema.decodeUnknownOption(ApiError)
const decodeDetail = Schema.decodeUnknownOption(Detail)

const read = (body: unknown) => {
  const {
    details = [],
    message = "",
    status
  } = Option.match(decodeError(body), {
    onNone: (): typeof ApiError.Type.error => ({}),
    onSome: ({ error }) => error
  })
  const known = details.flatMap((detail) => Option.toArray(decodeDetail(detail)))
  const violations = known.flatMap(({ errorDetails = [], fieldViolations = [] }) => [
    ...fieldViolations,
    ...errorDetails
  ])
  const fields = violations.map(({ description, field = "", message: own }) =>
    [field, description ?? own ?? ""].filter((part) => part !== "").join(": ")
  )
  return {
    status,
    reason: known.find(({ reason }) => reason !== undefined)?.reason,
    quota: known.find(({ metadata }) => metadata?.["quota_limit_value"] !== undefined)?.metadata?.[
      "quota_limit_value"
    ],
    words: [message, ...fields].filter((part) => part !== "").join(" "),
    onPicture: violations.some(({ field = "" }) => /media|source_?url|photo/i.test(field))
  }
}

const hasNoAccess = (body: unknown) => String(read(body).quota) === "0"

/**
 * A project without access has a quota of 0, and so each call is one too many (429); waiting does not help.
 * https://developers.google.com/my-business/content/prereqs
 */
export const statusIn = (body: unknown) => (hasNoAccess(body) ? 403 : undefined)

/** https://cloud.google.com/apis/design/errors. An error that is not named here goes by its status. */
export const refuseApi = ({ body, status }: Refusal): Refused => {
  const { onPicture, reason, status: name, words } = read(body)
  const code = reason ?? name ?? `http_${status}`
  const as = (errorClass: Refused["class"], sentence: string, own = code): Refused => ({
    class: errorClass,
    code: own,
    message: words === "" ? sentence : `${sentence} Google says "${words}"`
  })
  if (hasNoAccess(body))
    return as(
      "config",
      "Google has not granted this instance's project access to the Business Profile APIs: its quota is 0. The operator requests access, as the page on Google Business says.",
      "access_not_granted"
    )
  if (reason === "SERVICE_DISABLED" || reason === "accessNotConfigured")
    return as(
      "config",
      "The Google project has not enabled an API that posts need. The operator enables it in the Google Cloud console."
    )
  if (reason === "ACCESS_TOKEN_SCOPE_INSUFFICIENT" || reason === "insufficientPermissions")
    return as("reconnect", "A permission was not granted. Connect the account again and allow everything.")
  switch (status) {
    case 401:
      return { ...as("reconnect", "The account's authorization has expired."), token_expired: true }
    case 403:
      return as(
        "forbidden",
        "Google does not let this person post for the location. Make sure that they are still its owner or manager and that the profile is verified."
      )
    case 404:
      return as(
        "forbidden",
        "Google does not find the location or the post, or this person no longer manages it. Connect the location again."
      )
    case 409:
      return as("transient", "Google was changing the location. Carillon will try again.")
    case 400:
      if (name === "FAILED_PRECONDITION")
        return as("forbidden", "The location accepts no posts now. Check it in Google Business Profile.")
      if (onPicture)
        return /fetch|download|retriev|reach|load|access/i.test(words)
          ? as("media_unreachable", "Google could not fetch the picture from this service.")
          : as("media_rejected", "Google rejected the picture. Choose another one.")
      return as("invalid", "Google rejected the post. Change what it names.")
    default:
      return refusedByStatus("Google", status, words === "" ? undefined : { code, message: words })
  }
}
