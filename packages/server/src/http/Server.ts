import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Layer, Schema } from "effect"
import { HttpMiddleware, HttpRouter } from "effect/http"
import { createServer, type Server } from "node:http"
import { AppConfig } from "../AppConfig.ts"
import { withEdge } from "./Edge.ts"

export class ListenFailed extends Schema.TaggedError<ListenFailed>()("ListenFailed", {
  message: Schema.String
}) {}

/** The one route that says "100 Continue" itself. */
const uploadPath = /^\/v1\/media\/[^/]+\/upload\?/

const longestShutdown = 25_000

/**
 * Serves the routes. It listens last: a connection is accepted when the database and every route are ready, so no
 * request can meet a server that does not answer.
 */
export const serve = <A, E, R>(routes: Layer.Layer<A, E, R>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const config = yield* AppConfig
      const handled = yield* HttpRouter.toHttpEffect(routes)
      const scope = yield* Effect.scope
      const { trustedProxies } = config
      const application =
        trustedProxies.length === 0
          ? withEdge(handled, config)
          : HttpMiddleware.xForwardedHeaders({ trustedProxies })(withEdge(handled, config))
      const handler = yield* NodeHttpServer.makeHandler(application, { scope })
      // An honest upload on a slow line takes longer than Node's limit for a whole request.
      const server = createServer({ requestTimeout: 0, headersTimeout: 30_000 }, handler)
      // Else Node asks for the body of an upload before anything about it has been looked at.
      server.on("checkContinue", (request, response) => {
        if (!uploadPath.test(request.url ?? "")) response.writeContinue()
        handler(request, response)
      })
      yield* Effect.acquireRelease(listen(server, config), () => close(server))
    })
  )

const listen = (server: Server, { host, port }: AppConfig["Service"]) =>
  Effect.callback<void, ListenFailed>((resume) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      resume(
        Effect.fail(
          new ListenFailed({
            message:
              error.code === "EADDRINUSE"
                ? `Port ${port} is in use, perhaps by another Carillon. Stop it, or choose another: PORT=${port + 10} npm start`
                : `Cannot listen on ${host}:${port}: ${error.message}`
          })
        )
      )
    )
    server.listen(port, host, () => resume(Effect.void))
  })

/** Answers what has been asked, accepts nothing new. */
const close = (server: Server) =>
  Effect.callback<void>((resume) => {
    const force = setTimeout(() => server.closeAllConnections(), longestShutdown)
    server.close(() => {
      clearTimeout(force)
      resume(Effect.void)
    })
    server.closeIdleConnections()
  })
