import { Effect } from "effect"
import { once } from "node:events"
import { createServer, type AddressInfo, type Server, type Socket } from "node:net"

export interface TestServer {
  readonly port: number
  /** How many connections came. */
  readonly connections: () => number
}

/** Listens on loopback until the scope closes. */
export const listening = (server: Server) =>
  Effect.acquireDisposable(
    Effect.promise(async (): Promise<TestServer & AsyncDisposable> => {
      const sockets = new Set<Socket>()
      let connections = 0
      server.on("connection", (socket: Socket) => {
        connections++
        sockets.add(socket)
        socket.on("error", () => {})
        socket.on("close", () => sockets.delete(socket))
      })
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      return {
        port: (server.address() as AddressInfo).port,
        connections: () => connections,
        [Symbol.asyncDispose]: async () => {
          for (const socket of sockets) socket.destroy()
          server.close()
          await once(server, "close")
        }
      }
    })
  )

/** A server that may break every rule of HTTP: `answer` gets the socket and the head of each request. */
export const rawServer = (answer: (socket: Socket, head: string) => void) =>
  listening(
    createServer((socket) => {
      let received = ""
      socket.on("data", (bytes) => {
        received += bytes.toString("latin1")
        const end = received.indexOf("\r\n\r\n")
        if (end < 0) return
        const head = received.slice(0, end)
        received = received.slice(end + 4)
        answer(socket, head)
      })
    })
  )
