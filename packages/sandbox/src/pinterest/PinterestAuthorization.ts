import { type Dialect, Refused } from "../Exchange.ts"
import { type AuthorizationServer, codeThenRotation, refusals } from "../oauth/AuthorizationServer.ts"

export const dialect: Dialect = {
  platform: "pinterest",
  errorBody: (code, message, status) => ({ code: /^\d+$/.test(code) ? Number(code) : status, message }),
  words: {
    forbidden: { status: 403, code: "29" },
    unauthorized: { status: 401, code: "2" },
    rate_limited: { status: 429, code: "8" },
    server_error: { status: 500, code: "0" }
  }
}

export const pinterestLogin: AuthorizationServer = {
  platform: "pinterest",
  name: "Pinterest",
  scopeSeparator: ",",
  consent: ["/www.pinterest.com/oauth/"],
  endpoints: [
    {
      method: "POST",
      path: "/api.pinterest.com/v5/oauth/token",
      errors: dialect,
      client: "basic",
      grants: codeThenRotation({ access: 2_592_000, refresh: 5_184_000 }),
      refusal: refusals((reason) => {
        if (reason === "client_id" || reason === "client_secret") {
          return { status: 401, code: "2", message: "Authentication failed." }
        }
        return { code: reason === "grant_type" ? "1" : "283" }
      }),
      answer: ({ access_token, refresh_token, expires_in, refresh_expires_in, grant, grant_type, now }) => ({
        response_type: grant_type,
        access_token,
        expires_in,
        refresh_token,
        refresh_token_expires_in: refresh_expires_in,
        refresh_token_expires_at: now + (refresh_expires_in ?? 0),
        token_type: "bearer",
        scope: grant.scopes.join(" ")
      })
    }
  ]
}

export const refused = (
  status: number,
  code: string,
  message: string,
  headers?: Readonly<Record<string, string>>
) => new Refused({ status, code, message, ...(headers === undefined ? {} : { headers }) })
