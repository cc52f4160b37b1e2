import { type Dialect, Refused } from "../Exchange.ts"

const service = "mybusiness.googleapis.com"

/** What `ErrorInfo` says of a reason, and the status that it comes with. */
const reasons: Readonly<Record<string, { readonly status: string; readonly metadata: object }>> = {
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: { status: "PERMISSION_DENIED", metadata: { service } },
  SERVICE_DISABLED: { status: "PERMISSION_DENIED", metadata: { service, consumer: "projects/1410" } },
  RATE_LIMIT_EXCEEDED: {
    status: "RESOURCE_EXHAUSTED",
    metadata: {
      service,
      quota_limit: "DefaultRequestsPerMinutePerProject",
      quota_limit_value: "0",
      quota_unit: "1/min/{project}",
      consumer: "projects/1410"
    }
  }
}

const typeOf = (name: string) => ({ "@type": `type.googleapis.com/${name}` })

/** https://google.aip.dev/193 */
const body = (status: string, message: string, code: number, detail?: object) => ({
  error: { code, message, status, ...(detail === undefined ? {} : { details: [{ ...detail }] }) }
})

/** Of a status, or of a reason with the status that it comes with. */
const bodyOf = (code: string, message: string, status: number) => {
  const reason = reasons[code]
  if (reason === undefined) return body(code, message, status)
  const { metadata } = reason
  const info = { ...typeOf("google.rpc.ErrorInfo"), reason: code, domain: "googleapis.com", metadata }
  return body(reason.status, message, status, info)
}

export const dialect: Dialect = {
  platform: "google_business",
  errorBody: bodyOf,
  words: {
    forbidden: { status: 403, code: "PERMISSION_DENIED" },
    unauthorized: { status: 401, code: "UNAUTHENTICATED" },
    rate_limited: { status: 429, code: "RESOURCE_EXHAUSTED" },
    server_error: { status: 503, code: "UNAVAILABLE" }
  }
}

export const refused = (status: number, code: string, message: string) =>
  new Refused({ status, code, message })

const badRequest = (message: string, detail: object) =>
  new Refused({
    status: 400,
    code: "INVALID_ARGUMENT",
    message,
    body: body("INVALID_ARGUMENT", message, 400, detail)
  })

/** A request that is not one of the API's messages. */
export const malformed = (message: string) =>
  badRequest(message, {
    ...typeOf("google.rpc.BadRequest"),
    fieldViolations: [{ description: message }]
  })

/** A rule of local posts: https://developers.google.com/my-business/reference/rest/Shared.Types/ValidationError */
export interface Violation {
  readonly code: number
  readonly message: string
  readonly field?: string
  readonly value?: string
}

export const invalid = (violation: Violation) =>
  badRequest("Request contains an invalid argument.", {
    ...typeOf("google.mybusiness.v4.ValidationError"),
    errorDetails: [{ ...violation }]
  })

export const denied = refused(403, "PERMISSION_DENIED", "The caller does not have permission")
export const notFound = refused(404, "NOT_FOUND", "Requested entity was not found.")

/** Of a project to which Google has not given access yet. */
export const withoutQuota = refused(
  429,
  "RATE_LIMIT_EXCEEDED",
  `Quota exceeded for quota metric 'Requests' and limit 'Requests per minute' of service '${service}' for consumer 'project_number:1410'.`
)
