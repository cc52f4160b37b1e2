import { type AddressInfo, createServer, type Socket } from "node:net"

/** What it does once it has said 413, which it says before it has read the body. */
export type Manner = "closes" | "keeps reading" | "reads no more" | "never ends its answer"

/** Without a word; or with the status that Caddy gives. */
export type VagueManner = "breaks the connection" | "says 502"

/** A proxy that takes no body of this size; `closed` resolves when the last connection to it has ended. */
export const refusingProxy = async (manner: Manner | VagueManner) => {
  const page = "<html><title>413 Request Entity Too Large</title></html>"
  const length = manner === "never ends its answer" ? "" : `Content-Length: ${page.length}\r\n`
  const refusal = `HTTP/1.1 413 Request Entity Too Large\r\nContent-Type: text/html\r\n${length}Connection: close\r\n\r\n${page}`
  const closed = Promise.withResolvers<void>()
  const refuse = (socket: Socket) => {
    if (manner === "breaks the connection") return socket.destroy()
    if (manner === "says 502") return socket.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
    if (manner === "closes") return socket.end(refusal, () => socket.destroy())
    socket.write(refusal)
    if (manner === "keeps reading") socket.resume()
    // Who does not read notices the end of a connection by writing to it.
    else {
      const beat = setInterval(() => socket.write(" "), 20)
      socket.once("close", () => clearInterval(beat))
    }
    return socket
  }
  const server = createServer((socket) => {
    socket.on("error", () => {}).once("close", () => closed.resolve())
    socket.once("data", () => {
      socket.pause()
      refuse(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    closed: closed.promise,
    close: () => server.close()
  }
}
