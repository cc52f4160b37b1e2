import { markup, appScopes } from "@carillon/domain"
import { ByteSize, Effect } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { AppConfig } from "../AppConfig.ts"
import { Throttle } from "../http/Throttle.ts"
import { htmlPage } from "../http/HtmlPage.ts"
import { clientAddress } from "../http/RateLimit.ts"
import { type Audience, audiences, resourceOf } from "../auth/Audience.ts"
import { AuthorizationServer } from "./AuthorizationServer.ts"
import type { AskedRequest } from "./NodeMessages.ts"
import { repairedAuthorization, repairedTokenRequest } from "./AuthorizationRequest.ts"
import { registration } from "./ClientMetadata.ts"
import { Grants } from "../auth/Grants.ts"
import { RecordRepository } from "./RecordRepository.ts"

const largestBody = ByteSize.kibibytes(16)
/** Requests for consent from one address; each is kept for half an hour. */
const mostBegun = { most: 120, within: "10 minutes" } as const

/** The request as the authorization server takes it, with its body read within the limit. */
export const askedRequest = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const body = request.method === "POST" ? yield* request.text : null
  return {
    method: request.method,
    url: request.url,
    headers: request.headers,
    body,
    address: yield* clientAddress
  } satisfies AskedRequest
})

const refused = (status: number, error: string, description: string, headers: Record<string, string> = {}) =>
  HttpServerResponse.jsonUnsafe(
    { error, error_description: description },
    { status, headers: { "cache-control": "no-store", "access-control-allow-origin": "*", ...headers } }
  )

const begunTooOften = (seconds: number) =>
  HttpServerResponse.setHeader(
    htmlPage({
      title: "Too many requests from apps",
      body: markup`<p>Apps started more than ${mostBegun.most} requests from your address in ${mostBegun.within}. Nothing was granted. Try again in ${seconds} seconds.</p>`,
      status: 429,
      bad: true
    }),
    "retry-after",
    String(seconds)
  )

/** In an address or a form. No parameter of OAuth has them (RFC 6749, appendix A), and no database stores all of them. */
const controlCharacter = /\0|%(?:[01][\da-f]|7f)/i

const hasControlCharacter = ({ url, body, headers }: AskedRequest) =>
  controlCharacter.test(url) ||
  (body !== null && !isJson(headers["content-type"]) && controlCharacter.test(body))

const isJson = (type: string | undefined) => type?.startsWith("application/json") === true

const unreadable = refused(
  400,
  "invalid_request",
  "A parameter contains a control character, such as %00; send it without. Nothing was granted."
)

const unreadablePage = htmlPage({
  title: "This app cannot be connected",
  body: markup`<p>Its request contains a control character. Nothing was granted. Tell the maker of the app.</p>`,
  status: 400,
  bad: true
})

const tooLarge = refused(413, "invalid_request", "The body has more than 16 KiB, which is the limit here.")

/** The endpoints of OAuth, in the spellings that clients use. */
export const AuthorizationServerHttpLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const server = yield* AuthorizationServer
    const throttle = yield* Throttle
    const grants = yield* Grants
    const records = yield* RecordRepository
    const { publicUrl, oauth } = yield* AppConfig

    type Handled = (asked: AskedRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse>
    const route = (method: "GET" | "POST" | "OPTIONS", path: `/${string}`, handled: Handled) =>
      router.add(
        method,
        path,
        Effect.flatMap(askedRequest, (asked) =>
          !hasControlCharacter(asked)
            ? handled(asked)
            : Effect.succeed(path.startsWith("/oauth/authorize") ? unreadablePage : unreadable)
        ).pipe(
          Effect.provideService(HttpIncomingMessage.MaxBodySize, largestBody),
          Effect.orElseSucceed(() => tooLarge)
        )
      )

    const form = (asked: AskedRequest) =>
      asked.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true &&
      asked.body !== null
        ? new URLSearchParams(asked.body)
        : undefined

    yield* route("GET", "/oauth/authorize", (asked) => {
      const query = new URL(asked.url, publicUrl).searchParams
      const url = `/oauth/authorize?${repairedAuthorization(publicUrl, query)}`
      return throttle.take({ bucket: `authorize:${asked.address}`, ...mostBegun }).pipe(
        Effect.andThen(server.answer({ ...asked, url })),
        Effect.catchTag("Throttled", ({ retry_after_seconds }) =>
          Effect.succeed(begunTooOften(retry_after_seconds))
        )
      )
    })
    yield* route("GET", "/oauth/authorize/:uid", server.answer)

    yield* route("POST", "/oauth/token", (asked) => {
      const parameters = form(asked)
      if (parameters === undefined) return server.answer(asked)
      const refreshToken = parameters.get("refresh_token")
      return (refreshToken === null ? Effect.succeed([]) : grants.scopesOf(refreshToken)).pipe(
        Effect.flatMap((granted) =>
          server.answer({ ...asked, body: String(repairedTokenRequest(publicUrl, parameters, granted)) })
        )
      )
    })

    const device = Effect.fnUntraced(function* (asked: AskedRequest) {
      yield* throttle.take({ bucket: `device:${asked.address}`, ...mostBegun })
      const parameters = form(asked)
      return yield* server.answer(
        parameters === undefined
          ? asked
          : { ...asked, body: String(repairedAuthorization(publicUrl, parameters)) }
      )
    })
    yield* route("POST", "/oauth/device", (asked) =>
      Effect.catchTag(device(asked), "Throttled", ({ retry_after_seconds: seconds }) =>
        Effect.succeed(
          refused(
            429,
            "temporarily_unavailable",
            `More than ${mostBegun.most} sign-ins were started from this address in ${mostBegun.within}; start the next one in ${seconds} s.`,
            { "retry-after": String(seconds) }
          )
        )
      )
    )

    const register = Effect.fnUntraced(function* (asked: AskedRequest) {
      if (!oauth.registration) {
        return refused(403, "access_denied", "Apps cannot register themselves here; use an API key.")
      }
      const read = registration(asked.body ?? "")
      if ("wrong" in read) return refused(400, "invalid_client_metadata", read.wrong)
      yield* throttle.take({ bucket: `register:${asked.address}`, most: 30, within: "1 hour" })
      if (!(yield* records.roomForClient)) {
        yield* Effect.logWarning("app registration refused: too many apps are registered")
        return refused(
          503,
          "temporarily_unavailable",
          "Too many apps registered here within an hour; try again in an hour."
        )
      }
      return yield* server.answer({
        ...asked,
        headers: { ...asked.headers, "content-type": "application/json" },
        body: JSON.stringify(read.client)
      })
    })
    yield* route("POST", "/oauth/register", (asked) =>
      register(asked).pipe(
        Effect.catchTag("Throttled", ({ retry_after_seconds: seconds }) =>
          Effect.succeed(
            refused(
              429,
              "temporarily_unavailable",
              `This address has registered too many apps; register the next one in ${seconds} s.`,
              { "retry-after": String(seconds) }
            )
          )
        ),
        Effect.map(HttpServerResponse.setHeader("access-control-allow-origin", "*"))
      )
    )

    yield* route("POST", "/oauth/revoke", server.answer)
    yield* route("GET", "/oauth/jwks", server.answer)
    for (const path of ["/oauth/token", "/oauth/device", "/oauth/revoke", "/oauth/jwks"] as const) {
      yield* route("OPTIONS", path, server.answer)
    }
    for (const path of [
      "/.well-known/oauth-authorization-server",
      "/.well-known/openid-configuration"
    ] as const) {
      yield* route("GET", path, server.answer)
      yield* route("OPTIONS", path, server.answer)
    }
    const preflight = HttpServerResponse.empty({
      headers: {
        "access-control-allow-origin": "*",
        "access-control-allow-methods": "GET, POST",
        "access-control-allow-headers": "content-type, mcp-protocol-version",
        "access-control-max-age": "3600"
      }
    })
    yield* router.add("OPTIONS", "/oauth/register", preflight)

    const metadata = (audience: Audience) =>
      HttpServerResponse.jsonUnsafe(
        {
          resource: resourceOf(publicUrl, audience),
          authorization_servers: [publicUrl],
          scopes_supported: appScopes,
          bearer_methods_supported: ["header"],
          resource_name: "Carillon",
          resource_documentation: `${publicUrl}/${audience === "mcp" ? "connect" : "docs"}`
        },
        { headers: { "access-control-allow-origin": "*", "cache-control": "max-age=300" } }
      )
    // Some clients look only at the root form, and mean the MCP endpoint.
    const forms = [["", "mcp"] as const, ...audiences.map((audience) => [`/${audience}`, audience] as const)]
    for (const [suffix, audience] of forms) {
      yield* router.add("GET", `/.well-known/oauth-protected-resource${suffix}`, metadata(audience))
      yield* router.add("OPTIONS", `/.well-known/oauth-protected-resource${suffix}`, preflight)
    }
  })
)
