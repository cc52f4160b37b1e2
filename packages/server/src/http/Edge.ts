import { markup, type ProblemCode, problem, truncate } from "@carillon/domain"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { ByteSize, Cause, Effect } from "effect"
import { HttpIncomingMessage, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomUUID } from "node:crypto"
import type { AppConfig } from "../AppConfig.ts"
import { isDiskFull } from "../sql/DiskFull.ts"
import { htmlPage, isOpenedByPerson } from "./HtmlPage.ts"
import { type Answering, countAnswer, CurrentAnswering } from "./HttpMetrics.ts"
import { databaseFull, problemResponse, RequestId } from "./Problems.ts"
import type { RouteTable } from "./RouteTable.ts"

/** The largest body of a form, and of any request before its credential is checked. */
const smallBody = ByteSize.kibibytes(64)

/**
 * The common part of every answer, around the router: the request id, security headers, a limit on bodies, and a
 * problem body for anything that the routes did not answer themselves (404, 405, 413, 415, 500).
 */
export const withEdge = <E, R>(
  routes: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  config: AppConfig["Service"],
  methodsOf: RouteTable["methodsOf"] = () => []
) => {
  const secured = makeSecured(config)
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const id = requestId(request)
    const answering: Answering = { route: "other" }
    return yield* routes.pipe(
      Effect.flatMap((response) => completed(request, response)),
      Effect.catchCause((cause) => fromCause(request, cause, methodsOf)),
      Effect.tap(({ status }) => countAnswer(request.method, answering.route, status)),
      Effect.tap(() => Effect.annotateCurrentSpan("http.route", answering.route)),
      Effect.map((response) => secured(response, id)),
      Effect.provideService(CurrentAnswering, answering),
      Effect.provideService(RequestId, id),
      Effect.provideService(HttpIncomingMessage.MaxBodySize, smallBody),
      Effect.annotateLogs({ request_id: id })
    )
  })
}

/** Adds the headers that all answers share; an answer's own headers win. */
const makeSecured = ({ publicUrl }: AppConfig["Service"]) => {
  const always = {
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    ...(publicUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000" } : {})
  }
  const ofPages = {
    ...always,
    "content-security-policy": "object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    "x-frame-options": "DENY"
  }
  return (response: HttpServerResponse.HttpServerResponse, id: string) => {
    const common = response.headers["content-type"]?.startsWith("text/html") === true ? ofPages : always
    return HttpServerResponse.setHeaders(response, { ...common, ...response.headers, "x-request-id": id })
  }
}

const requestId = (request: HttpServerRequest.HttpServerRequest) => {
  const given = request.headers["x-request-id"]
  return given !== undefined && /^[\w.:-]{1,128}$/.test(given) ? given : `req_${randomUUID()}`
}

const refuse = (code: ProblemCode, message: string) => problemResponse(problem(code, message))

/** HttpApi answers 415 as bare text; give it the common body. */
const completed = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
) =>
  response.status === 415 && !response.headers["content-type"]?.includes("problem")
    ? refuse(
        "unsupported_media_type",
        `The content type ${request.headers["content-type"] ?? "(none)"} is not accepted here; send application/json.`
      )
    : Effect.succeed(response)

const fromCause = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  cause: Cause.Cause<unknown>,
  methodsOf: RouteTable["methodsOf"]
) {
  if (Cause.hasInterruptsOnly(cause)) return yield* Effect.failCause(cause as Cause.Cause<never>)
  const failure = Cause.squash(cause)
  if (failure instanceof HttpServerError.HttpServerError) {
    const { reason } = failure
    if (reason._tag === "RouteNotFound") return yield* noRoute(request, methodsOf(request.url))
    if (reason._tag === "RequestParseError") {
      return reason.reason === "BodyTooLarge"
        ? yield* refuse("body_too_large", tooLarge(reason.cause))
        : yield* refuse("invalid_request", "The body could not be read completely; send the request again.")
    }
  }
  if (isDiskFull(failure)) {
    yield* Effect.logWarning("request refused: the disk of the database is full")
    return yield* problemResponse(yield* databaseFull)
  }
  yield* Effect.logError("request failed", cause)
  return yield* refuse(
    "internal_error",
    "Something went wrong inside Carillon; find it in the logs by the request id."
  )
})

const tooLarge = (cause: unknown) =>
  `The body is larger than ${cause instanceof NodeStream.MaxBytesError ? cause.maxBytes : smallBody} bytes, which is the limit here; send a smaller one.`

const nothingAt = (shown: string) =>
  htmlPage({
    title: "Page not found",
    body: markup`<p>This Carillon has no page at <code>${shown}</code>. Check the address, or go to the <a href="/">start page</a>.</p>`,
    status: 404,
    bad: true
  })

const noRoute = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  methods: ReadonlyArray<string>
) {
  const [path = ""] = request.url.split("?", 1)
  const shown = truncate(path, 100)
  if (methods.length === 0 && isOpenedByPerson(request)) return nothingAt(shown)
  if (methods.length === 0) {
    return yield* refuse("not_found", `There is nothing at ${shown}; the reference is at /docs.`)
  }
  const response = yield* refuse(
    "method_not_allowed",
    `${request.method} is not allowed at ${shown}; use ${methods.join(" or ")}.`
  )
  return HttpServerResponse.setHeader(response, "allow", methods.join(", "))
})
