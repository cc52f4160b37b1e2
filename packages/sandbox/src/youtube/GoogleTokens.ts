import { Effect } from "effect"
import { createHash } from "node:crypto"
import { type Dialect, type Granted, Refused } from "../Exchange.ts"
import type { Grant, Tokens } from "../oauth/Tokens.ts"

/** Errors of the token endpoint (RFC 6749 section 5.2). */
export const tokenDialect: Dialect = {
  platform: "youtube",
  errorBody: (code, message) => ({ error: code, error_description: message }),
  words: {
    forbidden: { status: 403, code: "access_denied" },
    unauthorized: { status: 400, code: "invalid_grant" },
    rate_limited: { status: 429, code: "rate_limit_exceeded" },
    server_error: { status: 500, code: "internal_failure" }
  }
}

/** The secret of every app. */
const appSecret = "sandbox"
const accessSeconds = 3599
/** Half a year without use ends it; here from the day of the consent. */
const refreshSeconds = 180 * 24 * 3600

/** The account of a request of the token endpoint, and the tokens to issue. */
export interface TokenRequest {
  readonly account: string
  readonly grant: (seconds: number | undefined) => Effect.Effect<Granted>
}

export const readTokenRequest = Effect.fnUntraced(function* (
  tokens: Tokens["Service"],
  form: URLSearchParams
): Effect.fn.Return<TokenRequest, Refused> {
  const field = (name: string) => form.get(name) ?? ""
  if (field("client_id") === "")
    return yield* refused(401, "invalid_client", "The OAuth client was not found.")
  if (field("client_secret") !== appSecret) {
    return yield* refused(401, "invalid_client", "The provided client secret is invalid.")
  }
  switch (field("grant_type")) {
    case "authorization_code": {
      const { grant, binding } = yield* tokens
        .redeem("youtube", field("code"))
        .pipe(Effect.mapError(() => badGrant("Malformed auth code, or one that was used or has run out.")))
      if (binding.redirect_uri !== field("redirect_uri")) {
        return yield* refused(400, "redirect_uri_mismatch", "redirect_uri is not that of the consent page.")
      }
      if (grant.client_id !== field("client_id")) {
        return yield* badGrant("The code was given to another client.")
      }
      if (binding.code_challenge !== null && binding.code_challenge !== challenge(field("code_verifier"))) {
        return yield* badGrant("Invalid code verifier.")
      }
      return { account: grant.account, grant: (seconds) => give(tokens, grant, seconds, true) }
    }
    case "refresh_token": {
      const { grant } = yield* tokens
        .find("youtube", "refresh", field("refresh_token"))
        .pipe(Effect.mapError(() => badGrant("Token has been expired or revoked.")))
      if (grant.client_id !== field("client_id")) {
        return yield* badGrant("The token was given to another client.")
      }
      return { account: grant.account, grant: (seconds) => give(tokens, grant, seconds, false) }
    }
    default:
      return yield* refused(400, "unsupported_grant_type", `Invalid grant_type: ${field("grant_type")}`)
  }
})

const give = Effect.fnUntraced(function* (
  tokens: Tokens["Service"],
  grant: Grant,
  seconds: number | undefined,
  withRefresh: boolean
) {
  const access = seconds ?? accessSeconds
  const { access_token, refresh_token } = yield* tokens.issue(grant, {
    access,
    refresh: withRefresh ? refreshSeconds : null
  })
  return {
    status: 200,
    body: {
      access_token,
      expires_in: access,
      ...(refresh_token === null ? {} : { refresh_token }),
      scope: grant.scopes.join(" "),
      token_type: "Bearer"
    }
  }
})

const challenge = (verifier: string) => createHash("sha256").update(verifier).digest("base64url")

const refused = (status: number, code: string, message: string) => new Refused({ status, code, message })
const badGrant = (message: string) => refused(400, "invalid_grant", message)
