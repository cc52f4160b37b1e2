import { type Dialect, Refused } from "../Exchange.ts"
import type { TokenProblem } from "../oauth/Tokens.ts"

/** https://learn.microsoft.com/linkedin/shared/api-guide/concepts/error-handling */
const body = (code: string, message: string, status: number) => ({ status, code, message })

/** A refusal of what was sent, which may name the field. */
const inputBody = (code: string, message: string, status: number, field?: string) => ({
  errorDetailType: "com.linkedin.common.error.BadRequest",
  message,
  errorDetails: {
    inputErrors: [
      { description: message, input: field === undefined ? {} : { inputPath: { fieldPath: field } }, code }
    ]
  },
  status
})

export const dialect: Dialect = {
  platform: "linkedin",
  errorBody: (code, message, status) => (status === 422 ? inputBody : body)(code, message, status),
  words: {
    forbidden: { status: 403, code: "ACCESS_DENIED" },
    unauthorized: { status: 401, code: "EXPIRED_ACCESS_TOKEN" },
    rate_limited: { status: 429, code: "TOO_MANY_REQUESTS" },
    server_error: { status: 500, code: "INTERNAL_SERVER_ERROR" }
  },
  // It never says when to come back.
  comeBack: () => ({})
}

export const refused = (status: number, code: string, message: string, more: object = {}) =>
  new Refused({ status, code, message, body: { ...body(code, message, status), ...more } })

export const invalid = (code: string, message: string, field?: string, status = 422) =>
  new Refused({ status, code, message, body: inputBody(code, message, status, field) })

export const denied = (message: string) => refused(403, "ACCESS_DENIED", message, { serviceErrorCode: 100 })

export const invalidToken = (problem: TokenProblem) =>
  problem === "expired"
    ? refused(401, "EXPIRED_ACCESS_TOKEN", "The token used in the request has expired", {
        serviceErrorCode: 65602
      })
    : refused(401, "INVALID_ACCESS_TOKEN", "Invalid access token", { serviceErrorCode: 65600 })
