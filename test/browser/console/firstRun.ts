import { ownerName, ownerPassword, welcomeLink } from "@carillon/testing/OAuthBrowser"
import type { ServiceProcess } from "@carillon/testing/ServiceProcess"
import assert from "node:assert/strict"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { looks } from "./fonts.ts"
import { run } from "./run.ts"

interface Walk {
  readonly browser: Browser
  /** A service that nobody has used. */
  readonly service: ServiceProcess
  readonly screens: Readonly<Record<string, BrowserContextOptions>>
  readonly inspect: (page: Page, name: string) => Promise<void>
}

/** From the first link of a new service to a post that is out. */
export const firstRun = async ({ browser, inspect, screens, service }: Walk) => {
  const call = async (method: string, path: string, body?: unknown) =>
    (await run(service.call(method, path, body))).body
  for (const { id } of (await call("GET", "/v1/social-accounts?limit=100")).data)
    await call("DELETE", `/v1/social-accounts/${id}`)

  const context = await browser.newContext({ ...screens["desk"]!, timezoneId: "Europe/Berlin" })
  const page = await context.newPage()
  await page.goto(welcomeLink(service))
  await page.getByRole("textbox", { name: "Name" }).fill(ownerName)
  await page.getByLabel("Password").fill(ownerPassword)
  await page.getByLabel("Time zone").selectOption("UTC")
  await page.keyboard.press("Enter")
  const step = page.locator("[aria-current=step]")
  await step.filter({ hasText: "Connect an account" }).waitFor()
  for (const [screen, options] of Object.entries(screens)) {
    const seen = await browser.newContext({ ...options, timezoneId: "Europe/Berlin" })
    await seen.addCookies(await context.cookies())
    const look = await seen.newPage()
    await look.goto(`${service.url}/app`)
    await look.getByText("only you see it").waitFor()
    await inspect(look, `first-run-${screen}`)
    if (screen === "desk") assert.deepEqual(await looks(look, "first-run", process.env["SCREENSHOTS"]), [])
    await seen.close()
  }

  // The clock of this computer is the one to plan by.
  const reloaded = page.waitForEvent("load")
  await page.getByRole("button", { name: "Use Berlin time" }).click()
  await reloaded
  await step.waitFor()
  assert.equal((await call("GET", "/v1/profile")).timezone, "Europe/Berlin")
  assert.equal(await page.getByRole("button", { name: "Use Berlin time" }).count(), 0)

  // Put aside, and taken back.
  await page.getByRole("button", { name: "Hide this" }).click()
  await page.getByRole("grid", { name: "Calendar" }).waitFor()
  await page.locator(".toast").getByRole("button", { name: "Undo" }).click()

  // One press connects, and the focus goes on.
  await page.getByRole("button", { name: "Connect: Test network" }).click()
  await page.getByRole("link", { name: "Write a post" }).and(page.locator(":focus")).waitFor()
  await page.keyboard.press("Enter")
  await page.locator("textarea.writing").fill("Good morning from the bakery")
  await page.getByRole("button", { name: "Now", exact: true }).click()
  await page.getByRole("button", { name: "Publish now" }).click()
  // The button says something else before the post is sent.
  await page.waitForURL(/\/posts\//)
  await page.goto(`${service.url}/app`)
  await page.getByText("“Good morning from the bakery” is out.").waitFor()
  const there = await page.getByRole("link", { name: "See it there" }).getAttribute("href")
  assert.match(await (await fetch(there!)).text(), /Good morning from the bakery/)
  await inspect(page, "first-run-over")
  await page.getByRole("button", { name: "Go to the calendar" }).click()
  await page.getByRole("grid", { name: "Calendar" }).waitFor()

  // It does not come again: not in this browser, and not in another.
  await page.reload()
  await page.getByRole("grid", { name: "Calendar" }).waitFor()
  const other = await browser.newContext(screens["desk"]!)
  await other.addCookies(await context.cookies())
  const again = await other.newPage()
  await again.goto(`${service.url}/app`)
  await again.getByRole("grid", { name: "Calendar" }).waitFor()
  await other.close()
  await context.close()
}
