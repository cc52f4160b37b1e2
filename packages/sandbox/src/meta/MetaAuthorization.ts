import type { Schema } from "effect"
import { type Dialect, Refused } from "../Exchange.ts"
import type {
  AuthorizationServer,
  Issued,
  RefusalReason,
  TokenEndpoint
} from "../oauth/AuthorizationServer.ts"
import type { Grant, TokenProblem } from "../oauth/Tokens.ts"
import type { PlatformId } from "../Platforms.ts"
import { graphDialect, graphError } from "./GraphErrors.ts"

/** The two sign-ins; neither host takes the other's tokens. */
export type Login = "instagram" | "facebook"

export const loginOf = ({ scopes }: Grant): Login =>
  scopes.some((scope) => scope.startsWith("instagram_business_")) ? "instagram" : "facebook"

/** Facebook Login is for Instagram accounts or for Pages. */
export const facebookPlatform = (scopes: ReadonlyArray<string>): Login =>
  scopes.some((scope) => scope.startsWith("instagram_")) ? "instagram" : "facebook"

export const hour = 3600
/** The lifetime of long-lived tokens. */
const sixtyDays = 60 * 24 * hour
/** The lifetime of a Page's token, which does not expire by itself. */
export const pageLifetimes = { access: null, refresh: null }

/** Errors of a code's exchange at Instagram and Threads, which have their own form. */
export const codeErrors = (platform: PlatformId): Dialect => ({
  platform,
  errorBody: (code, message, status) => ({ error_type: code, code: status, error_message: message }),
  words: {
    forbidden: { status: 403, code: "OAuthForbiddenException" },
    unauthorized: { status: 400, code: "OAuthException" },
    rate_limited: { status: 429, code: "OAuthRateLimitException" },
    server_error: { status: 500, code: "APIServerException" }
  }
})

const messageOf = (reason: RefusalReason, problem: TokenProblem | null): string => {
  switch (reason) {
    case "client_id":
    case "client_secret":
      return "Error validating client secret."
    case "code":
      return problem === "used"
        ? "This authorization code has been used"
        : "Invalid verification code format."
    case "redirect_uri":
      return "Error validating verification code. Please make sure your redirect_uri is identical."
    case "grant_type":
      return "Invalid grant_type."
    default:
      return "The code was issued to another app."
  }
}

export const invalidToken = (problem: TokenProblem) =>
  problem === "expired"
    ? graphError("190/463", "Error validating access token: Session has expired.")
    : graphError("190", "Invalid OAuth access token - Cannot parse access token")

export const codeRefusal: NonNullable<TokenEndpoint["refusal"]> = (reason, problem) =>
  new Refused({ status: 400, code: "OAuthException", message: messageOf(reason, problem) })

/** `client`: the code of Meta for a wrong id or secret. */
export const graphRefusal =
  (client: string): NonNullable<TokenEndpoint["refusal"]> =>
  (reason, problem) => {
    if (reason === "token") return invalidToken(problem ?? "unknown")
    const isClient = reason === "client_id" || reason === "client_secret"
    const code = isClient ? client : reason === "grant_type" ? "100" : "100/36007"
    return graphError(code, messageOf(reason, problem))
  }

const longLived = ({ access_token, expires_in }: Issued) => ({
  access_token,
  token_type: "bearer",
  expires_in
})

const graph = { method: "GET", errors: graphDialect("instagram"), answer: longLived } as const

const byToken = { by: "token", kind: "access", access: sixtyDays, refresh: null } as const

/** Sixty days for a token of an hour, and again for one of at least a day, at Instagram and Threads. */
export const longLivedEndpoints = (
  errors: Dialect,
  host: `/${string}`,
  prefix: "ig" | "th"
): ReadonlyArray<TokenEndpoint> => [
  {
    ...graph,
    errors,
    path: `${host}/access_token`,
    client: "secret",
    grants: { [`${prefix}_exchange_token`]: { ...byToken, parameter: "access_token" } },
    refusal: graphRefusal("101")
  },
  {
    ...graph,
    errors,
    path: `${host}/refresh_access_token`,
    client: "none",
    grants: {
      [`${prefix}_refresh_token`]: {
        ...byToken,
        parameter: "access_token",
        // Those of `...-aged` are a day old from the first.
        objection: ({ account }, age) =>
          age < 24 * hour && !account.endsWith("-aged")
            ? graphError("10", "Cannot refresh: the token is less than 24 hours old.")
            : undefined
      }
    },
    refusal: graphRefusal("101")
  }
]

export const instagramLogin: AuthorizationServer = {
  platform: "instagram",
  name: "Instagram",
  scopeSeparator: ",",
  consent: ["/www.instagram.com/oauth/authorize"],
  owns: (grant) => loginOf(grant) === "instagram",
  endpoints: [
    {
      method: "POST",
      path: "/api.instagram.com/oauth/access_token",
      errors: codeErrors("instagram"),
      client: "parameters",
      grants: { authorization_code: { by: "code", access: hour, refresh: null } },
      refusal: codeRefusal,
      answer: ({ access_token, account_id, grant }) => {
        const answer = { access_token, user_id: digits(account_id), permissions: grant.scopes.join(",") }
        return grant.account.endsWith("-wrapped") ? { data: [answer] } : answer
      }
    },
    ...longLivedEndpoints(graphDialect("instagram"), "/graph.instagram.com", "ig")
  ]
}

export const facebookLogin: AuthorizationServer = {
  platform: facebookPlatform,
  name: "Facebook",
  scopeSeparator: ",",
  consent: ["/www.facebook.com/:version/dialog/oauth"],
  owns: (grant) => loginOf(grant) === "facebook",
  endpoints: [
    {
      ...graph,
      path: "/graph.facebook.com/:version/oauth/access_token",
      client: "parameters",
      grants: {
        // Without a grant_type it is a code.
        "": { by: "code", access: hour, refresh: null },
        fb_exchange_token: { ...byToken, parameter: "fb_exchange_token" },
        client_credentials: {
          by: "app",
          answer: (clientId) => ({ access_token: `${clientId}|app`, token_type: "bearer" })
        }
      },
      refusal: graphRefusal("1")
    }
  ]
}

/** A number as Meta sends it: longer than JavaScript's. */
export const digits = (id: string) =>
  (JSON as unknown as { readonly rawJSON: (text: string) => Schema.Json }).rawJSON(id)
