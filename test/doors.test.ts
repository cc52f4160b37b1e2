import { PlainBrowser, promised, signedInBrowser } from "@carillon/testing/OAuthBrowser"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { cheapHash, password } from "../packages/server/test/auth/CheapPassword.ts"
import { InProcessService } from "./contract/InProcessService.ts"

const name = "Olive"

/** The owner's browser, and the owner's password at the least cost. */
const aKnownBrowser = Effect.gen(function* () {
  const { run, url, words } = yield* InProcessService
  const browser = yield* promised(() => signedInBrowser({ url, output: words }))
  yield* promised(() => run((sql) => sql`update members set password_hash = ${cheapHash}`))
  return browser
})

const proofIn = (html: string) => /name="form" value="([^"]+)"/.exec(html)![1]!

const signsIn = async (browser: PlainBrowser, given: string, address: string) => {
  const { html } = await browser.visit("/sign-in")
  return browser.visit("/sign-in", {
    method: "POST",
    headers: { "x-forwarded-for": address },
    body: new URLSearchParams({ form: proofIn(html), name, password: given })
  })
}

layer(
  // Lets a test come from several addresses.
  InProcessService.layer({ TRUSTED_PROXIES: "127.0.0.1/32" }),
  { excludeTestServices: true, timeout: "180 seconds" }
)("a stranger at the doors", (it) => {
  it.effect("shuts the owner out of other people's browsers, and neither of their own nor of a session", () =>
    Effect.gen(function* () {
      const { url, workspace } = yield* InProcessService
      const browser = yield* aKnownBrowser
      const known = yield* aKnownBrowser
      yield* promised(async () => {
        await known.post("/sign-out", (await known.visit("/account")).html, [])
        const stranger = new PlainBrowser(url)
        for (let guessed = 0; guessed < 51; guessed++) {
          await signsIn(stranger, "a guess of a password", `203.0.113.${guessed}`)
        }
        const refused = await signsIn(new PlainBrowser(url), password, "203.0.113.99")
        assert.strictEqual(refused.status, 429)
        const answered = await signsIn(known, password, "203.0.113.20")
        assert.strictEqual(answered.status, 303)
        const [cookie, more] = answered.headers
          .getSetCookie()
          .filter((line) => line.startsWith(`carillon_device_${new URL(url).port}=`))
        assert.isUndefined(more)
        const flags = cookie!.split("; ").slice(1)
        assert.includeMembers(flags, ["Max-Age=7776000", "Path=/", "HttpOnly", "SameSite=Lax"])
        const confirmed = await browser.visit("/v1/session/confirmation", {
          method: "PUT",
          headers: { origin: url, "content-type": "application/json", "carillon-workspace": workspace },
          body: JSON.stringify({ password })
        })
        assert.strictEqual(confirmed.status, 200, confirmed.html)
      })
    })
  )
})
