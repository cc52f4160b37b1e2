// A person chooses in the console among the accounts that one sign-in opens: two, and sixty, by pointer and by keys, at three
// screens. SCREENSHOTS names the folder for the pictures.
import { SandboxProcess } from "@carillon/sandbox/testing"
import { launchChromium } from "@carillon/testing/Chromium"
import { ownerName, ownerPassword, welcomeLink } from "@carillon/testing/OAuthBrowser"
import { type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { inspectInto } from "./console/inspect.ts"
import { run } from "./console/run.ts"
import { toast } from "./console/toast.ts"

const folder = process.env["SCREENSHOTS"] ?? mkdtempSync(join(tmpdir(), "carillon-choosing-"))
mkdirSync(folder, { recursive: true })
const inspect = inspectInto(folder)

const screens = {
  desk: { viewport: { width: 1280, height: 860 } },
  dark: { viewport: { width: 1280, height: 860 }, colorScheme: "dark" as const },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
}

/** Goes on from the dialog to the test network's Facebook, and comes back with what this sign-in opens. */
const signIn = async (page: Page, username: string) => {
  await page.getByRole("button", { name: "A Facebook Page" }).click()
  await page.getByRole("button", { name: "Go to Facebook" }).click()
  await page.getByRole("button", { name: "Continue to" }).click()
  await page.getByRole("textbox", { name: "Account" }).fill(username)
  await page.getByRole("button", { name: "Allow" }).click()
}

const begin = async (service: ServiceProcess, page: Page, username: string) => {
  await page.goto(`${service.url}/app/accounts?connect=instagram`)
  await signIn(page, username)
  await page.getByRole("dialog", { name: "Choose Instagram accounts" }).waitFor()
}

const connectedTo = async (service: ServiceProcess, text: string) =>
  (await run(service.call("GET", `/v1/social-accounts?platform=instagram&limit=100&q=${text}`))).body
    .data as ReadonlyArray<{ readonly id: number; readonly username: string }>

const choosesOfTwo = async (service: ServiceProcess, page: Page) => {
  await begin(service, page, "bakery-two")
  // Nothing is connected yet.
  assert.equal(await toast(page, "Connected").count(), 0)
  const dialog = page.getByRole("dialog")
  assert.equal(await dialog.getByRole("searchbox").count(), 0)
  await dialog.getByRole("checkbox", { name: "@bakery-two" }).and(page.locator(":focus")).waitFor()
  await inspect(page, "two")
  await page.keyboard.press("Enter")
  await dialog.getByRole("alert").filter({ hasText: "Choose at least one account." }).waitFor()
  await inspect(page, "none-chosen")
  // Opened again, the page still has the choice.
  await page.reload()
  await dialog.getByRole("checkbox", { name: "@bakery-two" }).waitFor()
  for (const key of ["Tab", "Space", "Enter"]) await page.keyboard.press(key)
  await toast(page, "Connected @bakery-shop").waitFor()
  assert.equal(page.url(), `${service.url}/app/accounts`)
  assert.deepEqual(
    (await connectedTo(service, "bakery-")).map(({ username }) => username),
    ["bakery-shop"]
  )
}

const choosesOfSixty = async (service: ServiceProcess, page: Page) => {
  await begin(service, page, "agency-sixty")
  const dialog = page.getByRole("dialog")
  const search = dialog.getByRole("searchbox", { name: "Search accounts" })
  await search.and(page.locator(":focus")).waitFor()
  assert.equal(await dialog.getByRole("checkbox").count(), 61)
  await inspect(page, "sixty")
  await page.keyboard.type("branch-5")
  // Enter in the search connects nothing.
  await page.keyboard.press("Enter")
  await dialog.getByRole("checkbox", { name: "All 11 that match" }).check()
  await dialog.getByText("11 of 60 chosen").waitFor()
  await inspect(page, "searched")
  await dialog.getByRole("checkbox", { name: "@agency-branch-50" }).uncheck()
  await search.fill("nobody")
  await dialog.getByText("No account matches “nobody”").waitFor()
  await inspect(page, "no-match")
  await search.fill("")
  await dialog.getByRole("checkbox", { name: "@agency-sixty" }).check()
  await dialog.getByRole("button", { name: "Connect 11 accounts" }).click()
  await toast(page, "Connected 11 accounts").waitFor()
  const connected = await connectedTo(service, "agency-")
  assert.equal(connected.length, 11)

  // Those that are connected are marked and ticked, and keep their ids.
  await begin(service, page, "agency-sixty")
  await dialog.getByText("11 of 60 chosen").waitFor()
  assert.equal(await dialog.getByText("Connected already").count(), 11)
  await search.fill("branch-5")
  await inspect(page, "marked")
  await search.fill("branch-6")
  await dialog.getByRole("checkbox", { name: "All 2 that match" }).check()
  await dialog.getByRole("button", { name: "Connect 13 accounts" }).click()
  await toast(page, "Connected 13 accounts").waitFor()
  const now = await connectedTo(service, "agency-")
  assert.deepEqual(
    connected.filter(({ id }) => !now.some((one) => one.id === id)),
    []
  )
  assert.equal(now.length, 13)
}

/** A reconnection takes its account, and offers the others only if that is asked. */
const reconnects = async (service: ServiceProcess, page: Page) => {
  const [shop] = await connectedTo(service, "bakery-shop")
  await page.goto(`${service.url}/app/accounts?reconnect=${shop!.id}`)
  await signIn(page, "bakery-two")
  await toast(page, "Reconnected @bakery-shop").waitFor()
  assert.equal((await connectedTo(service, "bakery-")).length, 1)
  await page.goto(`${service.url}/app/accounts?reconnect=${shop!.id}`)
  await page.getByText("Offer the other accounts of this sign-in too").click()
  await inspect(page, "reconnect")
  await signIn(page, "bakery-two")
  const dialog = page.getByRole("dialog", { name: "Choose Instagram accounts" })
  await dialog.getByRole("checkbox", { name: "@bakery-shop", checked: true }).waitFor()
  await dialog.getByRole("checkbox", { name: "@bakery-two", checked: false }).waitFor()
  await dialog.getByRole("button", { name: "Cancel" }).click()
  await dialog.waitFor({ state: "detached" })
  assert.equal((await connectedTo(service, "bakery-")).length, 1)
}

const looks = async (service: ServiceProcess, browser: Browser, page: Page) => {
  await begin(service, page, "look-sixty")
  const open = page.url()
  const cookies = await page.context().cookies()
  for (const [screen, options] of Object.entries(screens)) {
    const context = await browser.newContext(options)
    await context.addCookies(cookies)
    const look = await context.newPage()
    await look.goto(open)
    await look.getByRole("checkbox", { name: "@look-branch-2" }).first().waitFor()
    await inspect(look, `sixty-${screen}`)
    await look.goto(open.replace(/pending=[^&]*/, "pending=0191f0a0-0000-7000-8000-00000000dead"))
    await look.getByText("This choice has ended").waitFor()
    await inspect(look, `gone-${screen}`)
    await context.close()
  }
}

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess.make()
      const service = yield* startService({
        env: { SANDBOX_URL: sandbox.url, PLATFORMS_URL: sandbox.url, CARILLON_CONSOLE: "on" }
      })
      const browser = yield* launchChromium
      yield* Effect.promise(async () => {
        const context = await browser.newContext(screens.desk)
        const page = await context.newPage()
        await page.goto(welcomeLink(service))
        await page.getByRole("textbox", { name: "Name" }).fill(ownerName)
        await page.getByLabel("Password").fill(ownerPassword)
        await page.keyboard.press("Enter")
        await page.waitForURL(/\/app/)
        try {
          await choosesOfTwo(service, page)
          await choosesOfSixty(service, page)
          await reconnects(service, page)
          await looks(service, browser, page)
        } catch (cause) {
          await page.screenshot({ path: join(folder, "failed.png") })
          throw new Error(`the page is ${folder}/failed.png`, { cause })
        }
      })
    })
  )
)
console.log(`accounts are chosen in the console; pictures in ${folder}`)
