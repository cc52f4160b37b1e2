import { Effect } from "effect"
import { once } from "node:events"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { buffer } from "node:stream/consumers"

/** The answer of the server behind, on a connection of its own: one that it has just closed would look like a fault. */
export const passedOn = async (upstream: string, incoming: IncomingMessage, body: Buffer) => {
  const outgoing = request(new URL(incoming.url!, upstream), {
    agent: false,
    method: incoming.method!,
    headers: { ...incoming.headers, connection: "close" }
  })
  outgoing.end(body)
  const [response] = (await once(outgoing, "response")) as [IncomingMessage]
  return { status: response.statusCode!, headers: response.headers, body: await buffer(response) }
}
export type PassedOn = Awaited<ReturnType<typeof passedOn>>

/** Gives an answer, and waits until it is written or nobody reads it any more. */
export const answer = (response: ServerResponse, { status, headers, body }: PassedOn) =>
  new Promise<void>((resolve) => {
    response.once("close", resolve)
    response.writeHead(status, { ...headers, connection: "keep-alive" }).end(body, resolve)
  })

/** The address of a server that does this with each request; gone with its scope. */
export const proxying = (handle: (incoming: IncomingMessage, response: ServerResponse) => Promise<void>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((incoming, response) => {
        handle(incoming, response).catch(() => response.socket?.destroy())
      })
      server.keepAliveTimeout = 0
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      return server
    }),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  ).pipe(Effect.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`))
