import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { CliError, exitCodes } from "./CliError.ts"

/** Serves the page on this machine that the browser returns to (RFC 8252); 404 for a query that `expects` refuses. */
export const startLoopbackServer = async (
  path: `/${string}`,
  expects = (_: URLSearchParams): boolean => true
) => {
  const arrived = Promise.withResolvers<URLSearchParams>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost")
    if (pathname !== path || !expects(searchParams)) return response.writeHead(404).end()
    response
      .writeHead(200, { "content-type": "text/plain; charset=utf-8", connection: "close" })
      .end("You can close this page and go back to the terminal.\n")
    arrived.resolve(searchParams)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    outcome: (patience: number): Promise<URLSearchParams> => {
      const timer = setTimeout(
        () =>
          arrived.reject(
            new CliError(exitCodes.error, "Timed out waiting for the sign-in.", "Run the command again.")
          ),
        patience
      )
      return arrived.promise.finally(() => clearTimeout(timer))
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
