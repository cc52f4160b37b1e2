import assert from "node:assert/strict"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { type MadeClient, type RealClient, rewrite, startProgram, unknownToken } from "./RealClient.ts"

type Kept = Record<string, { access_token: string; expires_at: number; readonly refresh_token: string }>

/** No model is asked: its app server lists the tools of its MCP servers. */
export const codex: MadeClient = {
  name: "Codex",
  package: "@openai/codex@0.169.0",
  command: "codex",
  make: async (program, home, mcpUrl): Promise<RealClient> => {
    writeFileSync(
      join(home, "config.toml"),
      `mcp_oauth_credentials_store = "file"\n[mcp_servers.carillon]\nurl = "${mcpUrl}"\n`
    )
    const start = (...args: ReadonlyArray<string>) =>
      startProgram(program, args, { cwd: home, env: { ...process.env, CODEX_HOME: home, RUST_LOG: "off" } })

    return {
      signsIn: async (visit) => {
        const { ended, lines } = start("mcp", "login", "carillon")
        for await (const line of lines) {
          if (/^http\S+\/oauth\/authorize\?/.test(line)) await visit(line)
        }
        assert.deepEqual(await ended, [0, null])
      },
      tools: async () => {
        const { child, ended, lines } = start("app-server")
        const say = (message: object) => child.stdin!.write(`${JSON.stringify(message)}\n`)
        const clientInfo = { name: "carillon", title: "Carillon", version: "1" }
        say({ id: 1, method: "initialize", params: { clientInfo } })
        for await (const line of lines) {
          const { id, result } = JSON.parse(line)
          if (id === 1) {
            say({ method: "initialized" })
            say({ id: 2, method: "mcpServerStatus/list", params: {} })
          }
          if (id !== 2) continue
          child.stdin!.end()
          await ended
          const [{ tools: known, toolsError }] = result.data
          return { count: Object.keys(known).length, error: toolsError }
        }
        throw new Error(`Codex ended without an answer: ${await ended}`)
      },
      expires: () =>
        rewrite(join(home, ".credentials.json"), (kept: Kept) => {
          const [server] = Object.values(kept)
          assert.ok(server, "Codex keeps no tokens where they were looked for")
          server.access_token = unknownToken
          server.expires_at = Date.now() - 1000
          return server.refresh_token
        })
    }
  }
}
