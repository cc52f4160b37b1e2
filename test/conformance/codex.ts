// Codex as its makers publish it signs in, works, comes back when its access token has expired, and is put out. No model is
// asked: its app server lists the tools of its MCP servers. The person is a browser without JavaScript.
import assert from "node:assert/strict"
import { Effect } from "effect"
import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import {
  allowsAll,
  latestApp,
  type PlainBrowser,
  signedInBrowser,
  tickedOf
} from "@carillon/testing/OAuthBrowser"
import { type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"

const codex = "@openai/codex@0.169.0"

const home = mkdtempSync(join(tmpdir(), "carillon-codex-"))
const credentials = join(home, ".credentials.json")

const start = (...args: ReadonlyArray<string>) => {
  const child = spawn("npx", ["-y", codex, ...args], {
    env: { ...process.env, CODEX_HOME: home, RUST_LOG: "off" },
    stdio: ["pipe", "pipe", "inherit"]
  })
  const limit = setTimeout(() => child.kill(), 300_000)
  const ended = once(child, "exit").finally(() => clearTimeout(limit))
  return { child, ended, lines: createInterface(child.stdout) }
}

const signsIn = async (browser: PlainBrowser) => {
  const { ended, lines } = start("mcp", "login", "carillon")
  for await (const line of lines) {
    if (/^http\S+\/oauth\/authorize\?/.test(line)) await fetch(await allowsAll(browser, line))
  }
  assert.deepEqual(await ended, [0, null])
}

/** What Codex knows of the service's tools right after its start, and else why. */
const tools = async () => {
  const { child, ended, lines } = start("app-server")
  const say = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`)
  const clientInfo = { name: "carillon", title: "Carillon", version: "1" }
  say({ id: 1, method: "initialize", params: { clientInfo } })
  for await (const line of lines) {
    const { id, result } = JSON.parse(line)
    if (id === 1) {
      say({ method: "initialized" })
      say({ id: 2, method: "mcpServerStatus/list", params: {} })
    }
    if (id !== 2) continue
    child.stdin.end()
    await ended
    const [{ tools: known, toolsError }] = result.data
    return { count: Object.keys(known).length, error: toolsError as string | null }
  }
  throw new Error(`Codex ended without an answer: ${await ended}`)
}

/** As after twelve hours: Codex takes its access token for expired, and it is. */
const expires = () => {
  const kept: Record<string, { access_token: string; expires_at: number; refresh_token: string }> =
    JSON.parse(readFileSync(credentials, "utf8"))
  const [server] = Object.values(kept)
  assert.ok(server, "Codex keeps no tokens where they were looked for")
  server.access_token = "A".repeat(43)
  server.expires_at = Date.now() - 1000
  writeFileSync(credentials, JSON.stringify(kept))
  return server.refresh_token
}

const all = { count: 19, error: null }

const withCodex = async (service: ServiceProcess) => {
  writeFileSync(
    join(home, "config.toml"),
    `mcp_oauth_credentials_store = "file"\n[mcp_servers.carillon]\nurl = "${service.url}/mcp"\n`
  )
  const browser = await signedInBrowser(service)
  await signsIn(browser)
  assert.deepEqual(await tools(), all)
  const first = expires()
  assert.deepEqual(await tools(), all)
  // It goes on asking for what it asked for at first.
  const app = await latestApp(browser)
  const { html } = await browser.visit(app)
  const less = tickedOf(html).filter(([, value]) => value !== "posts:publish")
  assert.equal((await browser.post(app, html, less)).status, 303)
  assert.notEqual(expires(), first)
  assert.deepEqual(await tools(), all)
  await browser.post(`${app}/disconnect`, html, [])
  expires()
  assert.match(String((await tools()).error), /authorization required/)
  console.log("Codex: signed in, consented to, worked, refreshed, refreshed with less, disconnected")
}

const available = await promisify(execFile)("npx", ["-y", codex, "--version"]).then(
  () => true,
  () => false
)
try {
  if (available) {
    await Effect.runPromise(
      Effect.scoped(Effect.flatMap(startService(), (service) => Effect.promise(() => withCodex(service))))
    )
  } else {
    console.log(`Skipped: the registry has no ${codex} that runs on this machine.`)
  }
} finally {
  rmSync(home, { recursive: true, force: true })
}
