import { Effect, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { Exchange, Refused } from "../Exchange.ts"
import { type AuthorizationServer, refusals, standardErrors } from "../oauth/AuthorizationServer.ts"
import type { Grant } from "../oauth/Tokens.ts"
import { sha256 } from "../Redaction.ts"
import type { Mastodon } from "./Mastodon.ts"
import type { MastodonServer } from "./MastodonServers.ts"

/** https://docs.joinmastodon.org/api/oauth-scopes/; `profile` since 4.3. */
const scopesOf = ({ api }: MastodonServer) => [
  ...(api === undefined ? [] : ["profile"]),
  "read",
  "read:accounts",
  "read:search",
  "read:statuses",
  "write",
  "write:media",
  "write:statuses"
]

const invalid = (message: string) =>
  new Refused({ status: 422, code: "422", message, body: { error: `Validation failed: ${message}` } })

/** `POST /api/v1/apps`: https://docs.joinmastodon.org/methods/apps/#create. A script for the server's name can refuse it. */
export const registration = (server: MastodonServer, mastodon: Mastodon["Service"]) =>
  Effect.map(Exchange, (exchange) =>
    exchange.answer(
      { ...standardErrors("mastodon"), errorBody: (_code, message) => ({ error: message }) },
      Effect.fnUntraced(function* (request, seen) {
        seen.operation = "register"
        seen.account = server.host
        const form = new URLSearchParams(yield* request.text)
        const name = form.get("client_name") ?? ""
        const redirect_uri = form.get("redirect_uris") ?? ""
        const scopes = (form.get("scopes") ?? "read").split(" ")
        return {
          effect: Effect.fnUntraced(function* () {
            if (name === "") return yield* invalid("Application name can't be blank")
            if (!URL.canParse(redirect_uri)) return yield* invalid("Redirect URI must be an absolute URI.")
            if (!scopes.every((scope) => scopesOf(server).includes(scope)))
              return yield* invalid("Scopes doesn't match configured on the server.")
            const client_id = randomBytes(16).toString("hex")
            const client_secret = randomBytes(32).toString("base64url")
            mastodon.register({
              client_id,
              secret_sha256: sha256(client_secret),
              host: server.host,
              redirect_uri,
              scopes
            })
            const body: Schema.Json = {
              id: client_id.slice(0, 6),
              name,
              website: form.get("website"),
              scopes,
              redirect_uri,
              redirect_uris: [redirect_uri],
              client_id,
              client_secret,
              client_secret_expires_at: 0
            }
            return { status: 200, body }
          })
        }
      })
    )
  )

/** https://docs.joinmastodon.org/methods/oauth/: tokens never end, and PKCE came with Mastodon 4.3. */
export const mastodonLogin = (server: MastodonServer, mastodon: Mastodon["Service"]): AuthorizationServer => {
  const base = `/${server.host}` as const
  const appHere = (clientId: string) => {
    const app = mastodon.app(clientId)
    return app?.host === server.host ? app : undefined
  }
  const client = {
    errors: standardErrors("mastodon"),
    client: "parameters",
    isSecret: (secret: string, id: string) => appHere(id)?.secret_sha256 === sha256(secret),
    refusal: refusals((reason) =>
      reason === "client_id" || reason === "client_secret"
        ? { status: 401, message: "Client authentication failed due to unknown client." }
        : undefined
    )
  } as const
  return {
    platform: "mastodon",
    name: server.host,
    scopeSeparator: " ",
    pkce: server.api !== undefined,
    consent: [`${base}/oauth/authorize`],
    objections: (query) => {
      const app = appHere(query.get("client_id") ?? "")
      if (app === undefined) return ["Client authentication failed due to unknown client."]
      const wanted = (query.get("scope") ?? "").split(" ")
      return [
        ...(app.redirect_uri === query.get("redirect_uri")
          ? []
          : ["The redirect uri included is not valid."]),
        ...(wanted.every((scope) => app.scopes.includes(scope))
          ? []
          : ["The requested scope is invalid, unknown, or malformed."])
      ]
    },
    endpoints: [
      {
        ...client,
        method: "POST",
        path: `${base}/oauth/token`,
        grants: {
          authorization_code: { by: "code", access: null, refresh: null },
          client_credentials: {
            by: "app",
            account: server.host,
            answer: () => ({ access_token: randomBytes(32).toString("base64url"), token_type: "Bearer" })
          }
        },
        // Without a scope, as some compatible servers answer.
        answer: ({ access_token, grant, now }) => ({
          access_token,
          token_type: "Bearer",
          ...(server.api === undefined ? {} : { scope: grant.scopes.join(" ") }),
          created_at: now
        })
      }
    ],
    revocation: { ...client, path: `${base}/oauth/revoke`, of: ["access"], ends: "token", answer: {} },
    owns: ({ client_id }: Grant) => appHere(client_id) !== undefined
  }
}

/** https://docs.joinmastodon.org/methods/oauth/#authorization-server-metadata, since 4.3 */
export const metadataOf = (server: MastodonServer, url: string): Schema.Json => ({
  issuer: `${url}/`,
  authorization_endpoint: `${url}/oauth/authorize`,
  token_endpoint: `${url}/oauth/token`,
  revocation_endpoint: `${url}/oauth/revoke`,
  app_registration_endpoint: `${url}/api/v1/apps`,
  scopes_supported: scopesOf(server),
  response_types_supported: ["code"],
  grant_types_supported: ["authorization_code", "client_credentials"],
  code_challenge_methods_supported: ["S256"]
})
