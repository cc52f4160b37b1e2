// Runs the protocol's own test suite against the service, once for each of the two revisions. The suite sends no
// credential, so a proxy in front adds one.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { key, startService } from "./StartedService.ts"

const suite = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
const revisions = ["2025-11-25", "2026-07-28"]

const { port, stop } = await startService(join(import.meta.dirname, "service.ts"), {
  CARILLON_SANDBOX: "off"
})

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
const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`

let failed = 0
for (const revision of process.argv.slice(2).length > 0 ? process.argv.slice(2) : revisions) {
  const run = spawn("npx", ["-y", suite, "server", "--url", url, "--requirements", revision], {
    stdio: "inherit"
  })
  const [code] = (await once(run, "exit")) as [number | null]
  if (code !== 0) failed++
}

await stop()
proxy.closeAllConnections()
proxy.close()
process.exitCode = failed === 0 ? 0 : 1
