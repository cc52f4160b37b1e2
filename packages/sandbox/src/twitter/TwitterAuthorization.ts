import { STATUS_CODES } from "node:http"
import { type Dialect, Refused } from "../Exchange.ts"
import {
  type AuthorizationServer,
  codeThenRotation,
  refusals,
  standardErrors
} from "../oauth/AuthorizationServer.ts"

/** https://docs.x.com/x-api/fundamentals/response-codes-and-errors, and the one of used up credits; others are `about:blank`. */
const problems = new Set(
  "invalid-request resource-not-found client-forbidden unsupported-authentication user-suspended usage-capped rate-limit-exceeded credits".split(
    " "
  )
)

const problemJson = { "content-type": "application/problem+json" }

export const dialect: Dialect = {
  platform: "twitter",
  errorType: problemJson["content-type"],
  errorBody: (code, detail, status) => ({
    title: STATUS_CODES[status] ?? "Error",
    detail,
    type: problems.has(code) ? `https://api.x.com/2/problems/${code}` : "about:blank",
    status
  }),
  words: {
    forbidden: { status: 403, code: "about:blank" },
    unauthorized: { status: 401, code: "about:blank" },
    rate_limited: { status: 429, code: "rate-limit-exceeded" },
    server_error: { status: 503, code: "about:blank" }
  },
  // https://docs.x.com/x-api/fundamentals/rate-limits
  comeBack: (seconds) => ({
    "x-rate-limit-limit": "100",
    "x-rate-limit-remaining": "0",
    "x-rate-limit-reset": String(Math.ceil(Date.now() / 1000) + seconds)
  })
}

/** `code`: the last part of the problem's type; any other makes it `about:blank`. */
export const refused = (
  status: number,
  code: string,
  message: string,
  headers?: Readonly<Record<string, string>>
) =>
  new Refused({
    status,
    code,
    message,
    ...(headers === undefined ? {} : { headers: { ...problemJson, ...headers } })
  })

export const forbidden = (message: string) => refused(403, "about:blank", message)
export const invalid = (message: string) => refused(400, "invalid-request", message)

export const notFound = (resource_type: string, id: string) => {
  const detail = `Could not find ${resource_type} with id: [${id}].`
  const body = {
    ...Object(dialect.errorBody("resource-not-found", detail, 404)),
    resource_type,
    resource_id: id
  }
  return new Refused({ status: 404, code: "resource-not-found", message: detail, headers: problemJson, body })
}

/** How calls of accounts with such names are refused; their connection works. */
const troubles: Readonly<Record<string, Refused>> = {
  nocredits: refused(
    402,
    "credits",
    "Your enrolled account does not have any credits to fulfill this request."
  ),
  capped: refused(403, "usage-capped", "Usage cap exceeded: Monthly product cap."),
  unenrolled: refused(
    403,
    "client-forbidden",
    "The app is not enrolled, or lacks the access that this needs."
  ),
  suspended: refused(403, "user-suspended", "The authenticated user is suspended.")
}
export const troubleOf = (account: string) => troubles[/[^-]*$/.exec(account)![0]]

/** https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code#scopes, as far as posts go. */
const scopes = ["tweet.read", "tweet.write", "users.read", "users.email", "media.write", "offline.access"]

const client = {
  errors: standardErrors("twitter"),
  client: "basic",
  refusal: refusals((reason) => {
    switch (reason) {
      case "client_id":
      case "client_secret":
        return { status: 401, code: "unauthorized_client", message: "Missing valid authorization header" }
      case "grant_type":
        return undefined
      case "token":
      case "other_app":
        return { code: "invalid_request", message: "Value passed for the token was invalid." }
      default:
        return { code: "invalid_request", message: "Value passed for the authorization code was invalid." }
    }
  })
} as const

export const xLogin: AuthorizationServer = {
  platform: "twitter",
  name: "X",
  scopeSeparator: " ",
  pkce: true,
  codeSeconds: 30,
  consent: ["/x.com/i/oauth2/authorize"],
  objections: (query) => [
    ...(query.has("code_challenge") ? [] : ["code_challenge is missing."]),
    ...(query.has("state") ? [] : ["state is missing."]),
    ...((query.get("state") ?? "").length > 500 ? ["state is longer than 500 characters."] : []),
    ...(query.get("scope") ?? "")
      .split(" ")
      .filter((scope) => !scopes.includes(scope))
      .map((scope) => `There is no scope ${scope}.`)
  ],
  endpoints: [
    {
      ...client,
      method: "POST",
      path: "/api.x.com/2/oauth2/token",
      grants: codeThenRotation({ access: 7200, refresh: 180 * 24 * 3600 }),
      isOffline: ({ scopes }) => scopes.includes("offline.access")
    }
  ],
  revocation: {
    ...client,
    path: "/api.x.com/2/oauth2/revoke",
    of: ["access", "refresh"],
    ends: "token",
    answer: { revoked: true }
  }
}
