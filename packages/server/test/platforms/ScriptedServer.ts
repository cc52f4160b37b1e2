import { Effect, Queue } from "effect"
import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo, Socket } from "node:net"

export interface Received {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type Reply =
  | {
      readonly status: number
      readonly headers?: Record<string, string>
      readonly json?: unknown
      readonly text?: string | Uint8Array
    }
  /** These bytes, then the end of the connection. */
  | { readonly raw: string }
  /** The connection is reset after the whole request was read. */
  | "reset"
  /** No answer ever. */
  | "silence"

/** A server on a real socket that answers as the script says and keeps what it received; gone with its scope. */
export const scriptedServer = Effect.fn("scriptedServer")(function* (script: (request: Received) => Reply) {
  const received: Array<Received> = []
  const arrivals = yield* Queue.unbounded<Received>()
  const sockets = new Set<Socket>()
  const server = createServer((incoming, outgoing) => {
    const chunks: Array<Buffer> = []
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
    incoming.on("end", () => {
      const url = new URL(incoming.url ?? "", "http://scripted")
      const request = {
        method: incoming.method ?? "",
        path: url.pathname,
        query: Object.fromEntries(url.searchParams),
        headers: incoming.headers,
        body: Buffer.concat(chunks)
      }
      received.push(request)
      Queue.offerUnsafe(arrivals, request)
      const reply = script(request)
      if (reply === "silence") return
      if (reply === "reset") return incoming.socket.resetAndDestroy()
      if ("raw" in reply) return incoming.socket.end(reply.raw)
      outgoing.writeHead(reply.status, { "content-type": "application/json", ...reply.headers })
      outgoing.end(reply.text ?? (reply.json === undefined ? "" : JSON.stringify(reply.json)))
    })
  })
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () =>
      Effect.promise(() => {
        sockets.forEach((socket) => socket.destroy())
        return new Promise((resolve) => server.close(resolve))
      })
  )
  /** The next request, as soon as it is there. */
  const arrival = Queue.take(arrivals)
  return { arrival, received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
})

/** A port of this machine on which nothing listens: no program is given one below 1024. */
export const closedPort = "http://127.0.0.1:9"
