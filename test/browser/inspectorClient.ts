import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { answers, disconnects, spoilAccessTokens } from "@carillon/testing/PersonAtBrowser"
import { until } from "@carillon/testing/Until"
import type { ServiceProcess } from "@carillon/testing/ServiceProcess"

const inspector = "@modelcontextprotocol/inspector@2.12.0"
/** Milliseconds for what a program does by itself. */
const patience = 300_000

interface Run {
  /** The addresses that it asked the person to open. */
  readonly addresses: () => ReadonlyArray<string>
  readonly said: () => string
  readonly type: (line: string) => void
  readonly ended: Promise<{ readonly code: number | null; readonly result: any }>
}

/**
 * The Inspector's command line without a key: each call is a process of its own, which finds what an earlier one has
 * stored. It registers, works, renews its token, asks for more, is put out, and hears a no.
 */
export const withInspector = async (service: ServiceProcess, page: Page, port: number, pictures: string) => {
  const folder = mkdtempSync(join(tmpdir(), "carillon-inspector-"))
  const config = join(folder, "servers.json")
  const server = { type: "streamable-http", url: `${service.url}/mcp` }
  writeFileSync(
    config,
    JSON.stringify({ mcpServers: { all: server, little: { ...server, oauth: { scopes: "accounts:read" } } } })
  )
  const inspect = (name: "all" | "little", ...args: ReadonlyArray<string>): Run => {
    console.log(`the Inspector: ${[name, ...args].join(" ")}`)
    const command = ["-y", inspector, "--cli", "--config", config, "--server", name, "--format", "json"]
    const child = spawn(
      "npx",
      [...command, "--callback-url", `http://127.0.0.1:${port}/oauth/callback`, ...args],
      {
        env: {
          ...process.env,
          HOME: folder,
          npm_config_cache: process.env["npm_config_cache"] ?? join(process.env["HOME"] ?? "", ".npm"),
          MCP_STORAGE_DIR: folder,
          MCP_INSPECTOR_SECRET_STORE: "file",
          // It finds no browser to open, and prints the address.
          MCP_AUTO_OPEN_ENABLED: "true",
          DISPLAY: ""
        },
        stdio: "pipe"
      }
    )
    let said = ""
    let output = ""
    child.stderr.on("data", (chunk) => (said += String(chunk)))
    child.stdout.on("data", (chunk) => (output += String(chunk)))
    const ended = new Promise<{ code: number | null; result: any }>((resolve) =>
      child.once("close", (code) =>
        resolve({ code, result: code === 0 ? JSON.parse(output).result : undefined })
      )
    )
    return {
      addresses: () => [...new Set(said.match(/http\S+\/oauth\/authorize\?\S+(?=\s)/g) ?? [])],
      said: () => said,
      type: (line) => void child.stdin.write(`${line}\n`),
      ended
    }
  }
  const opened = (run: Run) => until("an address from the Inspector", patience, () => run.addresses()[0])
  const well = async (run: Run) => {
    const { code, result } = await run.ended
    assert.equal(code, 0, run.said())
    assert.notEqual(result.isError, true, JSON.stringify(result))
    return result
  }
  const call = (tool: string) => ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", "{}"]
  try {
    const first = inspect("all", "--method", "tools/list")
    await answers(page, await opened(first), "Allow", { pictures, picture: "inspector" })
    assert.equal((await well(first)).tools.length, 20)
    const { structuredContent } = await well(inspect("all", "--stored-auth-only", ...call("list_accounts")))
    assert.deepEqual(structuredContent.accounts, [])

    assert.ok(spoilAccessTokens(folder) > 0, "the Inspector keeps no access token where it was looked for")
    const renewed = inspect("all", ...call("list_posts"))
    assert.deepEqual((await well(renewed)).structuredContent.posts, [])
    assert.deepEqual(renewed.addresses(), [])

    // Begins anew with little, and then needs more.
    const little = inspect("little", "--relogin", ...call("list_accounts"))
    await answers(page, await opened(little), "Allow", { pictures, picture: "inspector-little" })
    await well(little)
    const more = inspect("little", ...call("list_media"))
    await until(
      "a question from the Inspector",
      patience,
      () => /Proceed with step-up/.exec(more.said()) ?? undefined
    )
    more.type("y")
    const asked = await opened(more)
    assert.match(new URL(asked).searchParams.get("scope") ?? "", /media:read/)
    await answers(page, asked, "Allow", { pictures, picture: "inspector-more" })
    assert.ok(Array.isArray((await well(more)).structuredContent.media))

    await disconnects(service, page)
    const refused = inspect("all", "--method", "tools/list")
    const back = await answers(page, await opened(refused), "Deny", { pictures, picture: "inspector-again" })
    assert.equal(back.searchParams.get("error"), "access_denied")
    assert.notEqual((await refused.ended).code, 0)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
