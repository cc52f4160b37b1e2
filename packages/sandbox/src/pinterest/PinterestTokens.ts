import { Clock, Effect } from "effect"
import { type Granted, Refused } from "../Exchange.ts"
import type { Grant, Tokens } from "../oauth/Tokens.ts"

/** The secret of every app. */
const appSecret = "sandbox"
const accessSeconds = 2_592_000
const refreshSeconds = 5_184_000

/** The account of a request of the token endpoint, and the tokens to issue. */
export interface TokenRequest {
  readonly account: string
  readonly grant: (seconds: number | undefined) => Effect.Effect<Granted>
}

/** The id of the app that the request names with HTTP Basic. */
const clientOf = (authorization: string) => {
  const encoded = /^Basic +(\S+)$/i.exec(authorization)?.[1] ?? ""
  const [id = "", secret = ""] = Buffer.from(encoded, "base64").toString("utf8").split(":", 2)
  return secret === appSecret && id !== "" ? id : undefined
}

export const readTokenRequest = Effect.fnUntraced(function* (
  tokens: Tokens["Service"],
  authorization: string,
  form: URLSearchParams
): Effect.fn.Return<TokenRequest, Refused> {
  const field = (name: string) => form.get(name) ?? ""
  const client = clientOf(authorization)
  if (client === undefined) return yield* refused(401, "2", "Authentication failed.")
  const type = field("grant_type")
  switch (type) {
    case "authorization_code": {
      const { grant, binding } = yield* tokens
        .redeem("pinterest", field("code"))
        .pipe(Effect.mapError(() => refused(400, "283", "Invalid or expired authorization code.")))
      if (binding.redirect_uri !== field("redirect_uri")) {
        return yield* refused(400, "283", "The redirect_uri is not that of the authorization request.")
      }
      if (grant.client_id !== client) {
        return yield* refused(400, "283", "The authorization code was given to another app.")
      }
      return { account: grant.account, grant: (seconds) => give(tokens, grant, type, seconds) }
    }
    case "refresh_token": {
      const token = field("refresh_token")
      const { grant } = yield* tokens
        .find("pinterest", "refresh", token)
        .pipe(Effect.mapError(() => refused(400, "283", "Invalid or expired refresh token.")))
      if (grant.client_id !== client) {
        return yield* refused(400, "283", "The refresh token was given to another app.")
      }
      return {
        account: grant.account,
        grant: (seconds) =>
          Effect.suspend(() => {
            tokens.end(token)
            return give(tokens, grant, type, seconds)
          })
      }
    }
    default:
      return yield* refused(400, "1", `Invalid grant_type: ${type}`)
  }
})

const give = Effect.fnUntraced(function* (
  tokens: Tokens["Service"],
  grant: Grant,
  response_type: string,
  seconds: number | undefined
) {
  const expires_in = seconds ?? accessSeconds
  const { access_token, refresh_token } = yield* tokens.issue(grant, {
    access: expires_in,
    refresh: refreshSeconds
  })
  return {
    status: 200,
    body: {
      response_type,
      access_token,
      expires_in,
      refresh_token,
      refresh_token_expires_in: refreshSeconds,
      refresh_token_expires_at: Math.floor((yield* Clock.currentTimeMillis) / 1000) + refreshSeconds,
      token_type: "bearer",
      scope: grant.scopes.join(" ")
    }
  }
})

const refused = (status: number, code: string, message: string) => new Refused({ status, code, message })
