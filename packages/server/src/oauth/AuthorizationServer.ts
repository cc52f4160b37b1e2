import { appScopes, type AppScope, isAppScope } from "@carillon/domain"
import { Context, Data, type DateTime, Effect, Layer, Option } from "effect"
import type { HttpServerResponse } from "effect/http"
import { ServerResponse } from "node:http"
import type { Provider } from "oidc-provider"
import { AppConfig } from "../AppConfig.ts"
import { ClientDocuments } from "./ClientDocuments.ts"
import { DeviceCodeRepository } from "./DeviceCodeRepository.ts"
import { shownName } from "./ClientMetadata.ts"
import { type AskedRequest, toIncoming, toResponse } from "./NodeMessages.ts"
import { oidcProvider } from "./OidcProvider.ts"
import { RecordRepository } from "./RecordRepository.ts"

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
      const records = yield* RecordRepository
      const deviceCodes = yield* DeviceCodeRepository
      const origin = new URL((yield* AppConfig).publicUrl)
      const provider = yield* oidcProvider
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
