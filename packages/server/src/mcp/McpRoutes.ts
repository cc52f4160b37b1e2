import { isProblem, type Problem, problem } from "@carillon/domain"
import type { AuthInfo } from "@modelcontextprotocol/server"
import { Effect, Layer, Redacted, Scope } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { AppConfig } from "../AppConfig.ts"
import { ConsoleSite } from "../console/ConsoleSite.ts"
import { Admission } from "../auth/Admission.ts"
import { challengeOf } from "../auth/Challenge.ts"
import { isOpenedByPerson } from "../http/HtmlPage.ts"
import { jsonText, withLargeBody } from "../http/JsonBody.ts"
import { problemResponse } from "../http/Problems.ts"
import { turnFor } from "../http/Turn.ts"
import { addressPage } from "./AddressPage.ts"
import { bodyOf, calledTools, messagesOf, onlyReads, showsNoApps } from "./McpCalls.ts"
import { corsHeaders, makeGuard, preflightHeaders } from "./McpGuard.ts"
import type { McpSdk } from "./McpSdk.ts"
import { askedBy, authInfoOf, McpServers } from "./McpServers.ts"
import { McpTools } from "./McpTools.ts"
import { CurrentProtocolFixtures, type MakeServer } from "./ProtocolFixtures.ts"
import { fromWebResponse, toWebRequest } from "./WebMessages.ts"

/**
 * The MCP endpoint: every revision of the protocol at one address, without sessions, so that any process can answer any
 * request. A credential is asked for before anything else, the method included: clients look for the challenge with GET.
 */
export const McpRoutesLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const config = yield* AppConfig
    const admission = yield* Admission
    const tools = yield* McpTools
    const { makeWith } = yield* McpServers
    const bodySchema = bodyOf(tools)
    const guard = makeGuard(config)
    const fixtures = yield* CurrentProtocolFixtures
    const url = `${config.publicUrl}/mcp`

    const begin = Effect.gen(function* () {
      const sdk = yield* Effect.promise(() => import("@modelcontextprotocol/server"))
      const make = makeWith(sdk)
      const modern = yield* Effect.acquireRelease(
        Effect.sync(() => sdk.createMcpHandler(({ authInfo }) => make(authInfo), { legacy: "reject" })),
        (handler) => Effect.promise(() => handler.close())
      )
      fixtures?.started(modern)
      const older = (fixtures?.older ?? inOnePiece(sdk))(make)
      return async (request: Request, authInfo: AuthInfo) =>
        (await sdk.isLegacyRequest(request)) ? older(request, authInfo) : modern.fetch(request, { authInfo })
    })
    // Loaded with the first request: the start of a process need not wait for the SDK.
    const begun = yield* Effect.cached(Effect.uninterruptible(Scope.provide(begin, yield* Scope.Scope)))

    const read = Effect.fnUntraced(function* ({ method }: HttpServerRequest.HttpServerRequest) {
      const body = method === "POST" ? yield* withLargeBody(jsonText([bodySchema])) : ""
      const messages = yield* messagesOf(body)
      const called = calledTools(messages)
      // A call is counted as what its tools do.
      return {
        body,
        called,
        showsNoApps: showsNoApps(messages),
        messages,
        method: onlyReads(called, tools) ? "GET" : "POST"
      }
    })

    const answer = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      yield* guard(request)
      const { origin } = request.headers
      if (request.method === "OPTIONS" && origin !== undefined) {
        return HttpServerResponse.empty({ status: 204, headers: preflightHeaders })
      }
      const token = Redacted.make(tokenOf(request))
      const { actor, request: asked } = yield* admission.bearer(token, "mcp", read(request))
      if (request.method !== "POST") {
        return yield* problem("method_not_allowed", `${request.method} is not allowed at /mcp; use POST.`)
      }
      const authInfo = authInfoOf(yield* askedBy(actor, asked, config), config)
      const converse = yield* begun
      yield* turnFor(asked.body)
      return yield* Effect.promise((signal) =>
        converse(toWebRequest(request, url, asked.body, signal), authInfo)
      ).pipe(Effect.flatMap((response) => fromWebResponse(response, asked.messages.length)))
    })

    const refused = (request: HttpServerRequest.HttpServerRequest) =>
      Effect.fnUntraced(
        function* (failure: Problem) {
          const answer =
            isOpenedByPerson(request) && failure.status === 401
              ? addressPage(url)
              : yield* problemResponse(failure)
          return HttpServerResponse.setHeaders(answer, headersOf(failure, request, config))
        },
        Effect.provideService(AppConfig, config)
      )

    yield* router.add(
      "*",
      "/mcp",
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        return yield* answer(request).pipe(
          Effect.catch((failure) => (isProblem(failure) ? refused(request)(failure) : Effect.die(failure))),
          Effect.map(HttpServerResponse.setHeaders(corsHeaders(request.headers["origin"])))
        )
      })
    )
  })
).pipe(Layer.provide(McpServers.layer), Layer.provide([McpTools.layer, ConsoleSite.layer]))

/** Answers the older revisions in plain JSON, which the SDK's own handler cannot do. */
const inOnePiece = (sdk: McpSdk) => (make: MakeServer) => async (request: Request, authInfo: AuthInfo) => {
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await make(authInfo).connect(transport)
  return transport.handleRequest(request, { authInfo })
}

/** The bearer token that a request brings; empty: none. */
const tokenOf = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  /^bearer +(\S.*)$/i.exec(headers["authorization"] ?? "")?.[1] ?? ""

const headersOf = (
  { status }: Problem,
  request: HttpServerRequest.HttpServerRequest,
  config: AppConfig["Service"]
): Record<string, string> => {
  if (status === 401) return { "www-authenticate": challengeOf(config, "mcp", tokenOf(request)) }
  return status === 405 ? { allow: "POST" } : {}
}
