import { Clock, Effect } from "effect"
import { type Arrived, Refused } from "../Exchange.ts"
import { bearerOf } from "../oauth/Bearer.ts"
import type { TokenProblem, Tokens } from "../oauth/Tokens.ts"
import { didOf, didOfHost, server } from "./Bluesky.ts"

/** The scope of a session that was begun with an app password. */
const appPassword = "com.atproto.appPass"
/** Seconds: about two hours, and three months. */
const lifetimes = { access: 2 * 3600, refresh: 90 * 86_400 }

export const refused = (status: number, code: string, message = code) =>
  new Refused({ status, code, message })

const badToken = (problem: TokenProblem) =>
  problem === "expired"
    ? refused(400, "ExpiredToken", "Token has expired")
    : refused(400, "InvalidToken", "Token could not be verified")

/** A token with the claims that clients read; what lets in is its last part. */
const jwt = (claims: object, secret: string) =>
  [{ typ: "at+jwt", alg: "ES256K" }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .concat(secret)
    .join(".")
const secretOf = (token: string) => token.split(".").at(-1)!

/** Sessions and the tokens for other services: https://atproto.com/specs/xrpc#authentication */
export const sessions = (tokens: Tokens["Service"]) => {
  const claimsOf = Effect.fnUntraced(function* (account: string, scope: string, seconds: number) {
    const iat = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    return { scope, sub: didOf(account), aud: didOfHost(server), iat, exp: iat + seconds }
  })

  const bearing = Effect.fnUntraced(function* ({ request, seen }: Arrived, kind: "access" | "refresh") {
    const token = bearerOf(request)
    if (token === undefined) return yield* refused(401, "AuthMissing", "Authentication Required")
    const secret = secretOf(token)
    const { grant } = yield* Effect.mapError(tokens.find("bluesky", kind, secret), badToken)
    seen.account = grant.account
    return { account: grant.account, grant, expireToken: () => tokens.end(secret) }
  })

  return {
    begin: Effect.fnUntraced(function* (account: string, seconds = lifetimes.access) {
      const grant = { platform: "bluesky", account, client_id: server, scopes: [appPassword] } as const
      const issued = yield* tokens.issue(grant, { ...lifetimes, access: seconds })
      return {
        accessJwt: jwt(yield* claimsOf(account, appPassword, seconds), issued.access_token),
        refreshJwt: jwt(
          yield* claimsOf(account, "com.atproto.refresh", lifetimes.refresh),
          issued.refresh_token!
        )
      }
    }),

    /** The account that a call belongs to. */
    authorized: Effect.fnUntraced(function* (arrived: Arrived) {
      const bearer = yield* bearing(arrived, "access")
      return bearer.grant.scopes.includes(appPassword) ? bearer : yield* badToken("unknown")
    }),

    refreshing: (arrived: Arrived) => bearing(arrived, "refresh"),

    /** A token for one method of another service: https://docs.bsky.app/docs/api/com-atproto-server-get-service-auth */
    forService: Effect.fnUntraced(function* (account: string, aud: string, lxm: string, seconds: number) {
      const grant = { platform: "bluesky", account, client_id: aud, scopes: [lxm] } as const
      const issued = yield* tokens.issue(grant, { access: seconds, refresh: null })
      return jwt({ ...(yield* claimsOf(account, lxm, seconds)), aud, lxm }, issued.access_token)
    }),

    /** The account of a call to the service that such a token is for. */
    inService: Effect.fnUntraced(function* (
      arrived: Arrived,
      { aud, lxm }: { readonly aud: string; readonly lxm: string }
    ) {
      const bearer = yield* bearing(arrived, "access")
      return bearer.grant.client_id === aud && bearer.grant.scopes.includes(lxm)
        ? bearer
        : yield* refused(401, "AuthenticationRequired", `The token is not for ${lxm} of ${aud}`)
    })
  }
}
