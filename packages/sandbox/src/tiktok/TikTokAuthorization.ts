import { randomBytes } from "node:crypto"
import { type Dialect } from "../Exchange.ts"
import {
  type AuthorizationServer,
  codeThenRotation,
  refusals,
  standardErrors
} from "../oauth/AuthorizationServer.ts"

export const logId = () => randomBytes(16).toString("hex").toUpperCase()

export const openIdOf = (accountId: string) => `-000${accountId}`

/** The token endpoint speaks as RFC 6749 does. */
const errors: Dialect = {
  platform: "tiktok",
  errorBody: (error, error_description) => ({ error, error_description, log_id: logId() }),
  words: { ...standardErrors("tiktok").words, server_error: { status: 500, code: "internal_error" } }
}

const lifetimes = { access: 2 * 3600, refresh: 180 * 24 * 3600 }

const client = {
  errors,
  client: "parameters",
  isSecret: (secret: string) => !["", "wrong"].includes(secret),
  refusal: refusals((reason) =>
    reason === "client_id" || reason === "client_secret"
      ? { message: "Client key or secret is incorrect." }
      : undefined
  )
} as const

export const tiktokLogin: AuthorizationServer = {
  platform: "tiktok",
  name: "TikTok",
  clientParameter: "client_key",
  scopeSeparator: ",",
  consent: ["/www.tiktok.com/v2/auth/authorize/"],
  objections: (query) =>
    /[?#]/.test(query.get("redirect_uri") ?? "")
      ? ["redirect_uri: no query and no fragment is allowed in it."]
      : [],
  endpoints: [
    {
      ...client,
      method: "POST",
      path: "/open.tiktokapis.com/v2/oauth/token/",
      grants: {
        ...codeThenRotation(lifetimes),
        client_credentials: {
          by: "app",
          answer: () => ({
            access_token: `clt.${randomBytes(24).toString("base64url")}`,
            expires_in: lifetimes.access,
            token_type: "Bearer"
          })
        }
      },
      answer: ({ access_token, refresh_token, expires_in, refresh_expires_in, account_id, grant }) => ({
        access_token,
        refresh_token,
        expires_in,
        refresh_expires_in,
        open_id: openIdOf(account_id),
        scope: grant.scopes.join(","),
        token_type: "Bearer"
      })
    }
  ],
  revocation: {
    ...client,
    path: "/open.tiktokapis.com/v2/oauth/revoke/",
    of: ["access"],
    ends: "grant",
    answer: undefined
  }
}
