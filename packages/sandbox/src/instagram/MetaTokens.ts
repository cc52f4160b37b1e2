import { Clock, Effect, type Schema } from "effect"
import type { Dialect, Granted } from "../Exchange.ts"
import { Refused } from "../Exchange.ts"
import type { Grant, Tokens } from "../oauth/Tokens.ts"
import { graphError } from "./GraphErrors.ts"

/** The two products; neither takes the other's tokens. */
export type Login = "instagram" | "facebook"

export const loginOf = ({ scopes }: Grant): Login =>
  scopes.some((scope) => scope.startsWith("instagram_business_")) ? "instagram" : "facebook"

/** Errors of `api.instagram.com`, which have their own form. */
export const instagramTokenDialect: Dialect = {
  platform: "instagram",
  errorBody: (code, message, status) => ({ error_type: code, code: status, error_message: message }),
  words: {
    forbidden: { status: 403, code: "OAuthForbiddenException" },
    unauthorized: { status: 400, code: "OAuthException" },
    rate_limited: { status: 429, code: "OAuthRateLimitException" },
    server_error: { status: 500, code: "APIServerException" }
  }
}

/** The secret of every app. */
const appSecret = "sandbox"
const hour = 3600
/** The lifetime of long-lived tokens. */
const sixtyDays = 60 * 24 * hour
/** The lifetime of a Page's token, which does not expire by itself. */
export const pageSeconds = 50 * 365 * 24 * hour

type Tokens_ = Tokens["Service"]

/** A valid token request: the account, and the token to issue. */
export interface TokenRequest {
  readonly account: string
  readonly give: (seconds: number | undefined) => Effect.Effect<Granted>
}

const issue = (tokens: Tokens_, grant: Grant, access: number) =>
  Effect.map(tokens.issue(grant, { access, refresh: null }), ({ access_token }) => access_token)

/** Redeems a code, which is bound to its address, the app and the app's secret. */
const redeemed = Effect.fnUntraced(function* (
  tokens: Tokens_,
  given: URLSearchParams,
  refused: (message: string) => Refused
) {
  const field = (name: string) => given.get(name) ?? ""
  if (field("client_secret") !== appSecret || field("client_id") === "") {
    return yield* refused("Error validating client secret.")
  }
  const { grant, binding } = yield* tokens
    .redeem("instagram", field("code").replace(/#_$/, ""))
    .pipe(
      Effect.mapError((problem) =>
        refused(
          problem === "used" ? "This authorization code has been used" : "Invalid verification code format."
        )
      )
    )
  if (binding.redirect_uri !== field("redirect_uri")) {
    return yield* refused(
      "Error validating verification code. Please make sure your redirect_uri is identical."
    )
  }
  return grant.client_id === field("client_id")
    ? grant
    : yield* refused("The code was issued to another app.")
})

/** `POST api.instagram.com/oauth/access_token`: a token for an hour. */
export const instagramCode = Effect.fnUntraced(function* (tokens: Tokens_, form: URLSearchParams) {
  const refused = (message: string) => new Refused({ status: 400, code: "OAuthException", message })
  if (form.get("grant_type") !== "authorization_code") return yield* refused("Invalid grant_type.")
  const grant = yield* redeemed(tokens, form, refused)
  const give = (seconds = hour) =>
    Effect.map(issue(tokens, grant, seconds), (access_token): Granted => {
      const answer = {
        access_token,
        user_id: digits(tokens.accountId("instagram", grant.account)),
        permissions: grant.scopes.join(",")
      }
      return { status: 200, body: grant.account.endsWith("-wrapped") ? { data: [answer] } : answer }
    })
  return { account: grant.account, give } satisfies TokenRequest
})

/** A number as Meta sends it: longer than JavaScript's. */
const digits = (id: string) =>
  (JSON as unknown as { readonly rawJSON: (text: string) => Schema.Json }).rawJSON(id)

const found = (tokens: Tokens_, token: string, login: Login) =>
  tokens.find("instagram", "access", token).pipe(
    Effect.mapError((problem) =>
      problem === "expired"
        ? graphError("190/463", "Error validating access token: Session has expired.")
        : graphError("190", "Invalid OAuth access token - Cannot parse access token")
    ),
    Effect.filterOrFail(
      ({ grant }) => loginOf(grant) === login,
      () => graphError("190", "Invalid OAuth access token - Cannot parse access token")
    )
  )

const longLived = (tokens: Tokens_, grant: Grant): TokenRequest => ({
  account: grant.account,
  give: (seconds = sixtyDays) =>
    Effect.map(issue(tokens, grant, seconds), (access_token) => ({
      status: 200,
      body: { access_token, token_type: "bearer", expires_in: seconds }
    }))
})

/** `GET graph.instagram.com/access_token`: sixty days for the hour. */
export const instagramExchange = Effect.fnUntraced(function* (tokens: Tokens_, query: URLSearchParams) {
  if (query.get("grant_type") !== "ig_exchange_token" || query.get("client_secret") !== appSecret) {
    return yield* graphError("101", "Error validating application. Invalid application secret.")
  }
  const { grant } = yield* found(tokens, query.get("access_token") ?? "", "instagram")
  return longLived(tokens, grant)
})

/** `GET graph.instagram.com/refresh_access_token`: for a token that is at least a day old, as those of `...-aged` are. */
export const instagramRefresh = Effect.fnUntraced(function* (tokens: Tokens_, query: URLSearchParams) {
  if (query.get("grant_type") !== "ig_refresh_token") return yield* graphError("100", "Invalid grant_type.")
  const { grant, issued_at } = yield* found(tokens, query.get("access_token") ?? "", "instagram")
  const age = (yield* Clock.currentTimeMillis) - issued_at
  if (age < 24 * hour * 1000 && !grant.account.endsWith("-aged")) {
    return yield* graphError("10", "Cannot refresh: the token is less than 24 hours old.")
  }
  return longLived(tokens, grant)
})

/** `GET graph.facebook.com/{version}/oauth/access_token`: for a code, sixty days for a user's token, or a token of the app alone. */
export const facebookToken = Effect.fnUntraced(function* (tokens: Tokens_, query: URLSearchParams) {
  if (query.get("grant_type") === "fb_exchange_token") {
    if (query.get("client_secret") !== appSecret) {
      return yield* graphError("1", "Error validating client secret.")
    }
    const { grant } = yield* found(tokens, query.get("fb_exchange_token") ?? "", "facebook")
    return longLived(tokens, grant)
  }
  if (query.get("grant_type") === "client_credentials") {
    if (query.get("client_secret") !== appSecret) {
      return yield* graphError("1", "Error validating client secret.")
    }
    const body = { access_token: `${query.get("client_id")}|app`, token_type: "bearer" }
    return { account: "", give: () => Effect.succeed({ status: 200, body }) } satisfies TokenRequest
  }
  const grant = yield* redeemed(tokens, query, (message) => graphError("100/36007", message))
  const give = (seconds = hour) => longLived(tokens, grant).give(seconds)
  return { account: grant.account, give } satisfies TokenRequest
})
