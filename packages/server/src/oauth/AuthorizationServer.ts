import { markup } from "@carillon/domain"
import { Context, Data, type DateTime, Duration, Effect, Layer, Option } from "effect"
import { Cookies, HttpServerResponse } from "effect/http"
import { createHash, createPrivateKey } from "node:crypto"
import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { type Configuration, errors, interactionPolicy, type JWK, Provider } from "oidc-provider"
import { AppConfig } from "../AppConfig.ts"
import { CredentialCipher } from "../crypto/CredentialCipher.ts"
import { Members } from "../auth/Members.ts"
import { Secrets } from "../crypto/Secrets.ts"
import { Throttle } from "../http/Throttle.ts"
import { htmlDocument } from "../http/HtmlPage.ts"
import { appScopes, audiences, type AppScope, isAppScope, resourceOf } from "../auth/Audience.ts"
import { ClientDocuments } from "./ClientDocuments.ts"
import { commandLineClient } from "../auth/CommandLineClient.ts"
import { DeviceCodeRepository } from "./DeviceCodeRepository.ts"
import { destination } from "./Destination.ts"
import { Grants } from "../auth/Grants.ts"
import { pollingPace } from "./PollingPace.ts"
import { shownName } from "./ClientMetadata.ts"
import { recordAdapter } from "./RecordAdapter.ts"
import { RecordRepository } from "./RecordRepository.ts"
import { lasting, makeSuccessorsFollow } from "./Successors.ts"
import { isRegisteredAs, redirectProblem } from "./RedirectAddress.ts"

const minute = 60
const day = 24 * 60 * minute

/** A request for the authorization server, built anew so that no Host header counts. */
export interface AskedRequest {
  readonly method: string
  /** Path and query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string | null
  readonly address: string
}

/** An app's request that waits for a person. */
export interface PendingConsent {
  readonly client_id: string
  readonly client_name: string
  /** Whether a document at the app's own address describes it, and not only its own word. */
  readonly documented: boolean
  /** null: the app shows a code, and polls for the answer. */
  readonly redirect_uri: string | null
  /** The code that an app shows, and the known facts of the device that asked. */
  readonly device: {
    readonly user_code: string
    readonly address: string
    readonly program: string
    readonly asked_at: DateTime.Utc
  } | null
  readonly audience: string
  readonly scopes: ReadonlyArray<AppScope>
  readonly offline: boolean
}

interface Answer extends PendingConsent {
  readonly member_id: string
  readonly granted: ReadonlyArray<AppScope>
}

class ProviderFailed extends Data.TaggedError("ProviderFailed")<{ readonly cause: unknown }> {}

const clientAuthMethods = [
  "none",
  "client_secret_basic",
  "client_secret_post"
] satisfies Configuration["clientAuthMethods"]

/**
 * The OAuth 2.1 authorization server: oidc-provider on our tables, with our pages. Opaque tokens, PKCE with S256
 * only, resource indicators, rotation of refresh tokens with a grace window.
 */
export class AuthorizationServer extends Context.Service<
  AuthorizationServer,
  {
    answer(request: AskedRequest): Effect.Effect<HttpServerResponse.HttpServerResponse>
    /** The request of the app in this browser; none: there is none, or it is too old. */
    pending(request: AskedRequest, uid: string): Effect.Effect<Option.Option<PendingConsent>>
    /** Stores a grant and gives the browser's next address. `keep` gets the id of the grant first. */
    allow(
      request: AskedRequest,
      answer: Answer,
      keep: (grantId: string) => Effect.Effect<void>
    ): Effect.Effect<string>
    refuse(request: AskedRequest): Effect.Effect<string>
    /** The request of the program that shows this code; none: no such code, or it was answered or has expired. */
    pendingDevice(userCode: string): Effect.Effect<Option.Option<PendingConsent>>
    /** The same as `allow` for the program that shows this code; false: it was answered or has expired meanwhile. */
    allowDevice(
      userCode: string,
      answer: Answer,
      keep: (grantId: string) => Effect.Effect<void>
    ): Effect.Effect<boolean>
    refuseDevice(userCode: string): Effect.Effect<boolean>
    readonly collect: Effect.Effect<void>
  }
>()("@carillon/server/oauth/AuthorizationServer") {
  static readonly layer = Layer.effect(
    AuthorizationServer,
    Effect.gen(function* () {
      const { publicUrl, oauth } = yield* AppConfig
      const secrets = yield* Secrets
      const members = yield* Members
      const grants = yield* Grants
      const records = yield* RecordRepository
      const deviceCodes = yield* DeviceCodeRepository
      const documents = yield* ClientDocuments
      const throttle = yield* Throttle
      const run = Effect.runPromiseWith(yield* Effect.context<never>())
      const origin = new URL(publicUrl)
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
          records,
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
          short: { httpOnly: true, sameSite: "lax", secure: origin.protocol === "https:" },
          long: { httpOnly: true, sameSite: "lax", secure: origin.protocol === "https:" },
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
              if (wrong !== null)
                throw new errors.InvalidClientMetadata(`${name} has an address that ${wrong}`)
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
          const isItsOwn =
            typeof address === "string" && ctx.oidc.client?.redirectUriAllowed(address) === true
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
          ctx.path === "/oauth/authorize" &&
          typeof client_id === "string" &&
          (await run(grants.letIn(client_id)))
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
      const handle = provider.callback()

      const ask = <A>(asked: () => Promise<A>) =>
        Effect.tryPromise({ try: asked, catch: (cause) => new ProviderFailed({ cause }) })

      const answer = (request: AskedRequest) =>
        Effect.callback<HttpServerResponse.HttpServerResponse>((resume) => {
          const incoming = toIncoming(request, origin)
          const response = new ServerResponse(incoming)
          response.end = ((body?: unknown) => {
            resume(Effect.succeed(toResponse(response, body)))
            return response
          }) as typeof response.end
          void handle(incoming, response)
        })

      const interactionOf = (request: AskedRequest) => {
        const incoming = toIncoming(request, origin)
        return ask(() => provider.interactionDetails(incoming, new ServerResponse(incoming)))
      }

      const consentFor = Effect.fnUntraced(function* (
        clientId: string,
        params: Readonly<Record<string, unknown>>,
        way: Pick<PendingConsent, "redirect_uri" | "device">
      ) {
        const client = yield* Effect.orDie(ask(() => provider.Client.find(clientId)))
        if (client === undefined) return Option.none()
        const asked = String(params["scope"] ?? "").split(" ")
        const audience = params["resource"]
        return Option.some<PendingConsent>({
          client_id: client.clientId,
          client_name: client.clientName ?? "",
          documented: client.clientId.startsWith("https://"),
          ...way,
          audience: String(Array.isArray(audience) ? audience[0] : audience),
          scopes: appScopes.filter((scope) => asked.some((one) => one === scope && isAppScope(one))),
          offline: asked.includes("offline_access")
        })
      })

      const pending = Effect.fn("AuthorizationServer.pending")(function* (
        request: AskedRequest,
        uid: string
      ) {
        const interaction = yield* Effect.option(interactionOf(request))
        if (Option.isNone(interaction) || interaction.value.uid !== uid) return Option.none()
        const { params } = interaction.value
        return yield* consentFor(String(params["client_id"]), params, {
          redirect_uri: String(params["redirect_uri"]),
          device: null
        })
      })

      const pendingDevice = Effect.fn("AuthorizationServer.pendingDevice")(function* (userCode: string) {
        const found = yield* deviceCodes.waiting(stored(userCode))
        if (Option.isNone(found)) return Option.none()
        const { address, asked_at, client_id, params, program } = found.value
        return yield* consentFor(client_id, params, {
          redirect_uri: null,
          device: {
            user_code: userCode,
            address: address ?? "an unknown address",
            program: shownName(program ?? ""),
            asked_at
          }
        })
      })

      /** Stores a person's grant, for the authorization server too; gives its id. */
      const granted = Effect.fnUntraced(function* (
        asked: Answer,
        keep: (grantId: string) => Effect.Effect<void>
      ) {
        const grant = new provider.Grant({ accountId: asked.member_id, clientId: asked.client_id })
        grant.addResourceScope(asked.audience, asked.granted.join(" "))
        const refused = asked.scopes.filter((scope) => !asked.granted.includes(scope))
        if (refused.length > 0) grant.rejectResourceScope(asked.audience, refused.join(" "))
        if (asked.offline) grant.addOIDCScope("offline_access")
        const grantId = yield* Effect.orDie(ask(() => grant.save()))
        yield* keep(grantId)
        yield* records.allowClient(asked.client_id)
        return grantId
      })

      const finish = (request: AskedRequest, result: Parameters<Provider["interactionResult"]>[2]) =>
        Effect.orDie(
          ask(() => {
            const incoming = toIncoming(request, origin)
            return provider.interactionResult(incoming, new ServerResponse(incoming), result, {
              mergeWithLastSubmission: false
            })
          })
        )

      return AuthorizationServer.of({
        answer,
        pending,
        allow: Effect.fn("AuthorizationServer.allow")(function* (request, asked, keep) {
          const grantId = yield* granted(asked, keep)
          return yield* finish(request, {
            login: { accountId: asked.member_id, remember: false },
            consent: { grantId }
          })
        }),
        refuse: (request) => finish(request, { error: "access_denied", error_description: refusal }),
        pendingDevice,
        allowDevice: Effect.fn("AuthorizationServer.allowDevice")(function* (userCode, asked, keep) {
          // A grant whose code was answered meanwhile has no tokens: it is not shown, and gets collected.
          const grantId = yield* granted(asked, keep)
          return yield* deviceCodes.decide(stored(userCode), {
            accountId: asked.member_id,
            grantId,
            scope: [...asked.granted, ...(asked.offline ? ["offline_access"] : [])].join(" "),
            resource: asked.audience
          })
        }),
        refuseDevice: (userCode) =>
          deviceCodes.decide(stored(userCode), { error: "access_denied", errorDescription: refusal }),
        collect: records.collect
      })
    })
  ).pipe(
    Layer.provide(ClientDocuments.layer),
    Layer.provide(DeviceCodeRepository.layer),
    Layer.provideMerge(RecordRepository.layer)
  )
}

const refusal = "The person refused."

/** A user code in the authorization server's form. */
const stored = (userCode: string) => userCode.replace("-", "")

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null

/** One key for all processes, from the root secret. Only ID tokens are signed with it, and no client requests them. */
const signingKey = (seed: Uint8Array): JWK => {
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), seed])
  const jwk = createPrivateKey({ key: der, format: "der", type: "pkcs8" }).export({ format: "jwk" })
  const kid = createHash("sha256").update(String(jwk.x)).digest("base64url").slice(0, 16)
  return { ...jwk, alg: "EdDSA", use: "sig", kid } as JWK
}

const passedOn = [
  "accept",
  "authorization",
  "content-type",
  "user-agent",
  "cookie",
  "origin",
  "access-control-request-method",
  "access-control-request-headers"
]

/**
 * Drops the cookie of an earlier flow: each flow starts afresh, so that neither another member's acts in this browser nor
 * a planted cookie play a part.
 */
const flowCookies = (cookie: string) =>
  cookie
    .split(/;\s*/)
    .filter((one) => !/^carillon_oauth(\.sig)?=/.test(one))
    .join("; ")

const toIncoming = ({ method, url, headers, body, address }: AskedRequest, origin: URL) => {
  const incoming = new IncomingMessage(new Socket())
  incoming.method = method
  incoming.url = url
  for (const name of passedOn) {
    const value = headers[name]
    if (value !== undefined) incoming.headers[name] = name === "cookie" ? flowCookies(value) : value
  }
  incoming.headers.host = origin.host
  incoming.headers["x-forwarded-proto"] = origin.protocol.slice(0, -1)
  incoming.headers["x-forwarded-for"] = address
  if (body !== null) {
    const bytes = Buffer.from(body)
    incoming.headers["content-length"] = String(bytes.length)
    incoming.push(bytes)
  }
  incoming.push(null)
  return incoming
}

const toResponse = (response: ServerResponse, body: unknown) => {
  const {
    "set-cookie": cookies,
    "content-type": contentType,
    "content-length": _,
    ...rest
  } = response.getHeaders()
  const headers = Object.fromEntries(
    Object.entries(rest).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  )
  const options = { status: response.statusCode, headers }
  const bytes = typeof body === "string" || Buffer.isBuffer(body) ? body.toString() : ""
  const made =
    bytes === ""
      ? HttpServerResponse.empty(options)
      : HttpServerResponse.text(bytes, { ...options, contentType: String(contentType ?? "text/plain") })
  return cookies === undefined
    ? made
    : HttpServerResponse.mergeCookies(made, Cookies.fromSetCookie(cookies as ReadonlyArray<string>))
}

/** The codes of OAuth in words. */
const refusals: Readonly<Record<string, string>> = {
  invalid_client:
    "Carillon does not know this app, or no longer does. Remove Carillon from the app and connect it again.",
  invalid_redirect_uri: "The app wants its answer at an address that it has not registered.",
  invalid_request: "The app's request is incomplete, or Carillon does not understand it.",
  invalid_scope: "The app asked for something that Carillon does not offer.",
  invalid_target: "The app asked for access to an address that is not this service's.",
  unsupported_response_type: "The app wants a kind of sign-in that Carillon does not offer.",
  access_denied: "The access was refused.",
  server_error: "Something went wrong inside Carillon. Try again; if it happens again, the log says why."
}

/** What the app is not told by itself is told to the person, who may go there with it where `address` is the app's own. */
const refusalPage = (
  out: { readonly error: string; readonly error_description?: string | undefined },
  address: string | null
) => ({
  title: "This app cannot be connected",
  body: markup`<p>${refusals[out.error] ?? "What the app asked for cannot be answered."} Nothing was granted.</p>
<p class="soft">Start again in the app. If that does not help, tell its makers <code>${out.error}</code>: ${out.error_description ?? "no more is known"}.</p>
${address === null ? "" : markup`<p><a href="${toldTo(address, out)}">Tell it to ${destination(address).shown}</a>, if you have just started to connect that yourself.</p>`}`,
  bad: true
})

const toldTo = (address: string, out: object) => {
  const url = new URL(address)
  for (const [name, value] of Object.entries(out)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url.href
}
