import { type AuthorizationServer, refusals, standardErrors } from "../oauth/AuthorizationServer.ts"

const errors = standardErrors("linkedin")
const days = (count: number) => count * 24 * 3600
/** The products of apps; LinkedIn adds the second only to an app without any other. */
const products = [
  ["openid", "profile", "email", "w_member_social"],
  ["w_organization_social", "r_organization_social", "rw_organization_admin"]
]

export const linkedInLogin: AuthorizationServer = {
  platform: "linkedin",
  name: "LinkedIn",
  scopeSeparator: " ",
  consent: ["/www.linkedin.com/oauth/v2/authorization"],
  objections: (query) => {
    const scopes = (query.get("scope") ?? "").split(" ")
    const product = products.find((one) => one.includes(scopes[0]!)) ?? []
    return scopes
      .filter((scope) => !product.includes(scope))
      .map((scope) => `Scope "${scope}" is not authorized for your application.`)
  },
  endpoints: [
    {
      method: "POST",
      path: "/www.linkedin.com/oauth/v2/accessToken",
      errors,
      client: "parameters",
      grants: {
        authorization_code: { by: "code", access: days(60), refresh: days(365) },
        refresh_token: {
          by: "token",
          kind: "refresh",
          parameter: "refresh_token",
          repeats: true,
          access: days(60),
          refresh: days(365)
        }
      },
      refusal: refusals((reason) => {
        switch (reason) {
          case "client_id":
          case "client_secret":
            return { status: 401, message: "Client authentication failed" }
          case "code":
          case "redirect_uri":
          case "other_app":
            return {
              code: "invalid_request",
              message:
                "Unable to retrieve access token: appid/redirect uri/code verifier does not match authorization code."
            }
          default:
            return undefined
        }
      }),
      // Only apps of a partner program are given a refresh token.
      isOffline: ({ account }) => account.endsWith("-partner"),
      answer: ({ access_token, expires_in, grant, refresh_expires_in, refresh_token }) => ({
        access_token,
        expires_in,
        ...(refresh_token === null ? {} : { refresh_token, refresh_token_expires_in: refresh_expires_in }),
        scope: grant.scopes.toSorted().join(","),
        token_type: "Bearer"
      })
    }
  ],
  revocation: {
    path: "/www.linkedin.com/oauth/v2/revoke",
    errors,
    of: ["access", "refresh"],
    ends: "grant",
    client: "parameters",
    answer: undefined
  }
}
