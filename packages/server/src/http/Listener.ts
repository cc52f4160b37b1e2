import { Api, problem } from "@carillon/domain"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Deferred, Effect, Layer, Schema, type Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { AppConfig } from "../AppConfig.ts"
import { BodyPace, watchBody } from "./BodyPace.ts"
import { withEdge } from "./Edge.ts"
import { problemResponse } from "./Problems.ts"

export class ListenFailed extends Schema.TaggedError<ListenFailed>()("ListenFailed", {
  message: Schema.String
}) {}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** The one route that sends "100 Continue" itself. */
const uploadPath = new RegExp(`^${Api.groups.media.endpoints.upload.path.replace(/:\w+/, "[^/]+")}\\?`)

const longestShutdown = 25_000

/** Longer than proxies and clients keep an idle connection, so that the side that sends requests closes it first. */
const keepAliveTimeout = 75_000

/**
 * The socket, open from the first moment to the last. Requests are let in between `open` and its scope's end. Before and
 * after that they are told that the service starts or stops, so that nobody meets a refused connection.
 */
export class Listener extends Context.Service<
  Listener,
  {
    /** Sets the handler of requests that are let in. The scope's end waits for requests in progress. */
    answerWith(answer: Answer): Effect.Effect<void, never, Scope.Scope>
    /** Lets requests in until the scope ends. */
    readonly open: Effect.Effect<void, never, Scope.Scope>
    /** Until no more requests are let in. Answers without an end have to end then. */
    readonly stopping: Effect.Effect<void>
  }
>()("@carillon/server/http/Listener") {
  static readonly layer = Layer.effect(
    Listener,
    Effect.gen(function* () {
      const config = yield* AppConfig
      const pace = yield* BodyPace
      const scope = yield* Effect.scope
      const closed: Record<"starting" | "stopping", Answer> = {
        starting: yield* NodeHttpServer.makeHandler(withEdge(unavailable(starting), config), { scope }),
        stopping: yield* NodeHttpServer.makeHandler(withEdge(unavailable(stopping), config), { scope })
      }
      const late = yield* NodeHttpServer.makeHandler(withEdge(tooSlow(pace), config), { scope })
      const stops = yield* Deferred.make<void>()
      let answer = closed.starting
      let inside: Answer | undefined
      let underWay = 0
      let idle = () => {}

      const handle: Answer = (request, response) => {
        if (answer === inside) {
          underWay++
          response.once("close", () => {
            if (--underWay === 0) idle()
          })
        }
        watchBody(request, response, { ...pace, isUpload: uploadPath.test(request.url ?? "") }, () =>
          response.headersSent ? request.socket.destroy() : late(request, response)
        )
        answer(request, response)
      }
      // An honest upload on a slow line takes longer than Node's limit for a whole request; BodyPace limits bodies instead.
      const server = createServer({ requestTimeout: 0, headersTimeout: 30_000, keepAliveTimeout }, handle)
      // Otherwise Node asks for the body of an upload before the request has been checked.
      server.on("checkContinue", (request, response) => {
        if (answer === inside && !uploadPath.test(request.url ?? "")) response.writeContinue()
        handle(request, response)
      })
      yield* Effect.acquireRelease(listen(server, config), () => close(server))

      const finished = Effect.callback<void>((resume) => {
        if (underWay === 0) return resume(Effect.void)
        const force = setTimeout(() => server.closeAllConnections(), longestShutdown)
        idle = () => {
          clearTimeout(force)
          resume(Effect.void)
        }
      })

      return Listener.of({
        answerWith: (given) =>
          Effect.acquireRelease(
            Effect.sync(() => {
              inside = given
            }),
            () => finished
          ),
        open: Effect.acquireRelease(
          Effect.sync(() => {
            answer = inside ?? answer
          }),
          () =>
            Effect.suspend(() => {
              answer = closed.stopping
              return Deferred.succeed(stops, undefined)
            })
        ),
        stopping: Deferred.await(stops)
      })
    })
  )
}

const starting =
  "The service is starting; it answers as soon as its database is ready. Try again in a second."
const stopping =
  "The service is stopping and accepts no new requests. Try again in a second, or use another process."

const tooSlow = ({ millis, uploadBytes }: typeof BodyPace.Service) =>
  problemResponse(
    problem(
      "body_too_slow",
      `The body did not arrive within ${millis / 1000} s (of an upload: ${uploadBytes / 1024} KiB in each ${millis / 1000} s); send the request again.`
    )
  ).pipe(Effect.map(HttpServerResponse.setHeader("connection", "close")))

const unavailable = Effect.fnUntraced(function* (sentence: string) {
  const { url } = yield* HttpServerRequest.HttpServerRequest
  if (url === "/healthz") return HttpServerResponse.jsonUnsafe({ status: "ok" })
  const response = yield* problemResponse(problem("unavailable", sentence))
  // A connection kept alive would lead to this process again.
  return HttpServerResponse.setHeaders(response, { "retry-after": "1", connection: "close" })
})

const listen = (server: Server, address: AppConfig["Service"]) =>
  Effect.callback<void, ListenFailed>((resume) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      resume(Effect.fail(new ListenFailed({ message: whyNot(address, error) })))
    )
    server.listen(address.port, address.host, () => resume(Effect.void))
  })

const whyNot = ({ host, port }: AppConfig["Service"], { code, message }: NodeJS.ErrnoException) => {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} is in use, perhaps by another Carillon. Stop it, or choose another: PORT=${port + 10} npm start`
    case "EACCES":
      return `Port ${port} needs more rights than this user has, as do all ports below 1024. Choose another with PORT, such as 4400, and put a proxy in front of it.`
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `HOST is ${JSON.stringify(host)}, which is not an address of this machine. Use 127.0.0.1 to accept connections from this machine only, or 0.0.0.0 to accept them from anywhere.`
    default:
      return `Cannot listen on ${host}:${port}: ${message}. Choose another address with HOST and PORT.`
  }
}

/** Requests in progress have had their time: their connections are closed too. */
const close = (server: Server) =>
  Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
    server.closeAllConnections()
  })
