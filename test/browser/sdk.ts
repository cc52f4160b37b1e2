// The packed SDK in a page of another site: an upload, a post, a list and a cancelled call in Chromium, on localhost and on
// plain http elsewhere. CHROMIUM names the browser, /usr/bin/chromium if it is not given.
import { SandboxProcess } from "@carillon/sandbox/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { join, normalize } from "node:path"
import { listening } from "../../packages/server/test/http/TestServer.ts"
import { launchChromium } from "@carillon/testing/Chromium"
import { ownerName, ownerPassword, welcomeLink } from "@carillon/testing/OAuthBrowser"
import { freePort, startService } from "@carillon/testing/ServiceProcess"

const repository = join(import.meta.dirname, "../..")
const picture = join(repository, "examples/media/bells.jpg")
const packed = join(repository, "packages/sdk/dist/package")

/** What a developer writes in a page; `report` is given by this script. */
const program = (
  url: string,
  key: string
) => `<!doctype html><title>Someone's page</title><script type="module">
import { Carillon, ConflictError, ConnectionError, NotFoundError } from "/dist/index.js"

const carillon = new Carillon({ apiKey: ${JSON.stringify(key)}, baseUrl: ${JSON.stringify(url)}, maxRetries: 0 })
const work = async () => {
  const refused = await carillon.accounts.list().catch((error) => error)
  if (refused instanceof ConnectionError) return { refused: refused.code }
  const bells = await (await fetch("/bells.jpg")).blob()
  const progress = []
  const media = await carillon.media.upload(bells, { name: "bells.jpg", onProgress: (step) => progress.push(step) })
  const accounts = (await carillon.accounts.list({ platform: "sandbox" })).data.map(({ id }) => id)
  const post = await carillon.posts.create({
    social_accounts: accounts,
    caption: "From a page",
    media: [media.id],
    scheduled_at: "2100-01-01T09:00:00Z"
  })
  const changed = await carillon.posts.update(post.id, { caption: "Mended" }, { ifMatch: post })
  const stale = await carillon.posts.update(post.id, { caption: "Late" }, { ifMatch: post }).catch((error) => error)
  for (let made = 0; made < 3; made++)
    await carillon.posts.create({ social_accounts: accounts, caption: String(made), is_draft: true })
  const page = await carillon.posts.list({ limit: 2 })
  let all = 0
  for await (const _ of carillon.posts.list({ limit: 2 })) all++
  const missing = await carillon.posts.get("nothing").catch((error) => error)
  const controller = new AbortController()
  const given = carillon.media.upload(new Blob([new Uint8Array(50_000_000)], { type: "image/png" }), {
    signal: controller.signal,
    onReserved: () => controller.abort(new Error("enough"))
  })
  const cancelled = await given.catch((error) => error)
  return {
    isSecureContext,
    progress,
    size: media.size_bytes,
    caption: changed.caption,
    isStale: stale instanceof ConflictError && stale.code,
    page: page.data.length,
    total: page.meta.total,
    all,
    missing: missing instanceof NotFoundError && missing.requestId,
    cancelled: cancelled.message
  }
}
work().then(report, (error) => report({ failed: String(error) + JSON.stringify(error) }))
</script>`

/** What a page of the service itself does. */
const memberProgram = (workspace: string) => `
import { Carillon } from "/test/dist/index.js"

const work = async () => {
  const carillon = new Carillon({ session: { workspaceId: ${JSON.stringify(workspace)} }, maxRetries: 0 })
  const { credential } = await carillon.profile.get()
  const [account] = (await carillon.accounts.list()).data
  const post = await carillon.posts.create({ social_accounts: [account.id], caption: "From", is_draft: true })
  const { caption } = await carillon.posts.update(post.id, { caption: "From our own page" })
  const { success: deleted } = await carillon.posts.delete(post.id)
  const steps = []
  const bytes = new Blob([new Uint8Array(30_000_000)], { type: "image/png" })
  await carillon.media.upload(bytes, { name: "zeros.png", onProgress: ({ sent }) => steps.push(sent) }).catch(() => {})
  const other = new Carillon({ session: { workspaceId: "0191f0a0-0000-7000-8000-00000000dead" }, maxRetries: 0 })
  const elsewhere = await other.profile.get().catch(({ code }) => code)
  return {
    isSecureContext,
    credential: credential.type,
    caption,
    deleted,
    progress: steps.length > 2 && steps.at(-1) === bytes.size && steps.every((at, index) => index === 0 || at > steps[index - 1]),
    elsewhere
  }
}
work().then(report, (error) => report({ failed: String(error) + JSON.stringify(error) }))
`

/** A site that serves the page, the SDK as it is packed, and a picture. */
const site = (page: () => string) =>
  createServer((request, response) => {
    const path = normalize(new URL(request.url!, "http://site").pathname)
    if (path === "/") return response.writeHead(200, { "content-type": "text/html" }).end(page())
    try {
      const file = path === "/bells.jpg" ? picture : join(packed, path)
      const bytes = readFileSync(file)
      const type = path.endsWith(".js") ? "text/javascript" : "image/jpeg"
      response.writeHead(200, { "content-type": type }).end(bytes)
    } catch {
      response.writeHead(404).end()
    }
  })

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      execFileSync(process.execPath, [join(repository, "packages/sdk/pack/pack.ts")])
      let html = ""
      const { port } = yield* listening(site(() => html))
      const named = `http://localhost:${port}`
      const plain = `http://newsroom.example:${port}`
      const sandbox = yield* SandboxProcess.make()
      const service = yield* startService({
        env: { SANDBOX_URL: sandbox.url, CORS_ORIGINS: `${named},${plain}` }
      })
      yield* service.call("POST", "/v1/social-accounts", {
        platform: "sandbox",
        credentials: { username: "page", password: "sandbox" }
      })
      html = program(service.url, service.key)
      const browser = yield* launchChromium
      const visit = (origin: string) =>
        Effect.promise(async () => {
          const page = await browser.newPage()
          const reported = Promise.withResolvers<any>()
          await page.exposeFunction("report", reported.resolve)
          await page.goto(origin)
          const limit = AbortSignal.timeout(180_000)
          const late = new Promise<never>((_, reject) =>
            limit.addEventListener("abort", () => reject(new Error("the page reported nothing")))
          )
          const report = await Promise.race([reported.promise, late])
          await page.close()
          return report
        })

      const size = readFileSync(picture).length
      for (const [origin, isSecureContext, total] of [
        [named, true, 4],
        [plain, false, 8]
      ] as const) {
        const { missing, ...report } = yield* visit(origin)
        assert.match(missing ?? JSON.stringify(report), /^req_/)
        assert.deepEqual(report, {
          isSecureContext,
          progress: [
            { sent: 0, total: size },
            { sent: size, total: size }
          ],
          size,
          caption: "Mended",
          isStale: "stale_version",
          page: 2,
          total,
          all: total,
          cancelled: "enough"
        })
      }
      // The same page under a name that the operator did not give.
      assert.deepEqual(yield* visit(`http://127.0.0.1:${port}`), { refused: "connection_failed" })

      // A page of the service itself, with the session of the member who signed in there.
      for (const name of ["localhost", "carillon.test"]) {
        const port = yield* freePort
        const url = `http://${name}:${port}`
        const own = yield* startService({
          env: { SANDBOX_URL: sandbox.url, PORT: String(port), PUBLIC_URL: url, CARILLON_SANDBOX: "on" }
        })
        const asked = yield* Effect.promise(() =>
          fetch(`http://127.0.0.1:${port}/v1/profile`, { headers: { authorization: `Bearer ${own.key}` } })
        )
        const { id } = (yield* Effect.promise(() => asked.json())) as { readonly id: string }
        const report = yield* Effect.promise(async () => {
          // Scripts that are not the page's own may run in it.
          const page = await (await browser.newContext({ bypassCSP: true })).newPage()
          await page.goto(welcomeLink(own))
          await page.getByRole("textbox", { name: "Name" }).fill(ownerName)
          await page.getByLabel("Password").fill(ownerPassword)
          await page.getByRole("button").click()
          await page.waitForURL(/account/)
          await page.route(`${url}/test/**`, (route) => {
            const path = new URL(route.request().url()).pathname.slice("/test".length)
            return route.fulfill({ contentType: "text/javascript", body: readFileSync(join(packed, path)) })
          })
          const reported = Promise.withResolvers<any>()
          await page.exposeFunction("report", reported.resolve)
          await page.addScriptTag({ type: "module", content: memberProgram(id) })
          return reported.promise
        })
        assert.deepEqual(report, {
          isSecureContext: name === "localhost",
          credential: "session",
          caption: "From our own page",
          deleted: true,
          progress: true,
          elsewhere: "workspace_not_found"
        })
      }
    })
  )
)
console.log("the SDK works in a page")
