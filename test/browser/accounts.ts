// Accounts are connected in a real browser, as a person does it: each platform's consent page on the test network, the
// choice between several accounts, a refusal. SCREENSHOTS names the folder for the pictures.
import { SandboxProcess } from "@carillon/sandbox/testing"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { BrowserContext, Page } from "playwright-core"
import { launchChromium } from "@carillon/testing/Chromium"
import { type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { walks } from "@carillon/testing/Walks"

const folder = process.env["SCREENSHOTS"] ?? mkdtempSync(join(tmpdir(), "carillon-accounts-"))
mkdirSync(folder, { recursive: true })

/** Each sign-in of each network that has a page to consent on. */
const flows = new Map(
  walks
    .filter(({ typed }) => typed === undefined)
    .map(({ network: platform, signIn }) => [signIn?.login ?? platform, { platform, ...signIn }])
)

const begin = (service: ServiceProcess, platform: string, login: string | undefined, fields?: object) =>
  Effect.map(
    service.call("POST", "/v1/social-accounts/connect", {
      platform,
      ...(login === undefined ? {} : { login }),
      ...(fields === undefined ? {} : { fields })
    }),
    ({ status, body }): string => {
      assert.equal(status, 201, JSON.stringify(body))
      return body.authorize_url
    }
  )

const visit = (context: BrowserContext, address: string, decide: (page: Page) => Promise<void>) =>
  Effect.promise(async () => {
    const page = await context.newPage()
    await page.goto(address)
    const goesOn = page.getByRole("button", { name: "Continue to" })
    if (await goesOn.isVisible()) {
      await page.screenshot({ path: join(folder, "invitation.png") })
      await goesOn.click()
    }
    await decide(page)
    await page.close()
  })

const connects = Effect.fnUntraced(function* (service: ServiceProcess, context: BrowserContext) {
  for (const [name, { platform, login, fields }] of flows) {
    const username = `person-${name}`
    yield* visit(context, yield* begin(service, platform, login, fields), async (page) => {
      await page.getByRole("textbox", { name: "Account" }).fill(username)
      await page.screenshot({ path: join(folder, `${name}-consent.png`) })
      await page.getByRole("button", { name: "Allow" }).click()
      await page.getByRole("heading", { name: "The account is connected" }).waitFor()
      await page.screenshot({ path: join(folder, `${name}-connected.png`) })
    })
    const { body } = yield* service.call("GET", `/v1/social-accounts?platform=${platform}&limit=100`)
    const found = body.data.find((account: { username: string }) => account.username.startsWith(username))
    assert.equal(found?.status, "connected", `${name}: ${JSON.stringify(body.data)}`)
  }
})

/** A sign-in that opens several Pages; a person who says no; a link that somebody else opens. */
const choosesAndRefuses = Effect.fnUntraced(function* (service: ServiceProcess, context: BrowserContext) {
  yield* visit(context, yield* begin(service, "instagram", "facebook"), async (page) => {
    await page.getByRole("textbox", { name: "Account" }).fill("agency-two")
    await page.getByRole("button", { name: "Allow" }).click()
    await page.getByRole("heading", { name: "Which Instagram accounts?" }).waitFor()
    await page.screenshot({ path: join(folder, "choice.png") })
    await page.getByRole("checkbox").first().check()
    await page.getByRole("button", { name: "Connect" }).click()
    await page.getByRole("heading", { name: "The account is connected" }).waitFor()
  })
  yield* visit(context, yield* begin(service, "tiktok", undefined), async (page) => {
    await page.getByRole("button", { name: "Deny" }).click()
    await page.getByRole("heading", { level: 1 }).waitFor()
    assert.match(await page.locator("body").innerText(), /not connected|nothing was connected/i)
    await page.screenshot({ path: join(folder, "refused.png") })
  })
})

/** The end of one browser's visit, taken to another one, connects nothing. */
const isBoundToItsBrowser = Effect.fnUntraced(function* (
  service: ServiceProcess,
  context: BrowserContext,
  other: BrowserContext
) {
  let callback = ""
  yield* visit(context, yield* begin(service, "youtube", undefined), async (page) => {
    await page.getByRole("textbox", { name: "Account" }).fill("mallory")
    // The consent is given, and the browser is kept from following where it leads.
    const consented = Promise.withResolvers<string>()
    await page.route("**/*", async (route) => {
      if (route.request().method() !== "POST") return route.continue()
      const answer = await route.fetch({ maxRedirects: 0 })
      consented.resolve(answer.headers()["location"]!)
      return route.abort()
    })
    await page.getByRole("button", { name: "Allow" }).click()
    callback = await consented.promise
  })
  yield* visit(other, callback, async (page) => {
    await page.getByRole("heading", { level: 1 }).waitFor()
    assert.doesNotMatch(await page.locator("body").innerText(), /is connected/)
    await page.screenshot({ path: join(folder, "another-browser.png") })
  })
  const { body } = yield* service.call("GET", "/v1/social-accounts?platform=youtube&limit=100")
  assert.ok(!body.data.some(({ username }: { username: string }) => username === "mallory"))
})

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess.make()
      const service = yield* startService({ env: { SANDBOX_URL: sandbox.url } })
      const browser = yield* launchChromium
      const [one, two] = yield* Effect.promise(() =>
        Promise.all([browser.newContext(), browser.newContext()])
      )
      yield* connects(service, one)
      yield* choosesAndRefuses(service, one)
      yield* isBoundToItsBrowser(service, one, two)
    })
  )
)
console.log(`accounts are connected in the browser; pictures in ${folder}`)
