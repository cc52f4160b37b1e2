import { Refused } from "../Exchange.ts"
import { type AuthorizationServer, refusals, standardErrors } from "../oauth/AuthorizationServer.ts"

const errors = {
  ...standardErrors("youtube"),
  words: { ...standardErrors("youtube").words, server_error: { status: 500, code: "internal_failure" } }
}
const access = 3599
export const managing = "https://www.googleapis.com/auth/business.manage"
/** Half a year without use ends it; here from the day of the consent. */
const refresh = 180 * 24 * 3600

export const googleLogin: AuthorizationServer = {
  // One sign-in for both; a grant is for accounts of one.
  platform: (scopes) => (scopes.includes(managing) ? "google_business" : "youtube"),
  name: "Google",
  scopeSeparator: " ",
  pkce: true,
  consent: ["/accounts.google.com/o/oauth2/v2/auth"],
  objections: (query) => [
    ...(query.get("access_type") === "offline" ? [] : ["access_type must be offline here."]),
    ...(query.get("prompt") === "consent" ? [] : ["prompt must be consent here."])
  ],
  endpoints: [
    {
      method: "POST",
      path: "/oauth2.googleapis.com/token",
      errors,
      client: "parameters",
      grants: {
        authorization_code: { by: "code", access, refresh },
        refresh_token: { by: "token", kind: "refresh", parameter: "refresh_token", access, refresh: null }
      },
      refusal: refusals((reason) => {
        if (reason === "redirect_uri") return { code: "redirect_uri_mismatch" }
        return reason === "client_id" || reason === "client_secret" ? { status: 401 } : undefined
      })
    }
  ],
  revocation: {
    path: "/oauth2.googleapis.com/revoke",
    errors,
    of: ["refresh", "access"],
    ends: "grant",
    client: "none",
    unknown: new Refused({ status: 400, code: "invalid_token", message: "Token expired or revoked" }),
    answer: {}
  }
}
