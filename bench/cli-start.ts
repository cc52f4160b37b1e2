#!/usr/bin/env node
/** How long the command line takes to start, beside a Node.js that does nothing, in alternating rounds. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { figure, median, percentile, sorted, table } from "./Figures.ts"

const rounds = Number(process.argv[2] ?? 31)
const carillon = join(import.meta.dirname, "../packages/cli/carillon.js")

// The server is this process, because the service's time to answer is not measured.
const server = createServer((_, response) =>
  response
    .setHeader("content-type", "application/json")
    .end(JSON.stringify({ data: [], meta: { total: 0, offset: 0, limit: 50, next: null } }))
).listen(0, "127.0.0.1")
await once(server, "listening")
const home = mkdtempSync(join(tmpdir(), "carillon-bench-"))
const env = {
  PATH: process.env["PATH"],
  HOME: home,
  CARILLON_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  CARILLON_API_KEY: "crl_bench",
  // A compile cache of its own, which only the first run fills.
  NODE_COMPILE_CACHE: join(home, "compile-cache")
}

const contestants: Readonly<Record<string, ReadonlyArray<string>>> = {
  "node -e 0": ["-e", "0"],
  "carillon --help": [carillon, "--help"],
  "carillon posts list": [carillon, "posts", "list"],
  "carillon post --help": [carillon, "post", "--help"],
  "fetch of the same list": ["-e", "fetch(process.env.CARILLON_URL).then((answer) => answer.text())"],
  "import of effect/cli": ["--input-type=module", "-e", "await import('effect/cli')"]
}

/** Milliseconds until the process has ended. */
const time = async (args: ReadonlyArray<string>): Promise<number> => {
  const started = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: "ignore" })
  const [code] = await once(child, "close")
  if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}`)
  return performance.now() - started
}

const times: Record<string, Array<number>> = {}
for (const [name, args] of Object.entries(contestants)) {
  times[name] = []
  await time(args)
}
for (let round = 0; round < rounds; round++) {
  for (const [name, args] of Object.entries(contestants)) times[name]!.push(await time(args))
}
server.close()
rmSync(home, { recursive: true, force: true })

const bare = times["node -e 0"]!
console.log(
  table([
    ["milliseconds", "median", "p90", "ratio to node -e 0 (median of rounds)"],
    ...Object.entries(times).map(([name, all]) => [
      name,
      figure(median(all)),
      figure(percentile(sorted(all), 0.9)),
      figure(median(all.map((one, round) => one / bare[round]!)))
    ])
  ])
)
