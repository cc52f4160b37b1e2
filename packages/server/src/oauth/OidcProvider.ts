import { appScopes } from "@carillon/domain"
import { Duration, Effect, Option } from "effect"
import { createHash, createPrivateKey } from "node:crypto"
import { type Configuration, errors, interactionPolicy, type JWK, Provider } from "oidc-provider"
import { AppConfig } from "../AppConfig.ts"
import { CredentialCipher } from "../crypto/CredentialCipher.ts"
import { Members } from "../auth/Members.ts"
import { Secrets } from "../crypto/Secrets.ts"
import { Throttle } from "../http/Throttle.ts"
import { htmlDocument } from "../http/HtmlPage.ts"
import { audiences, resourceOf } from "../auth/Audience.ts"
import { ClientDocuments } from "./ClientDocuments.ts"
import { commandLineClient } from "../auth/CommandLineClient.ts"
import { Grants } from "../auth/Grants.ts"
import { pollingPace } from "./PollingPace.ts"
import { recordAdapter } from "./RecordAdapter.ts"
import { RecordRepository } from "./RecordRepository.ts"
import { refusalPage } from "./RefusalPage.ts"
import { lasting, makeSuccessorsFollow } from "./Successors.ts"
import { isRegisteredAs, redirectProblem } from "./RedirectAddress.ts"

const minute = 60
const day = 24 * 60 * minute

const clientAuthMethods = [
  "none",
  "client_secret_basic",
  "client_secret_post"
] satisfies Configuration["clientAuthMethods"]

/** oidc-provider with our rules, on our tables. */
export const oidcProvider = Effect.gen(function* () {
  const { publicUrl, oauth } = yield* AppConfig
  const secrets = yield* Secrets
  const members = yield* Members
  const grants = yield* Grants
  const documents = yield* ClientDocuments
  const throttle = yield* Throttle
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const isSecure = new URL(publicUrl).protocol === "https:"
  const resources = audiences.map((audience) => resourceOf(publicUrl, audience))

  const policy = interactionPolicy.base()
  // An app that once had a grant gets another one only from a person, web apps too.
  policy
    .get("consent")!
    .checks.add(
      new interactionPolicy.Check("always", "a person answers each time", "interaction_required", (ctx) =>
        ctx.oidc.result?.consent === undefined
          ? interactionPolicy.Check.REQUEST_PROMPT
          : interactionPolicy.Check.NO_NEED_TO_PROMPT
      )
    )

  const configuration = {
    adapter: recordAdapter({
      records: yield* RecordRepository,
      grants,
      cipher: yield* CredentialCipher,
      run,
      refreshGraceMillis: Duration.toMillis(oauth.refreshGrace)
    }),
    clients: [commandLineClient],
    jwks: { keys: [signingKey(secrets.key("oauth signing"))] },
    cookies: {
      keys: [
        Buffer.from(secrets.key("oauth cookies")).toString("hex"),
        ...secrets.formerKeys("oauth cookies").map((key) => Buffer.from(key).toString("hex"))
      ],
      short: { httpOnly: true, sameSite: "lax", secure: isSecure },
      long: { httpOnly: true, sameSite: "lax", secure: isSecure },
      names: {
        session: "carillon_oauth",
        interaction: "carillon_oauth_request",
        resume: "carillon_oauth_resume"
      }
    },
    scopes: ["offline_access"],
    claims: {},
    responseTypes: ["code"],
    pkce: { required: () => true },
    clientAuthMethods,
    clientDefaults: {
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      id_token_signed_response_alg: "EdDSA"
    },
    enabledJWA: { idTokenSigningAlgValues: ["EdDSA"] },
    extraClientMetadata: {
      // For every client: self-registered, with a document, or registered before.
      properties: ["redirect_uris"],
      validator: (_, name, addresses) => {
        for (const address of Array.isArray(addresses) ? addresses : []) {
          const wrong = redirectProblem(String(address))
          if (wrong !== null) throw new errors.InvalidClientMetadata(`${name} has an address that ${wrong}`)
        }
      }
    },
    routes: {
      authorization: "/oauth/authorize",
      token: "/oauth/token",
      registration: "/oauth/register",
      revocation: "/oauth/revoke",
      device_authorization: "/oauth/device",
      code_verification: "/device",
      jwks: "/oauth/jwks"
    },
    interactions: { policy, url: (_, { uid }) => `/oauth/consent/${uid}` },
    features: {
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      // The provider's own pages are not reached: DevicePages.ts answers at their address.
      deviceFlow: { enabled: true, charset: "base-20", mask: "****-****" },
      registration: { enabled: oauth.registration, issueRegistrationAccessToken: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_, client, token) => token.clientId === client.clientId
      },
      clientIdMetadataDocument: {
        enabled: oauth.clientDocuments,
        ack: "draft-02",
        allowFetch: (ctx: { readonly ip: string }) =>
          run(
            throttle.take({ bucket: `client-document:${ctx.ip}`, most: 60, within: "1 hour" }).pipe(
              Effect.as(true),
              Effect.catchTag("Throttled", () => Effect.succeed(false))
            )
          )
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_, __, oneOf) => (oneOf?.length === 1 ? oneOf[0]! : resources[0]!),
        useGrantedResource: () => true,
        getResourceServerInfo: (_, resource) => {
          if (!resources.includes(resource)) throw new errors.InvalidTarget()
          return { scope: appScopes.join(" "), audience: resource, accessTokenFormat: "opaque" }
        }
      }
    },
    issueRefreshToken: (_, client) => Promise.resolve(client.grantTypeAllowed("refresh_token")),
    rotateRefreshToken: true,
    expiresWithSession: () => false,
    ttl: {
      // Long, because an opaque token dies the moment its grant ends.
      AccessToken: lasting(12 * 60 * minute),
      AuthorizationCode: minute,
      DeviceCode: Math.ceil(Duration.toSeconds(oauth.deviceCodeLasts)),
      RefreshToken: lasting(60 * day),
      Grant: 365 * day,
      Interaction: 30 * minute,
      Session: 10 * minute,
      IdToken: minute
    },
    clientBasedCORS: () => true,
    findAccount: (_, id) =>
      run(
        Effect.map(members.byId(id), (found) =>
          Option.isSome(found) ? { accountId: id, claims: () => ({ sub: id }) } : undefined
        )
      ),
    renderError: (ctx, out) => {
      const address = ctx.state["leadsBack"] === true ? ctx.oidc.params?.["redirect_uri"] : undefined
      // A request can fail before its address was checked.
      const isItsOwn = typeof address === "string" && ctx.oidc.client?.redirectUriAllowed(address) === true
      const { html, headers } = htmlDocument(refusalPage(out, isItsOwn ? address : null))
      if (ctx.status < 400) ctx.status = 400
      ctx.type = "html"
      ctx.body = html
      for (const [name, value] of Object.entries(headers)) ctx.set(name, value)
    },
    fetch: (address) => run(documents.fetch(address instanceof Request ? address.url : String(address))),
    discovery: {
      service_documentation: `${publicUrl}/connect`,
      // Without it clients must assume that only confidential ones can revoke.
      revocation_endpoint_auth_methods_supported: clientAuthMethods
    }
  } satisfies Configuration & { readonly features: { readonly clientIdMetadataDocument: object } }

  const provider = new Provider(publicUrl, configuration as Configuration)
  provider.proxy = true
  makeSuccessorsFollow(provider, secrets.key("oauth successors"))
  provider.Client.prototype.redirectUriAllowed = function (asked) {
    return (
      redirectProblem(asked) === null &&
      (this.redirectUris ?? []).some((registered) => isRegisteredAs(asked, registered))
    )
  }
  // The option `discovery` cannot change the provider's own fields.
  provider.use(async (ctx, next) => {
    await next()
    if (ctx.path.startsWith("/.well-known/") && isRecord(ctx.body) && "issuer" in ctx.body) {
      ctx.body["scopes_supported"] = [...appScopes, "offline_access"]
    }
  })
  // Until a person has acted, an unknown app sends no browser anywhere: anyone can register one.
  provider.use(async (ctx, next) => {
    const { client_id } = ctx.query
    ctx.state["isLetIn"] =
      ctx.path === "/oauth/authorize" && typeof client_id === "string" && (await run(grants.letIn(client_id)))
    await next()
  })
  provider.on("authorization.error", (ctx, error) => {
    const hasActed = ctx.oidc.entities.Interaction?.result !== undefined
    ctx.state["leadsBack"] = error.allow_redirect && !hasActed && ctx.state["isLetIn"] !== true
    if (ctx.state["leadsBack"] === true) error.allow_redirect = false
  })
  provider.use(pollingPace(throttle, run))
  const failed = (cause: unknown) => void run(Effect.logError("the authorization server failed", cause))
  provider.on("server_error", (_, cause) => failed(cause))
  // What fails before the provider's own routes.
  ;(provider as NodeJS.EventEmitter).on("error", failed)
  return provider
})

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null

/** One key for all processes, from the root secret. Only ID tokens are signed with it, and no client requests them. */
const signingKey = (seed: Uint8Array): JWK => {
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed])
  const jwk = createPrivateKey({ key: der, format: "der", type: "pkcs8" }).export({ format: "jwk" })
  const kid = createHash("sha256").update(String(jwk.x)).digest("base64url").slice(0, 16)
  return { ...jwk, alg: "EdDSA", use: "sig", kid } as JWK
}
