// Runs the protocol's own test suite against the service, once for each of the two revisions.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { startKeyProxy } from "./KeyProxy.ts"
import { key, startService, suite } from "./StartedService.ts"

const revisions = ["2025-11-25", "2026-07-28"]

const { port, stop } = await startService(join(import.meta.dirname, "service.ts"), {
  CARILLON_SANDBOX: "off"
})
const proxy = await startKeyProxy(port, key)

let failed = 0
for (const revision of process.argv.slice(2).length > 0 ? process.argv.slice(2) : revisions) {
  const run = spawn("npx", ["-y", suite, "server", "--url", proxy.url, "--requirements", revision], {
    stdio: "inherit"
  })
  const [code] = (await once(run, "exit")) as [number | null]
  if (code !== 0) failed++
}

await stop()
proxy.stop()
process.exitCode = failed === 0 ? 0 : 1
