import { walks } from "@carillon/testing/Walks"
import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { describe } from "vitest"
import { test as base } from "./test.ts"

/** Each sign-in of each network that has a page to consent on. */
const flows = new Map(
  walks
    .filter(({ typed }) => typed === undefined)
    .map(({ network: platform, signIn }) => [signIn?.login ?? platform, { platform, ...signIn }])
)

/** A page on which a sign-in has begun, past the one that says who asks. */
const test = base.extend("begin", ({ open, room: { call } }) => async (connection: object): Promise<Page> => {
  const page = await open()
  await page.goto((await call("POST", "/v1/social-accounts/connect", connection)).authorize_url)
  const goesOn = page.getByRole("button", { name: "Continue to" })
  if (await goesOn.isVisible()) await goesOn.click()
  return page
})

const allow = async (page: Page, username: string) => {
  await page.getByRole("textbox", { name: "Account" }).fill(username)
  await page.getByRole("button", { name: "Allow" }).click()
}

describe("a sign-in outside the console", () => {
  test("connects an account of each network", async ({ begin, room: { call } }) => {
    for (const [name, { fields, login, platform }] of flows) {
      const page = await begin({ platform, login, fields })
      await allow(page, `person-${name}`)
      await page.getByRole("heading", { name: "The account is connected" }).waitFor()
      await page.context().close()
      const { data } = await call("GET", `/v1/social-accounts?platform=${platform}&limit=100`)
      const found = data.find(({ username }: { username: string }) => username.startsWith(`person-${name}`))
      assert.equal(found?.status, "connected", `${name}: ${JSON.stringify(data)}`)
    }
  })

  test("lets the person choose among several accounts", async ({ begin }) => {
    const page = await begin({ platform: "instagram", login: "facebook" })
    await allow(page, "agency-two")
    await page.getByRole("heading", { name: "Which Instagram accounts?" }).waitFor()
    await page.getByRole("checkbox").first().check()
    await page.getByRole("button", { name: "Connect" }).click()
    await page.getByRole("heading", { name: "The account is connected" }).waitFor()
  })

  test("connects nothing for a person who says no", async ({ begin }) => {
    const page = await begin({ platform: "tiktok" })
    await page.getByRole("button", { name: "Deny" }).click()
    await page.getByRole("heading", { level: 1 }).waitFor()
    assert.match(await page.locator("body").innerText(), /not connected|nothing was connected/i)
  })

  test("connects nothing where another browser takes it to its end", async ({
    begin,
    open,
    room: { call }
  }) => {
    const page = await begin({ platform: "youtube" })
    // The consent is given, and the browser is kept from following where it leads.
    const consented = Promise.withResolvers<string>()
    await page.route("**/*", async (route) => {
      if (route.request().method() !== "POST") return route.continue()
      const answer = await route.fetch({ maxRedirects: 0 })
      consented.resolve(answer.headers()["location"]!)
      return route.abort()
    })
    await allow(page, "mallory")
    const other = await open()
    await other.goto(await consented.promise)
    await other.getByRole("heading", { level: 1 }).waitFor()
    assert.doesNotMatch(await other.locator("body").innerText(), /is connected/)
    const { data } = await call("GET", "/v1/social-accounts?platform=youtube&limit=100")
    assert.ok(!data.some(({ username }: { username: string }) => username === "mallory"))
  })
})
