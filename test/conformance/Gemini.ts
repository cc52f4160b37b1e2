import assert from "node:assert/strict"
import { join } from "node:path"
import { type MadeClient, type RealClient, rewrite, startProgram, unknownToken } from "./RealClient.ts"
import { startModel } from "./StandInModel.ts"

type Kept = ReadonlyArray<{
  readonly token: { accessToken: string; expiresAt: number; readonly refreshToken: string }
}>

/** With the lines that `/connect` shows. */
export const gemini: MadeClient = {
  name: "Gemini CLI",
  package: "@google/gemini-cli@0.61.0",
  command: "gemini",
  make: async (program, home, mcpUrl): Promise<RealClient> => {
    const model = await startModel("mcp_carillon_list_accounts")
    const env = {
      PATH: process.env["PATH"],
      HOME: home,
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
      GEMINI_API_KEY: "none",
      GOOGLE_GEMINI_BASE_URL: model.url,
      GEMINI_CLI_NO_RELAUNCH: "true",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_FORCE_FILE_STORAGE: "true",
      // The sign-in's address is for the person of the test.
      BROWSER: "true"
    }
    const start = (...args: ReadonlyArray<string>) => startProgram(program, args, { cwd: home, env })

    const adding = start("mcp", "add", "--scope", "user", "--transport", "http", "carillon", mcpUrl)
    assert.deepEqual(await adding.ended, [0, null])
    rewrite(join(home, ".gemini/settings.json"), (settings: object) =>
      Object.assign(settings, { security: { auth: { selectedType: "gemini-api-key" } } })
    )
    return {
      signsIn: async (visit) => {
        const { child, ended } = startProgram(
          program,
          ["-p", "/mcp auth carillon"],
          { cwd: home, env },
          "pipe"
        )
        let said = ""
        let agreed = false
        let visited: Promise<unknown> | undefined
        const hear = (piece: Buffer) => {
          said += piece.toString()
          if (!agreed && said.includes("[Y/n]")) {
            agreed = true
            child.stdin!.write("y\n")
          }
          const [, address] = /^(http\S+\/oauth\/authorize\?\S+)\n/m.exec(said) ?? []
          if (address !== undefined) visited ??= visit(address)
        }
        child.stdout!.on("data", hear)
        child.stderr!.on("data", hear)
        // It has done the work, and then ends as if a command that asks no model were a mistake.
        await ended
        await visited
        assert.match(said, /Successfully authenticated with MCP server 'carillon'/)
      },
      tools: async () => {
        const { child, ended } = start(
          "-m",
          "gemini-2.5-flash",
          "--approval-mode",
          "yolo",
          "-p",
          "Which accounts?"
        )
        child.stdin!.end()
        assert.deepEqual(await ended, [0, null])
        const { offered, answer } = model.heard()
        const count = offered.filter((name) => name.startsWith("mcp_carillon_")).length
        return { count, error: answer.error ?? null }
      },
      expires: () =>
        rewrite(join(home, ".gemini/mcp-oauth-tokens.json"), ([server]: Kept) => {
          assert.ok(server, "Gemini keeps no tokens where they were looked for")
          server.token.accessToken = unknownToken
          server.token.expiresAt = Date.now() - 1000
          return server.token.refreshToken
        })
    }
  }
}
