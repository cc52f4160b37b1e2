// Apps that others wrote sign in: the protocol's own suite for authorization servers, and mcp-remote. The person is a
// browser without JavaScript.
import assert from "node:assert/strict"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  allowsAll,
  latestApp,
  type PlainBrowser,
  register,
  signedInBrowser
} from "@carillon/testing/OAuthBrowser"
import { freePort, type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { suite } from "./StartedService.ts"

const remote = "mcp-remote@0.15.1"

/** Runs a program; `heard` is called with all that it has said so far. */
const run = (
  command: ReadonlyArray<string>,
  env: Record<string, string>,
  heard: (output: string, stop: () => void) => void
) => {
  const [program, ...args] = command
  const child = spawn(program!, args, {
    env: { ...process.env, ...env }, // mcp-remote stops when its input ends.
    stdio: "pipe"
  })
  let output = ""
  const limit = setTimeout(() => child.kill(), 300_000)
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += String(chunk)
      heard(output, () => child.kill())
    })
  }
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    child.once("close", (code) => {
      clearTimeout(limit)
      resolve({ code, output })
    })
  })
}

const visitsApp = async (browser: PlainBrowser, address: string) => {
  await fetch(await allowsAll(browser, address))
}

const once = (act: () => Promise<void>) => {
  let begun = false
  return () => {
    if (begun) return
    begun = true
    act().catch((cause) => console.error(cause))
  }
}

const conformance = async (service: ServiceProcess, browser: PlainBrowser, port: number) => {
  const { body } = await register(service.url, { redirect_uris: [`http://127.0.0.1:${port}/callback`] })
  const seen: { address?: string } = {}
  const answer = once(() => visitsApp(browser, seen.address!))
  const command = ["npx", "-y", suite, "authorization", "--url", service.url, "--client-id", body.client_id]
  const { code, output } = await run(
    [...command, "--resource", `${service.url}/mcp`, "-p", String(port)],
    {},
    (said) => {
      const [address] = /http\S+\/oauth\/authorize\?\S+/.exec(said) ?? []
      if (address === undefined) return
      seen.address = address
      answer()
    }
  )
  assert.equal(code, 0, output)
  console.log(output.split("\n").slice(-12).join("\n"))
}

const mcpRemote = async (service: ServiceProcess, browser: PlainBrowser, port: number) => {
  const folder = mkdtempSync(join(tmpdir(), "carillon-mcp-remote-"))
  try {
    const seen: { address?: string } = {}
    const answer = once(() => visitsApp(browser, seen.address!))
    const command = ["npx", "-y", "-p", remote, "mcp-remote-client", `${service.url}/mcp`, String(port)]
    const { output } = await run(
      [...command, "--transport", "http-only", "--allow-http"],
      // It finds no browser to open, and prints the address.
      { MCP_REMOTE_CONFIG_DIR: folder, DISPLAY: "" },
      (said, stop) => {
        const [address] = /http\S+\/oauth\/authorize\?\S+(?=\n)/.exec(said) ?? []
        if (address !== undefined && seen.address === undefined) {
          seen.address = address
          answer()
        }
        if (said.includes("list_accounts")) stop()
      }
    )
    assert.match(output, /list_accounts/)
    assert.match((await latestApp(browser)).name, /MCP CLI|mcp-remote/i)
    console.log("mcp-remote: registered, signed in, tools listed")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const service = yield* startService()
      const ports = [yield* freePort, yield* freePort] as const
      yield* Effect.promise(async () => {
        const browser = await signedInBrowser(service)
        await conformance(service, browser, ports[0])
        await mcpRemote(service, browser, ports[1])
      })
    })
  )
)
