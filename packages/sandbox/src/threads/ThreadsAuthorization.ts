import {
  codeErrors,
  codeRefusal,
  digits,
  graphRefusal,
  hour,
  longLivedEndpoints
} from "../meta/MetaAuthorization.ts"
import type { AuthorizationServer } from "../oauth/AuthorizationServer.ts"
import { threadsDialect } from "./ThreadsErrors.ts"

/** The two names of the API. */
export const hosts = ["/graph.threads.net", "/graph.threads.com"] as const

export const threadsLogin: AuthorizationServer = {
  platform: "threads",
  name: "Threads",
  scopeSeparator: ",",
  codeSeconds: hour,
  body: "any",
  consent: [
    "/threads.net/oauth/authorize",
    "/www.threads.net/oauth/authorize",
    "/threads.com/oauth/authorize",
    "/www.threads.com/oauth/authorize"
  ],
  objections: (query) =>
    (query.get("scope") ?? "").split(",").includes("threads_basic") ? [] : ["threads_basic is required."],
  endpoints: hosts.flatMap((host) => [
    {
      method: "POST",
      path: `${host}/oauth/access_token`,
      errors: codeErrors("threads"),
      client: "parameters",
      grants: { authorization_code: { by: "code", access: hour, refresh: null } },
      refusal: codeRefusal,
      answer: ({ access_token, account_id }) => ({ access_token, user_id: digits(account_id) })
    },
    {
      method: "GET",
      path: `${host}/oauth/access_token`,
      errors: threadsDialect,
      client: "parameters",
      grants: {
        client_credentials: {
          by: "app",
          answer: (clientId) => ({ access_token: `TH|${clientId}|app`, token_type: "bearer" })
        }
      },
      refusal: graphRefusal("101")
    },
    ...longLivedEndpoints(threadsDialect, host, "th")
  ])
}
