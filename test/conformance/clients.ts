// Apps that others wrote, as their makers publish them: each registers, signs in, works, comes back when its access token has expired,
// and is put out. The person is a browser without JavaScript.
import assert from "node:assert/strict"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import {
  allowsAll,
  changesApp,
  disconnectsApp,
  latestApp,
  signedInBrowser
} from "@carillon/testing/OAuthBrowser"
import { type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { codex } from "./Codex.ts"
import { gemini } from "./Gemini.ts"
import type { RealClient } from "./RealClient.ts"

const all = { count: 20, error: null }

const withClient = async (client: RealClient, service: ServiceProcess) => {
  const browser = await signedInBrowser(service)
  await client.signsIn(async (address) => fetch(await allowsAll(browser, address)))
  assert.deepEqual(await client.tools(), all)
  const first = client.expires()
  assert.deepEqual(await client.tools(), all)
  // It goes on asking for what it asked for at first.
  const app = await latestApp(browser)
  const scopes = app.scopes.filter((scope: string) => scope !== "posts:publish")
  assert.equal((await changesApp(browser, app, { scopes })).status, 200)
  assert.notEqual(client.expires(), first)
  // publish_post and retry_post need what was taken away.
  assert.deepEqual(await client.tools(), { ...all, count: all.count - 2 })
  await disconnectsApp(browser, app)
  client.expires()
  const { count, error } = await client.tools()
  assert.equal(count, 0)
  assert.match(String(error), /authorization required|not found/)
}

const clients = [codex, gemini].map((made) => ({
  ...made,
  home: mkdtempSync(join(tmpdir(), `carillon-${made.command}-`)),
  installed: promisify(execFile)("npx", ["-y", "-p", made.package, "-c", `command -v ${made.command}`]).then(
    ({ stdout }) => stdout.trim(),
    () => null
  )
}))

const withAll = async (service: ServiceProcess) => {
  for (const { name, home, installed, make, package: spec } of clients) {
    const program = await installed
    if (program === null) {
      console.log(`Skipped: the registry has no ${spec} that runs on this machine.`)
      continue
    }
    await withClient(await make(program, home, `${service.url}/mcp`), service)
    console.log(`${name}: signed in, consented to, worked, refreshed, refreshed with less, disconnected`)
  }
}

try {
  await Effect.runPromise(
    Effect.scoped(Effect.flatMap(startService(), (service) => Effect.promise(() => withAll(service))))
  )
} finally {
  for (const { home } of clients) rmSync(home, { recursive: true, force: true })
}
