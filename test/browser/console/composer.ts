import { ownerName, ownerPassword } from "@carillon/testing/OAuthBrowser"
import type { ServiceProcess } from "@carillon/testing/ServiceProcess"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import type { Browser, BrowserContext, BrowserContextOptions, Cookie, Page } from "playwright-core"
import { toast } from "./toast.ts"

interface Walk {
  readonly browser: Browser
  readonly cookies: ReadonlyArray<Cookie>
  readonly service: ServiceProcess
  readonly screens: Readonly<Record<string, BrowserContextOptions>>
  /** A picture, axe, and no sideways scroll. */
  readonly inspect: (page: Page, name: string) => Promise<void>
}

const call = async (service: ServiceProcess, method: string, path: string, body?: unknown) =>
  (await Effect.runPromise(service.call(method, path, body))).body

const bells = readFileSync(new URL("../../../examples/media/bells.jpg", import.meta.url))

const chip = (page: Page, name: string) => page.locator(".account-chip").filter({ hasText: `@${name}` })

/** One of the chips, or of the menu where there are too many for chips. */
const choose = async (page: Page, name: string) => {
  await page.locator(".account-chip").first().waitFor()
  if ((await chip(page, name).count()) > 0) return chip(page, name).click()
  await page.getByRole("button", { name: /^\d+ more$/ }).click()
  await page.getByRole("menuitemcheckbox", { name: `@${name} ` }).click()
  await page.keyboard.press("Escape")
  await chip(page, name).waitFor()
}

const writing = (page: Page) => page.locator("textarea.writing")

const saved = (page: Page) => page.locator(".saved").filter({ hasText: "Saved" })

const idAt = (page: Page) => /\/posts\/([0-9a-f-]+)/.exec(page.url())![1]!

const opened = async ({ browser, cookies, screens }: Walk, screen: string) => {
  const context = await browser.newContext(screens[screen]!)
  await context.addCookies([...cookies])
  return { context, page: await context.newPage() }
}

/** From the calendar to a planned post, and back to a draft, without a pointer. */
const byKeys = async ({ service }: Walk, page: Page) => {
  const { data: accounts } = await call(service, "GET", "/v1/social-accounts?platform=sandbox&username=north")
  // The account that the calendar is filtered by is the one that is written for.
  await page.goto(`${service.url}/app?view=month&date=2030-12-04&account=${accounts[0].id}`)
  await page.locator('[data-cell][data-day="2030-12-06"]').focus()
  await page.keyboard.press("n")
  await chip(page, "north").waitFor()
  const tabTo = async (selector: string) => {
    for (let steps = 0; steps < 60; steps++) {
      if (await page.locator(selector).and(page.locator(":focus")).count()) return
      await page.keyboard.press("Tab")
    }
    assert.fail(`Tab does not reach ${selector}`)
  }
  await tabTo('.account-chip[aria-pressed="true"]:has-text("@north")')
  await tabTo("textarea.writing")
  await page.keyboard.type("By keys alone")
  await tabTo("input.time")
  assert.equal(await page.locator("input.time").inputValue(), "2030-12-06T09:00")
  await page.keyboard.press("Control+Enter")
  await toast(page, "Scheduled for Fri 6 Dec, 09:00").waitFor()
  await page.getByRole("grid", { name: "Calendar" }).waitFor()
  const { data } = await call(service, "GET", "/v1/posts?q=By%20keys%20alone")
  assert.equal(data.length, 1, "one post, not a draft and a post")
  assert.equal(data[0].scheduled_at, "2030-12-06T08:00:00.000Z")
  await page.getByRole("button", { name: "Undo" }).click()
  await toast(page, "It is a draft again").waitFor()
  assert.equal((await call(service, "GET", `/v1/posts/${data[0].id}`)).status, "draft")
}

/** An address that names accounts is no draft yet: that begins with what the person writes. */
const untouched = async ({ service }: Walk, page: Page) => {
  const { data: accounts } = await call(service, "GET", "/v1/social-accounts?platform=sandbox&username=north")
  const made: Array<string> = []
  page.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/v1/posts")) made.push(request.postData()!)
  })
  await page.clock.install()
  await page.goto(`${service.url}/app/compose?accounts=${accounts[0].id}`)
  await chip(page, "north").and(page.locator('[aria-pressed="true"]')).waitFor()
  await page.clock.fastForward(10_000)
  await writing(page).fill("Begun by a person")
  await saved(page).waitFor()
  assert.deepEqual(
    made.map((body) => JSON.parse(body).caption),
    ["Begun by a person"]
  )
  await call(service, "DELETE", `/v1/posts/${idAt(page)}`)
}

/** Three accounts, one with its own text, at once. */
const atOnce = async ({ service }: Walk, page: Page) => {
  await page.goto(`${service.url}/app/compose`)
  for (const name of ["north", "stall", "choir"]) await choose(page, name)
  await writing(page).fill("The evening bells ring at six.")
  await page.getByRole("tab", { name: "@stall", exact: true }).click()
  await page.getByRole("button", { name: "Write a separate text for @stall" }).click()
  await writing(page).fill("The stall rings too.")
  await page.getByRole("button", { name: "Now", exact: true }).click()
  await saved(page).waitFor()
  const id = idAt(page)
  await page.getByRole("button", { name: "Publish now" }).click()
  await page.locator(".composer").waitFor({ state: "detached" })
  const texts = async () =>
    (await call(service, "GET", `/v1/posts/${id}`)).results
      .filter(({ status }: { status: string }) => status === "published")
      .map(({ social_account_id }: { social_account_id: number }) => social_account_id).length
  while ((await texts()) < 3) await new Promise((resolve) => setTimeout(resolve, 100))
  const post = await call(service, "GET", `/v1/posts/${id}`)
  assert.equal(post.caption, "The evening bells ring at six.")
  assert.deepEqual(
    post.account_configurations.map(({ caption }: { caption: string }) => caption),
    ["The stall rings too."]
  )
}

/** A network and an account may have files and options of their own, and go back to the shared ones. */
const ownParts = async ({ inspect, screens, service, ...walk }: Walk, page: Page) => {
  const { data: accounts } = await call(service, "GET", "/v1/social-accounts?platform=sandbox")
  const [north, stall] = ["north", "stall"].map(
    (name) => accounts.find(({ username }: { username: string }) => username === name).id as number
  )
  const picture = await Effect.runPromise(service.upload(bells, "image/jpeg", "shared-bells.jpg"))
  await page.goto(`${service.url}/app/compose?accounts=${north},${stall}&media=${picture}`)
  await writing(page).fill("One picture for all, and another one for the stall")
  await saved(page).waitFor()
  const id = idAt(page)
  const ofStall = async () =>
    (await call(service, "GET", `/v1/posts/${id}`)).account_configurations?.find(
      ({ account_id }: { account_id: number }) => account_id === stall
    ) ?? {}
  /** Until the service has what was changed last. */
  const stored = async (holds: (entry: Record<string, unknown>) => boolean) => {
    while (!holds(await ofStall())) await new Promise((resolve) => setTimeout(resolve, 100))
    return ofStall()
  }

  await page.getByRole("tab", { name: "@stall", exact: true }).click()
  await page.locator(".inherited-media img").waitFor()
  await page.getByRole("button", { name: "Choose separate files for @stall" }).click()
  const files = page.locator(`[data-files="${stall}"]`)
  await files.locator("[data-add]").and(page.locator(":focus")).waitFor()
  await files.getByRole("button", { name: "More for shared-bells.jpg" }).click()
  await page.getByRole("menuitem", { name: "Remove" }).click()
  await stored(({ media }) => Array.isArray(media) && media.length === 0)
  await files
    .locator("input[type=file]")
    .setInputFiles({ name: "stall.jpg", mimeType: "image/jpeg", buffer: bells })
  const { media } = await stored((entry) => Array.isArray(entry["media"]) && entry["media"].length === 1)
  assert.notDeepEqual(media, [picture])
  assert.deepEqual((await call(service, "GET", `/v1/posts/${id}`)).media, [picture])

  // The network's options, and those of one of its accounts.
  await page.locator("#part-options").getByLabel("Title").fill("For both")
  await page.getByRole("button", { name: "Separate options for one account" }).click()
  await page.getByRole("menuitem", { name: "@stall" }).click()
  assert.equal(await page.locator("#part-options").getByLabel("Title").inputValue(), "For both")
  await page.locator("#part-options").getByLabel("Title").fill("For the stall")
  assert.equal((await stored(({ title }) => title === "For the stall"))["title"], "For the stall")
  await inspect(page, "compose-own")

  // The draft keeps them.
  for (const [screen, options] of Object.entries(screens)) {
    const again = await opened({ ...walk, inspect, screens, service }, screen)
    await again.page.goto(`${service.url}/app/posts/${id}`)
    await again.page.getByRole("tab", { name: "@stall own files" }).click()
    await again.page
      .locator(`[data-files="${stall}"]`)
      .getByText("stall.jpg")
      .first()
      .waitFor({
        state: options.isMobile === true ? "attached" : "visible"
      })
    await again.page.locator("#part-options").getByRole("button", { name: "@stall" }).click()
    await inspect(again.page, `compose-own-${screen}`)
    await again.context.close()
  }

  await files.getByRole("button", { name: "Use the shared files" }).click()
  await toast(page, "@stall uses the shared files again").waitFor()
  await stored((entry) => !("media" in entry))
  await toast(page, "shared files again").getByRole("button", { name: "Undo" }).click()
  assert.deepEqual((await stored((entry) => "media" in entry))["media"], media)
  await page.getByRole("button", { name: "Use the options of Test network" }).click()
  await stored((entry) => !("title" in entry))
  assert.equal(
    (await call(service, "GET", `/v1/posts/${id}`)).platform_configurations.sandbox.title,
    "For both"
  )
  await call(service, "DELETE", `/v1/posts/${id}`)
}

/** The list has what the service says, and each entry leads to where it is mended. */
const problems = async (walk: Walk, page: Page, screen: string) => {
  const { inspect, service } = walk
  const asked: Array<string> = []
  page.on("request", (request) => {
    if (request.url().endsWith("/v1/posts/validate")) asked.push(request.postData()!)
  })
  await page.goto(`${service.url}/app/compose?at=2030-12-04T18:00`)
  await page.locator(".account-chip").first().waitFor()
  await inspect(page, `compose-empty-${screen}`)
  // Nothing is chosen yet: the button says so instead of being dead.
  await page.getByRole("button", { name: /^Schedule for/ }).click()
  await page.locator(".problem-list").getByText("No account is chosen").waitFor()
  await page.keyboard.press("Escape")

  for (const name of ["north", "stall", "tiktok-demo"]) await choose(page, name)
  await writing(page).fill("b".repeat(511))
  await page.getByLabel("Title").first().fill("t".repeat(101))
  await page.getByText("511 of 500").waitFor()
  const open = page.locator(".problem-button")
  await page.locator(".problem-list").waitFor({ state: "detached" })
  await saved(page).waitFor()
  await open.click()
  await page.locator(".problem-list").getByText("and by the service").waitFor()
  await inspect(page, `compose-problems-${screen}`)

  const listed = await page.evaluate<Array<string>>(
    `[...document.querySelectorAll(".problem-list button")].map(({ dataset: { account = "", code, path } }) =>
      path + " " + code + " " + account)`
  )
  const said = await call(service, "POST", "/v1/posts/validate", JSON.parse(asked.at(-1)!))
  assert.deepEqual(
    listed.sort(),
    said.errors
      .map(
        ({ account_id, code, path }: { path: string; code: string; account_id?: number }) =>
          `${path} ${code} ${account_id ?? ""}`
      )
      .sort()
  )
  assert.ok(listed.length >= 5, listed.join("\n"))

  await page.locator('.problem-list [data-code="caption_too_long"]').first().click()
  await writing(page).and(page.locator(":focus")).waitFor()
  await open.click()
  await page.locator('.problem-list [data-path$="title"]').first().click()
  await page.getByLabel("Title").and(page.locator(":focus")).waitFor()
  const id = idAt(page)
  await writing(page).fill("Bells")
  await page.getByLabel("Title").first().fill("")
  await saved(page).waitFor()
  await inspect(page, `compose-${screen}`)
  await call(service, "DELETE", `/v1/posts/${id}`)
}

/** A tag, a mention and an emoji by the buttons below the text, which keeps the focus and what can be taken back. */
const signs = async ({ inspect, service }: Walk, page: Page, screen: string) => {
  await page.goto(`${service.url}/app/compose`)
  await writing(page).fill("Bells")
  const focused = writing(page).and(page.locator(":focus"))
  await page.getByRole("button", { name: "Add a tag" }).click()
  await focused.waitFor()
  await page.keyboard.type("advent")
  const emoji = page.getByRole("button", { name: "Add an emoji" })
  await emoji.click()
  await page.getByRole("option", { name: "Grinning face" }).and(page.locator(":focus")).waitFor()
  await inspect(page, `compose-emoji-${screen}`)
  await page.keyboard.press("Escape")
  await focused.waitFor()
  await emoji.click()
  await page.getByRole("option", { name: "Grinning face" }).and(page.locator(":focus")).waitFor()
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "Enter"]) await page.keyboard.press(key)
  await focused.waitFor()
  assert.equal(await writing(page).inputValue(), "Bells #advent👏")
  await page.keyboard.press("Control+z")
  assert.equal(await writing(page).inputValue(), "Bells #advent")
  await page.getByRole("button", { name: "Mention somebody" }).click()
  await page.keyboard.type("choir")
  assert.equal(await writing(page).inputValue(), "Bells #advent @choir")
  await writing(page).fill("")
}

/** No character is lost: offline, by a reload, or with the sign-in. */
const kept = async ({ service }: Walk, page: Page, context: BrowserContext) => {
  await page.goto(`${service.url}/app/compose`)
  // Before an account is chosen there is no draft at the service.
  await writing(page).fill("Written before any account, ünïcode 🎄 too")
  await page.reload()
  await toast(page, "is back").waitFor()
  assert.equal(await writing(page).inputValue(), "Written before any account, ünïcode 🎄 too")
  await choose(page, "north")
  await saved(page).waitFor()
  const id = idAt(page)

  await context.setOffline(true)
  await writing(page).fill("Written without a connection")
  await page.getByText("Kept in this browser").waitFor()
  await context.setOffline(false)
  await saved(page).waitFor()
  assert.equal((await call(service, "GET", `/v1/posts/${id}`)).caption, "Written without a connection")

  await context.setOffline(true)
  await writing(page).fill("Written without a connection, and more")
  await context.setOffline(false)
  await page.reload()
  await toast(page, "is back").waitFor()
  assert.equal(await writing(page).inputValue(), "Written without a connection, and more")

  const other = await context.newPage()
  await other.goto(`${service.url}/app/posts/${id}`)
  await page.getByText("open in another tab").waitFor()
  await other.goto(`${service.url}/account`)
  await page.getByText("open in another tab").waitFor({ state: "detached" })
  await other.getByRole("button", { name: "Sign out", exact: true }).click()
  await other.getByLabel("Password").waitFor()
  await other.close()
  await writing(page).fill("Written after the sign-in had ended, to the last character")
  await page.getByRole("button", { name: "Sign in and continue" }).click()
  await page.getByLabel("Name").fill(ownerName)
  await page.getByLabel("Password").fill(ownerPassword)
  await page.keyboard.press("Enter")
  await writing(page).waitFor()
  assert.equal(await writing(page).inputValue(), "Written after the sign-in had ended, to the last character")
  await saved(page).waitFor()
  assert.equal(
    (await call(service, "GET", `/v1/posts/${id}`)).caption,
    "Written after the sign-in had ended, to the last character"
  )
  return id
}

/** Somebody else changes it meanwhile: nothing is chosen for anybody. */
const clash = async ({ inspect, service }: Walk, page: Page, id: string) => {
  await call(service, "PATCH", `/v1/posts/${id}`, { caption: "The bells ring at half past six" })
  await writing(page).fill("The bells ring at six, and the choir sings")
  const dialog = page.getByRole("alertdialog")
  await dialog.getByText(/^The service’s own key changed it at \d\d:\d\d\.$/).waitFor()
  await inspect(page, "compose-clash")
  assert.equal(await dialog.locator("mark").first().innerText(), ", and the choir sings")
  await dialog.getByRole("button", { name: "Keep mine", exact: true }).click()
  await saved(page).waitFor()
  assert.equal(
    (await call(service, "GET", `/v1/posts/${id}`)).caption,
    "The bells ring at six, and the choir sings"
  )

  // A planned post is saved when it is said, and leaving asks.
  await call(service, "PATCH", `/v1/posts/${id}`, {
    scheduled_at: "2030-12-10T18:00[Europe/Paris]",
    is_draft: false
  })
  await page.goto(`${service.url}/app/posts/${id}`)
  await writing(page).fill("A planned one")
  await page.getByRole("link", { name: "Calendar" }).click()
  await page.getByRole("alertdialog").getByText("Leave without saving?").waitFor()
  await page.getByRole("button", { name: "Stay" }).click()
  await page.keyboard.press("Control+s")
  await toast(page, "Changes saved").waitFor()
  const { caption, scheduled_at } = await call(service, "GET", `/v1/posts/${id}`)
  assert.deepEqual([caption, scheduled_at], ["A planned one", "2030-12-10T17:00:00.000Z"])
}

/** Writing a post: by keys, at once, with problems, with what must not be lost, against somebody else. */
export const composer = async (walk: Walk) => {
  const { context, page } = await opened(walk, "desk")
  const fresh = await opened(walk, "desk")
  await untouched(walk, fresh.page)
  await fresh.context.close()
  await byKeys(walk, page)
  await atOnce(walk, page)
  await ownParts(walk, page)
  for (const screen of Object.keys(walk.screens)) {
    const look = await opened(walk, screen)
    await problems(walk, look.page, screen)
    await signs(walk, look.page, screen)
    await look.context.close()
  }
  await context.close()
  // A sign-in of its own, because it ends.
  const own = await walk.browser.newContext(walk.screens["desk"]!)
  const writer = await own.newPage()
  await writer.goto(`${walk.service.url}/sign-in?next=/app/`)
  await writer.getByLabel("Name").fill(ownerName)
  await writer.getByLabel("Password").fill(ownerPassword)
  await writer.keyboard.press("Enter")
  await writer.getByRole("grid", { name: "Calendar" }).waitFor()
  const id = await kept(walk, writer, own)
  await clash(walk, writer, id)
  await own.close()
}
