import { once } from "node:events"
import { createServer, type AddressInfo } from "node:net"

/** An app on this computer that waits for its answer: its address, and that of the first request that comes. */
export const waitingApp = async () => {
  const came = Promise.withResolvers<URL>()
  const server = createServer((socket) => {
    socket.once("data", (bytes) => {
      const [, path] = /^GET (\S+)/.exec(String(bytes)) ?? []
      if (path?.startsWith("/callback")) came.resolve(new URL(path, "http://127.0.0.1"))
      socket.end(
        "HTTP/1.1 200 OK\r\ncontent-length: 4\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\ndone"
      )
    })
    socket.on("error", () => {})
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  return { redirect: `http://127.0.0.1:${port}/callback`, came: came.promise, close: () => server.close() }
}
