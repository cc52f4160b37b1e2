import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Layer, Schema, type Scope } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { SandboxConfig } from "./SandboxConfig.ts"

export class ListenFailed extends Schema.TaggedError<ListenFailed>()("ListenFailed", {
  message: Schema.String
}) {}

type Handler = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/** The server's socket. Its address is known before the routes are; connections are accepted after them. */
export class NodeServer extends Context.Service<
  NodeServer,
  {
    /** Without a trailing slash; known only once it listens. */
    readonly url: () => string
    listen(handler: Handler): Effect.Effect<void, ListenFailed, Scope.Scope>
  }
>()("@carillon/sandbox/NodeServer") {
  static readonly layer = Layer.effect(
    NodeServer,
    Effect.gen(function* () {
      const { host, port } = yield* SandboxConfig
      const server = createServer({
        requestTimeout: 0,
        headersTimeout: 30_000,
        // A server that closes an idle connection just as it is used again would be a fault that nobody scripted.
        keepAliveTimeout: 600_000
      })

      let url = ""

      const open = Effect.callback<void, ListenFailed>((resume) => {
        server.once("error", (error: NodeJS.ErrnoException) =>
          resume(
            new ListenFailed({
              message:
                error.code === "EADDRINUSE"
                  ? `Port ${port} is in use, perhaps by another test network. Stop it, or choose another with SANDBOX_PORT (0: any free one).`
                  : `Cannot listen on ${host}:${port}: ${error.message}`
            })
          )
        )
        // With Node's 511 the 512th of many simultaneous connections waits a second for its second try.
        server.listen({ host, port, backlog: 8192 }, () => {
          url = urlOf(server.address() as AddressInfo)
          resume(Effect.void)
        })
      })

      const close = Effect.callback<void>((resume) => {
        const force = setTimeout(() => server.closeAllConnections(), longestShutdown)
        server.close(() => {
          clearTimeout(force)
          resume(Effect.void)
        })
        server.closeIdleConnections()
      })

      return NodeServer.of({
        url: () => url,
        listen: Effect.fn("NodeServer.listen")(function* (handler) {
          const scope = yield* Effect.scope
          server.on("request", yield* NodeHttpServer.makeHandler(handler, { scope }))
          yield* Effect.acquireRelease(open, () => close)
        })
      })
    })
  )
}

/** Milliseconds. A scripted hang must not hold up the end. */
const longestShutdown = 1000

const urlOf = ({ address, family, port }: AddressInfo) => {
  if (address === "0.0.0.0" || address === "::") return `http://127.0.0.1:${port}`
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`
}
