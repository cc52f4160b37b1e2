import { once } from "node:events"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"

/** A proxy in front of the service's port that adds the key, which the protocol's suite cannot send. */
export const startKeyProxy = async (port: number, key: string) => {
  const proxy = createServer((incoming, outgoing) => {
    const { host = "" } = incoming.headers
    // A foreign name is what one scenario is about, so only the proxy's own becomes the service's.
    const own = host.endsWith(`:${(proxy.address() as AddressInfo).port}`)
    const forwarded = request(
      {
        port,
        host: "127.0.0.1",
        method: incoming.method,
        path: incoming.url,
        headers: {
          ...incoming.headers,
          ...(own && /^(localhost|127\.0\.0\.1)/.test(host) ? { host: `localhost:${port}` } : {}),
          authorization: `Bearer ${key}`
        }
      },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
      }
    )
    forwarded.on("error", () => outgoing.destroy())
    outgoing.on("close", () => forwarded.destroy())
    incoming.pipe(forwarded)
  }).listen(0, "127.0.0.1")
  await once(proxy, "listening")
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`,
    stop: () => {
      proxy.closeAllConnections()
      proxy.close()
    }
  }
}
