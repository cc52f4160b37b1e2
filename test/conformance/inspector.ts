// The whole job with the Inspector's command line, an API key, and nothing else: each step is a process of its own.
import { Effect, Schedule } from "effect"
import assert from "node:assert/strict"
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { takePort } from "@carillon/testing/FreePort"
import { callsWith } from "@carillon/testing/ServiceProcess"
import { key, startService } from "./StartedService.ts"

const run = promisify(execFile)
const inspector = "@modelcontextprotocol/inspector@2.12.0"
const repository = join(import.meta.dirname, "../..")
const folder = mkdtempSync(join(tmpdir(), "carillon-inspector-"))

const { port, stop } = await startService(join(repository, "packages/server/src/main.ts"), {
  CARILLON_SANDBOX: "on",
  SANDBOX_PORT: String(await takePort())
})

const command = `-y ${inspector} --cli http://localhost:${port}/mcp --transport http --format json`.split(" ")
const asked = [...command, "--header", `Authorization: Bearer ${key}`, "--method"]
const inspect = async (...args: ReadonlyArray<string>) => {
  const { stdout } = await run("npx", [...asked, ...args], {
    env: { ...process.env, MCP_INSPECTOR_SECRET_STORE: "memory" },
    maxBuffer: 10_000_000
  })
  return JSON.parse(stdout)
}

const call = async (name: string, args: object) => {
  const { result } = await inspect(
    "tools/call",
    "--tool-name",
    name,
    "--tool-args-json",
    JSON.stringify(args)
  )
  assert.notEqual(result.isError, true, JSON.stringify(result))
  return result.structuredContent
}

try {
  const { result } = await inspect("tools/list")
  assert.equal(result.tools.length, 20)
  const { accounts } = await call("list_accounts", { platform: "sandbox" })
  const bytes = readFileSync(join(repository, "examples/media/bells.jpg"))
  writeFileSync(join(folder, "bells.jpg"), bytes)
  const upload = await call("create_media_upload", {
    mime_type: "image/jpeg",
    size_bytes: bytes.length,
    name: "bells.jpg"
  })
  await run("bash", ["-c", upload.curl], { cwd: folder })
  const { id } = await call("complete_media_upload", { media_id: upload.media_id })
  const post = {
    social_accounts: [accounts[0].id],
    caption: "From the Inspector",
    media: [id],
    // Longer than the next process takes to start on a busy machine.
    scheduled_at: new Date(Date.now() + 30_000).toISOString()
  }
  const scheduled = await call("create_post", { ...post, idempotency_key: "inspector" })
  // A look by the Inspector costs two seconds of work: it has the last one.
  await Effect.runPromise(
    callsWith(`http://localhost:${port}`, key)
      .call("GET", `/v1/posts/${scheduled.id}`)
      .pipe(
        Effect.repeat({
          until: ({ body }) => ["published", "failed"].includes(body.status),
          schedule: Schedule.spaced("200 millis"),
          times: 1500
        })
      )
  )
  const read = await call("get_post", { post_id: scheduled.id })
  assert.equal(read.status, "published", JSON.stringify(read))
  console.log(`Inspector: published as ${read.results[0].platform_data.url}`)
} finally {
  await stop()
  rmSync(folder, { recursive: true, force: true })
}
