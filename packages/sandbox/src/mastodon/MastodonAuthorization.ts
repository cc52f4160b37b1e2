import { Effect, Option, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { Exchange, Refused } from "../Exchange.ts"
import { type AuthorizationServer, refusals, standardErrors } from "../oauth/AuthorizationServer.ts"
import type { Grant } from "../oauth/Tokens.ts"
import { parametersOf } from "../Parameters.ts"
import { sha256 } from "../Redaction.ts"
import type { Mastodon } from "./Mastodon.ts"
import type { MastodonServer } from "./MastodonServers.ts"

/** https://docs.joinmastodon.org/api/oauth-scopes/; `profile` since 4.3. */
const scopesOf = ({ api }: MastodonServer) => [
  ...(api === undefined ? [] : ["profile"]),
  ...within("read", [...both, "search"]),
  ...within("write", [...both, "conversations", "media", "reports"]),
  "follow",
  "push"
]
const within = (scope: string, parts: ReadonlyArray<string>) => [
  scope,
  ...parts.map((part) => `${scope}:${part}`)
]
const both = "accounts blocks bookmarks favourites filters follows lists mutes notifications statuses".split(
  " "
)

const invalid = (message: string) =>
  new Refused({ status: 422, code: "422", message, body: { error: `Validation failed: ${message}` } })

const Registration = Schema.Struct({
  client_name: Schema.optionalKey(Schema.String),
  redirect_uris: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)])),
  scopes: Schema.optionalKey(Schema.String),
  website: Schema.optionalKey(Schema.String)
})
const decodeRegistration = Schema.decodeUnknownOption(Registration)
const nothing: typeof Registration.Type = {}

/** `POST /api/v1/apps`, JSON or a form: https://docs.joinmastodon.org/methods/apps/#create. A script for the server's name can refuse it. */
export const registration = (server: MastodonServer, mastodon: Mastodon["Service"]) =>
  Effect.map(Exchange, (exchange) =>
    exchange.endpoints({
      dialect: { ...standardErrors("mastodon"), errorBody: (_code, message) => ({ error: message }) }
    })("POST", `/${server.host}/api/v1/apps`, {
      operation: "register",
      read: ({ request, seen }) => {
        seen.account = server.host
        return Effect.map(parametersOf(request), (sent) =>
          Option.getOrElse(decodeRegistration(sent), () => nothing)
        )
      },
      answer: (
        _call,
        { client_name: name = "", redirect_uris = [], scopes: asked = "read", website = null }
      ) =>
        Effect.gen(function* () {
          const redirects = [redirect_uris].flat().flatMap((one) => one.split(/\s+/))
          const redirect_uri = redirects.join("\n")
          const scopes = asked.split(" ")
          if (name === "") return yield* invalid("Application name can't be blank")
          if (redirects.length === 0 || !redirects.every((one) => URL.canParse(one)))
            return yield* invalid("Redirect URI must be an absolute URI.")
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
          return {
            id: client_id.slice(0, 6),
            name,
            website,
            scopes,
            redirect_uri,
            redirect_uris: redirects,
            client_id,
            client_secret,
            client_secret_expires_at: 0
          }
        })
    })
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
    body: "any",
    pkce: server.api !== undefined,
    consent: [`${base}/oauth/authorize`],
    objections: (query) => {
      const app = appHere(query.get("client_id") ?? "")
      if (app === undefined) return ["Client authentication failed due to unknown client."]
      const wanted = (query.get("scope") ?? "").split(" ")
      return [
        ...(app.redirect_uri.split("\n").includes(query.get("redirect_uri") ?? "")
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
