// The console in a real browser: sign-in, the three views of the calendar, moves by pointer, keys and dialog, clashes, its
// policy, a narrow and a wide font at up to six widths, and axe. SCREENSHOTS names the folder for pictures; CHROMIUM the browser, /usr/bin/chromium if it is not given.
import { SandboxProcess } from "@carillon/sandbox/testing"
import { launchChromium } from "@carillon/testing/Chromium"
import { ownerName, ownerPassword, welcomeLink } from "@carillon/testing/OAuthBrowser"
import { type ServiceProcess, startService } from "@carillon/testing/ServiceProcess"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { mkdirSync, mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, Page, Route } from "playwright-core"
import { accounts as accountsRoom } from "./console/accounts.ts"
import { activity } from "./console/activity.ts"
import { apps } from "./console/apps.ts"
import { composer } from "./console/composer.ts"
import { firstRun } from "./console/firstRun.ts"
import { inFonts } from "./console/fonts.ts"
import { inspectInto } from "./console/inspect.ts"
import { library, mediaField } from "./console/library.ts"
import { options } from "./console/options.ts"
import { queue, settings } from "./console/queue.ts"
import { repairs } from "./console/repairs.ts"
import { results, type Walk } from "./console/results.ts"
import { run } from "./console/run.ts"
import { tabs } from "./console/tabs.ts"
import { threads } from "./console/threads.ts"
import { toast } from "./console/toast.ts"
import { undated } from "./console/undated.ts"

const folder = process.env["SCREENSHOTS"] ?? mkdtempSync(join(tmpdir(), "carillon-console-"))
mkdirSync(folder, { recursive: true })

/** CONSOLE_WALKS=some: the calendar, the composer, every room in a font at each of two widths, and the first run. */
const allRooms = process.env["CONSOLE_WALKS"] !== "some"

const screens = {
  desk: { viewport: { width: 1280, height: 860 } },
  dark: { viewport: { width: 1280, height: 860 }, colorScheme: "dark" as const },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }
}

const texts = [
  "Advent opens on the square",
  "Rye and walnut, back for the winter",
  "Bells at dusk, every evening until Christmas",
  "The last tickets for tomorrow",
  "Saturday market is open"
]

/** Posts of a month far from now, so that all of its days are to come. Some have a picture. */
const fill = async (service: ServiceProcess, accounts: ReadonlyArray<{ id: number; platform: string }>) => {
  const picture = await run(
    service.upload(
      readFileSync(new URL("../../examples/media/bells.jpg", import.meta.url)),
      "image/jpeg",
      "bells.jpg"
    )
  )
  const taking = accounts.filter(({ platform }) =>
    ["sandbox", "instagram", "bluesky", "tiktok"].includes(platform)
  )
  const days = ["02", "03", "03", "04", "04", "04", "04", "04", "11", "18", "24"]
  for (const [index, day] of days.entries()) {
    const illustrated = index % 2 === 0
    const { body, status } = await run(
      service.call("POST", "/v1/posts", {
        social_accounts: taking
          .filter(({ platform }) => illustrated || platform === "sandbox")
          .slice(0, (index % 4) + 1)
          .map(({ id }) => id),
        caption: texts[index % texts.length],
        media: illustrated ? [picture] : [],
        scheduled_at: `2030-12-${day}T${String(8 + index).padStart(2, "0")}:00[Europe/Paris]`
      })
    )
    assert.equal(status, 201, JSON.stringify(body))
  }
}

const inspect = inspectInto(folder)

const tile = (page: Page, id: string) => page.locator(`[data-post="${id}"]`)

const scheduledAt = async (service: ServiceProcess, id: string): Promise<string> =>
  (await run(service.call("GET", `/v1/posts/${id}`))).body.scheduled_at

const create = async (service: ServiceProcess, account: number, caption: string, scheduled_at: string) =>
  (await run(service.call("POST", "/v1/posts", { social_accounts: [account], caption, scheduled_at }))).body
    .id as string

const moves = async (service: ServiceProcess, page: Page, account: number) => {
  const at = (day: string, time: string) => `${day}T${time}[Europe/Paris]`
  const carried = await create(service, account, "The one that moves", at("2030-12-12", "18:00"))
  await page.goto(`${service.url}/app?view=month&date=2030-12-12`)

  // By pointer: the day changes, the clock stays.
  await tile(page, carried).dragTo(page.locator('[data-cell][data-day="2030-12-14"]'))
  await toast(page, "Moved to Sat 14 Dec, 18:00").waitFor()
  assert.equal(await scheduledAt(service, carried), "2030-12-14T17:00:00.000Z")
  await page.screenshot({ path: join(folder, "moved.png") })
  await page.getByRole("button", { name: "Undo" }).click()
  await toast(page, "Moved back").waitFor()
  assert.equal(await scheduledAt(service, carried), "2030-12-12T17:00:00.000Z")

  // By keys: a day to the right, a week down, and back with the key for undoing.
  await tile(page, carried).focus()
  for (const key of ["m", "ArrowRight", "ArrowDown"]) await page.keyboard.press(key)
  await page.locator('[data-cell][data-day="2030-12-20"] .place').waitFor()
  await page.screenshot({ path: join(folder, "carried.png") })
  await page.keyboard.press("Enter")
  await toast(page, "Moved to Fri 20 Dec, 18:00").waitFor()
  assert.equal(await scheduledAt(service, carried), "2030-12-20T17:00:00.000Z")
  await page.locator('[data-day="2030-12-20"][data-post]').and(page.locator(":focus")).waitFor()
  await page.keyboard.press("Control+z")
  await toast(page, "Moved back").last().waitFor()
  await page.locator(`[data-day="2030-12-12"][data-post="${carried}"]`).waitFor()
  assert.equal(await scheduledAt(service, carried), "2030-12-12T17:00:00.000Z")

  // Picked up and left.
  await tile(page, carried).focus()
  for (const key of ["m", "ArrowRight", "Escape"]) await page.keyboard.press(key)
  await page.locator(".place").waitFor({ state: "detached" })

  // By dialog.
  await tile(page, carried).click()
  await page.getByRole("button", { name: "Move to…" }).click()
  await page.getByLabel("Day, Paris time").fill("2020-12-15T07:30")
  await page.getByText("This time has passed").waitFor()
  await page.getByLabel("Day, Paris time").fill("2030-12-15T07:30")
  await page.screenshot({ path: join(folder, "move-dialog.png") })
  await page.getByRole("button", { name: "Move", exact: true }).click()
  await toast(page, "Moved to Sun 15 Dec, 07:30").waitFor()
  assert.equal(await scheduledAt(service, carried), "2030-12-15T06:30:00.000Z")

  // Somebody else changes it in between: nothing is moved until the person says so.
  // A page that asks for nothing any more: an answer under way could bring the change to it.
  await page.reload()
  await tile(page, carried).waitFor()
  const held: Array<Route> = []
  await page.route("**/v1/posts/calendar**", (route) => void held.push(route))
  await run(service.call("PATCH", `/v1/posts/${carried}`, { caption: "The one that somebody changed" }))
  await tile(page, carried).dragTo(page.locator('[data-cell][data-day="2030-12-16"]'))
  await toast(page, "Not moved: The service’s own key changed it at").waitFor()
  assert.equal(await scheduledAt(service, carried), "2030-12-15T06:30:00.000Z")
  for (const route of held) await route.continue()
  await page.unrouteAll({ behavior: "wait" })
  await page.getByRole("button", { name: "Move it anyway" }).click()
  await toast(page, "Moved to Mon 16 Dec, 07:30").waitFor()
  assert.equal(await scheduledAt(service, carried), "2030-12-16T06:30:00.000Z")
  await page.getByText("The one that somebody changed").first().waitFor()

  // Without a connection it goes back, and can be tried again.
  await page.route("**/v1/posts/*", (route) =>
    route.request().method() === "PATCH" ? route.abort() : route.continue()
  )
  await tile(page, carried).dragTo(page.locator('[data-cell][data-day="2030-12-17"]'))
  await toast(page, "Not moved: no connection").waitFor()
  await page.locator(`[data-day="2030-12-16"][data-post="${carried}"]`).waitFor()
  await page.unroute("**/v1/posts/*")
  await page.getByRole("button", { name: "Try again" }).click()
  await toast(page, "Moved to Tue 17 Dec, 07:30").waitFor()

  // In the week, by quarters of an hour.
  await page.goto(`${service.url}/app?view=week&date=2030-12-17`)
  await tile(page, carried).focus()
  for (const key of ["m", "ArrowDown", "ArrowDown", "ArrowRight", "Enter"]) await page.keyboard.press(key)
  await toast(page, "Moved to Wed 18 Dec, 08:00").waitFor()
  assert.equal(await scheduledAt(service, carried), "2030-12-18T07:00:00.000Z")
  const friday = (await page.locator('[data-cell][data-day="2030-12-20"]').boundingBox())!
  const from = (await tile(page, carried).boundingBox())!
  await page.mouse.move(from.x + 8, from.y + 8)
  await page.mouse.down()
  await page.mouse.move(friday.x + 20, from.y + 8 + 43, { steps: 5 })
  await page.mouse.move(friday.x + 24, from.y + 8 + 43 * 2, { steps: 5 })
  await page.mouse.up()
  await toast(page, "Moved to Fri 20 Dec, 10:00").waitFor()
  assert.equal(await scheduledAt(service, carried), "2030-12-20T09:00:00.000Z")

  // Over the night in which the clocks change, the clock on the wall stays.
  const spring = await create(service, account, "Summer time begins", at("2030-03-30", "12:00"))
  await page.goto(`${service.url}/app?view=month&date=2030-03-30`)
  await tile(page, spring).focus()
  for (const key of ["m", "ArrowRight", "Enter"]) await page.keyboard.press(key)
  await toast(page, "Moved to Sun 31 Mar, 12:00").waitFor()
  assert.equal(await scheduledAt(service, spring), "2030-03-31T10:00:00.000Z")

  // Deleting asks, and the safe answer has the focus.
  await tile(page, spring).click()
  await page.getByRole("button", { name: "Delete…" }).click()
  await page.getByRole("button", { name: "Keep it" }).and(page.locator(":focus")).waitFor()
  await page.getByRole("button", { name: "Delete", exact: true }).click()
  await tile(page, spring).waitFor({ state: "detached" })
}

const walk = async (service: ServiceProcess, network: SandboxProcess["Service"], browser: Browser) => {
  const accounts = (await run(service.call("GET", "/v1/social-accounts"))).body.data
  await fill(service, accounts)
  // The first visit chooses the browser's zone for the workspace.
  const context = await browser.newContext({ ...screens.desk, timezoneId: "Europe/Paris" })
  const complaints: Array<string> = []
  context.on("console", (message) => {
    // That a request was refused, or cut off by this test, is no complaint about the page.
    if (
      ["error", "warning"].includes(message.type()) &&
      !message.text().startsWith("Failed to load resource")
    )
      complaints.push(message.text())
  })
  context.on("weberror", (error) => complaints.push(error.error().message))
  context.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== service.url)
      complaints.push(`asked ${request.url()}`)
  })
  const page = await context.newPage()
  await page.goto(welcomeLink(service))
  await page.getByRole("textbox", { name: "Name" }).fill(ownerName)
  await page.getByLabel("Password").fill(ownerPassword)
  await page.keyboard.press("Enter")
  // Where the console is still being built, its page comes by itself, and a busy machine takes its time.
  await page.getByRole("grid", { name: "Calendar" }).waitFor({ timeout: 600_000 })
  assert.equal(await page.title(), "Calendar – Carillon")

  const { id: sandbox } = accounts.find(({ platform }: { platform: string }) => platform === "sandbox")
  await moves(service, page, sandbox).catch(async (cause) => {
    await page.screenshot({ path: join(folder, "failed.png") })
    throw new Error(`moves; the page is ${folder}/failed.png; ${complaints.join()}`, { cause })
  })
  if (allRooms) {
    await queue(page, service, sandbox, inspect)
    await settings(page, service)
    await library(page, service, sandbox, inspect)
    await mediaField(page, service, inspect)
  }
  const cookies = await context.cookies()
  const onEachScreen: Walk["onEachScreen"] = async (visit) => {
    for (const [screen, options] of Object.entries(screens)) {
      const seen = await browser.newContext(options)
      await seen.addCookies(cookies)
      await visit(await seen.newPage(), screen)
      await seen.close()
    }
  }
  const rest: Walk = { page, service, sandbox: network, inspect, onEachScreen }
  await undated(rest, sandbox)
  if (allRooms) {
    await results(rest)
    await repairs(rest)
    await activity(rest)
    await threads(rest)
  }
  await composer({ browser, cookies, service, screens, inspect })
  if (allRooms) await options(rest)
  for (const [screen, options] of Object.entries(screens)) {
    const seen = await browser.newContext(options)
    await seen.addCookies(cookies)
    const look = await seen.newPage()
    for (const view of ["month", "week", "agenda"]) {
      await look.goto(`${service.url}/app?view=${view}&date=2030-12-04`)
      await look.locator("[data-post]").first().waitFor()
      await inspect(look, `${view}-${screen}`)
    }
    await look.goto(`${service.url}/app?view=agenda&date=2031-12-04&status=failed`)
    await look.getByText("No post matches these filters").waitFor()
    await inspect(look, `empty-${screen}`)
    if (!allRooms) {
      await seen.close()
      continue
    }
    await look.goto(`${service.url}/app/library`)
    await look.locator("[data-file] img").first().waitFor()
    await look.waitForLoadState("networkidle")
    await inspect(look, `library-${screen}`)
    await look.locator("[data-file]").filter({ hasText: "tower.jpg" }).last().click()
    await look.locator(".drawer").getByText("Fits").waitFor()
    await inspect(look, `library-file-${screen}`)
    await look.goto(`${service.url}/app/queue`)
    await look.locator(".slot-card").first().waitFor()
    await inspect(look, `queue-${screen}`)
    await look.goto(`${service.url}/app/settings`)
    await look.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor()
    await inspect(look, `settings-${screen}`)
    await seen.close()
  }
  if (allRooms) {
    await accountsRoom({ browser, cookies, service, sandbox: network, screens, inspect })
    // Another app than before: the network's accounts have to be connected again.
    await apps(rest)
  }
  const pictures = process.env["SCREENSHOTS"]
  await inFonts({ browser, cookies, pictures, sandbox: network, service })
  await tabs({ page, service }, sandbox)
  assert.deepEqual(complaints, [])

  // A session that ended elsewhere leads to the sign-in, and back to the same place.
  await page.goto(`${service.url}/app?view=week&date=2030-12-17`)
  await page.getByRole("grid", { name: "Calendar" }).waitFor()
  // What is still being read would lead to the sign-in before the next week is asked for.
  await page.waitForLoadState("networkidle")
  await context.clearCookies()
  // Something that is asked by itself may find out first.
  const left = page.waitForURL(/\/sign-in/)
  await Promise.race([page.getByRole("button", { name: "Next week" }).click(), left])
  await page.getByLabel("Password").waitFor()
  await page.getByLabel("Name").fill(ownerName)
  await page.getByLabel("Password").fill(ownerPassword)
  await page.keyboard.press("Enter")
  await page.waitForURL(/\/app.*2030-12-(17|24)/)
  await context.close()
}

/** The moves again where the page is no secure context. */
const plainly = async (service: ServiceProcess, browser: Browser) => {
  await run(service.call("PATCH", "/v1/profile", { timezone: "Europe/Paris" }))
  const { body } = await run(
    service.call("POST", "/v1/social-accounts", {
      platform: "sandbox",
      credentials: { username: "choir", password: "sandbox" }
    })
  )
  const context = await browser.newContext(screens.desk)
  const page = await context.newPage()
  await page.goto(`${service.url}/sign-in`)
  await page.getByLabel("Name").fill(ownerName)
  await page.getByLabel("Password").fill(ownerPassword)
  await page.keyboard.press("Enter")
  await page.waitForURL(/\/app/)
  assert.equal(await page.evaluate("isSecureContext"), false)
  await moves(service, page, body.id)
  await context.close()
}

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const sandbox = yield* SandboxProcess.make()
      const service = yield* startService({
        env: { SANDBOX_URL: sandbox.url, PLATFORMS_URL: sandbox.url, CARILLON_CONSOLE: "on" }
      })
      yield* service.call("PATCH", "/v1/profile", { timezone: "Europe/Paris" })
      for (const username of ["north", "stall", "choir"]) {
        yield* service.call("POST", "/v1/social-accounts", {
          platform: "sandbox",
          credentials: { username, password: "sandbox" }
        })
      }
      const browser = yield* launchChromium
      yield* Effect.promise(() => walk(service, sandbox, browser))
      // Plain http at a name: no secure context, in which a browser has less to offer.
      const fresh = yield* startService({
        host: "carillon.test",
        env: { SANDBOX_URL: sandbox.url, CARILLON_CONSOLE: "on" }
      })
      const plain = { ...fresh, url: fresh.publicUrl }
      yield* Effect.promise(() => firstRun({ browser, service: plain, screens, inspect }))
      if (allRooms) yield* Effect.promise(() => plainly(plain, browser))
    })
  )
)
console.log(`the console holds; its pictures are in ${folder}`)
