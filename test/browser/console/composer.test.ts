import { ownerName, ownerPassword } from "@carillon/testing/OAuthBrowser"
import assert from "node:assert/strict"
import type { Page, Response } from "playwright-core"
import { describe } from "vitest"
import { bells } from "./bells.ts"
import { inspect } from "./inspect.ts"
import { type Screen, screens, sessionOf, test as base } from "./test.ts"
import { toast } from "./toast.ts"

const test = base
  .extend("accounts", { scope: "file", auto: true }, async ({ room: { connect, signIn } }) => {
    await signIn("tiktok", "film")
    // More than there are chips.
    for (let shop = 1; shop <= 12; shop++) await connect(`shop-${shop}`)
    return { north: await connect("north"), stall: await connect("stall"), choir: await connect("choir") }
  })
  .extend("draft", ({ accounts, room: { write } }) =>
    write({ social_accounts: [accounts.north], caption: "The bells ring at six", is_draft: true })
  )

const chip = (page: Page, name: string) => page.locator("[data-account]").filter({ hasText: `@${name}` })

/** One of the chips, or of the list where there are too many for chips, or only the chosen ones are shown. */
const choose = async (page: Page, name: string) => {
  await page.locator("[data-accounts]").waitFor()
  if ((await chip(page, name).count()) > 0) return chip(page, name).click()
  await page.getByRole("button", { name: /^\d+ more|^Choose accounts$|^To @/ }).click()
  await page.getByRole("checkbox", { name: `@${name} ` }).check()
  await page.keyboard.press("Escape")
  await page.getByRole("dialog").waitFor({ state: "detached" })
}

const writing = (page: Page) => page.locator("[data-writing]")

const options = (page: Page) => page.locator("[data-options]")

const saved = (page: Page) => page.locator("[data-saved]").filter({ hasText: "Saved" })

const tabTo = async (page: Page, selector: string) => {
  for (let steps = 0; steps < 60; steps++) {
    if (await page.locator(selector).and(page.locator(":focus")).count()) return
    await page.keyboard.press("Tab")
  }
  assert.fail(`Tab does not reach ${selector}`)
}

const idAt = (page: Page) => /\/posts\/([0-9a-f-]+)/.exec(page.url())![1]!

describe("the composer", () => {
  test("makes no draft before the person writes", async ({ accounts, page, room: { at } }) => {
    const made: Array<string> = []
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/v1/posts")) made.push(request.postData()!)
    })
    await page.clock.install()
    await page.goto(at(`/compose?accounts=${accounts.north}`))
    await chip(page, "north").and(page.locator('[aria-pressed="true"]')).waitFor()
    await page.clock.fastForward(10_000)
    await writing(page).fill("Begun by a person")
    await saved(page).waitFor()
    assert.deepEqual(
      made.map((body) => JSON.parse(body).caption),
      ["Begun by a person"]
    )
  })

  test("plans a post from the calendar, and takes it back, by keys alone", async ({
    accounts,
    page,
    room: { at, call }
  }) => {
    await call("POST", "/v1/posts", {
      social_accounts: [accounts.choir],
      caption: "The first",
      is_draft: true
    })
    // The account that the calendar is filtered by is the one that is written for.
    await page.goto(at(`?view=month&date=2030-12-04&account=${accounts.north}`))
    await page.locator('[data-cell][data-day="2030-12-06"]').focus()
    await page.keyboard.press("n")
    await chip(page, "north").waitFor()
    await tabTo(page, '[data-account][aria-pressed="true"]:has-text("@north")')
    await tabTo(page, "[data-writing]")
    await page.keyboard.type("By keys alone")
    await tabTo(page, "[data-when] button")
    await page.keyboard.press("Enter")
    const time = page.locator("[data-time]")
    await time.and(page.locator(":focus")).waitFor()
    assert.equal(await time.inputValue(), "2030-12-06T09:00")
    await page.keyboard.press("Control+Enter")
    await toast(page, "Scheduled for Fri 6 Dec, 09:00").waitFor()
    await page.getByRole("grid", { name: "Calendar" }).waitFor()
    const { data } = await call("GET", "/v1/posts?q=By%20keys%20alone")
    assert.equal(data.length, 1, "one post, not a draft and a post")
    assert.equal(data[0].scheduled_at, "2030-12-06T08:00:00.000Z")
    await page.getByRole("button", { name: "Undo" }).click()
    await toast(page, "It is a draft again").waitFor()
    assert.equal((await call("GET", `/v1/posts/${data[0].id}`)).status, "draft")
  })

  test("finds accounts by search and asks only what is required, by keys alone on a wide screen", async ({
    accounts,
    open,
    room: { at, signIn, stored, upload }
  }) => {
    const pins = await signIn("pinterest", "pins")
    const page = await open({ viewport: { width: 1440, height: 900 }, timezoneId: "Europe/Paris" })
    await page.goto(at(`/compose?at=2030-12-04T18:00&media=${await upload("bells.jpg")}`))
    await page.getByRole("searchbox").and(page.locator(":focus")).waitFor()
    for (const [index, sought] of ["pint", "choir", "stall"].entries()) {
      await page.keyboard.type(sought)
      await page.keyboard.press("Enter")
      await page.getByRole("checkbox", { checked: true }).nth(index).waitFor()
    }
    await tabTo(page, "[data-writing]")
    await page.keyboard.type("Found by search")
    await saved(page).waitFor()
    // All previews are there, and the one option that the post cannot do without.
    await page.getByRole("region", { name: "Preview" }).getByRole("heading", { level: 3 }).nth(2).waitFor()
    await page.getByRole("article").first().waitFor()
    await options(page).getByRole("checkbox").first().waitFor()
    assert.equal(await options(page).getByRole("textbox").count(), 0)
    await inspect(page)
    await tabTo(page, "[data-options] input")
    await page.keyboard.press("Space")
    const id = idAt(page)
    await page.keyboard.press("Control+Enter")
    await toast(page, "Scheduled for Wed 4 Dec, 18:00").waitFor()
    const { platform_configurations, social_accounts } = await stored(id)
    assert.deepEqual(social_accounts.toSorted(), [pins, accounts.choir, accounts.stall].toSorted())
    assert.equal(platform_configurations.pinterest.board_ids.length, 1)
  })

  test("leads from a problem to the time, keeps it, and leads back", async ({
    accounts,
    page,
    room: { at }
  }) => {
    await page.goto(at(`/compose?accounts=${accounts.north}&at=2020-12-04T18:00`))
    await writing(page).fill("Too late")
    await page.locator("button[data-opens-problems][aria-expanded]").click()
    await page.locator("[data-problems] button").first().click()
    const time = page.locator("[data-time]")
    await time.and(page.locator(":focus")).waitFor()
    await page.getByRole("button", { name: "Queue", exact: true }).click()
    await page.getByRole("button", { name: "At a time", exact: true }).click()
    assert.equal(await time.inputValue(), "2020-12-04T18:00")
    await page.keyboard.press("Escape")
    const change = page.getByRole("button", { name: "Change when it goes out" })
    await change.and(page.locator(":focus")).waitFor()
  })

  test("shows the account with a problem among many, and a preview of each", async ({
    open,
    room: { at, call }
  }) => {
    const { data } = await call("GET", "/v1/social-accounts?limit=100")
    const ids: ReadonlyArray<number> = data.map(({ id }: { id: number }) => id)
    const path = at(`/compose?accounts=${ids.join()}`)
    const page = await open()
    await page.goto(path)
    await writing(page).fill("For all of them")
    // It needs a video, and would be the last of the chips.
    await chip(page, "film").and(page.locator("[data-wrong]")).waitFor()
    const list = page.getByLabel("Preview for")
    await list.selectOption({ label: "@film, TikTok (test)" })
    await page.getByRole("article", { name: /^Preview: TikTok/ }).waitFor()
    await inspect(page)

    const wide = await open({ viewport: { width: 1440, height: 900 } })
    await wide.goto(path)
    await writing(wide).waitFor()
    await wide.getByText(`${ids.length} chosen`).waitFor()
    // What comes next is drawn before it is in sight, and no more than that.
    await wide.waitForFunction(
      `[...document.querySelectorAll("article")].some((one) => one.getBoundingClientRect().top > 900)`
    )
    assert.ok((await wide.getByRole("article").count()) < ids.length)
    await wide.getByRole("button", { name: "Clear", exact: true }).press("Enter")
    await wide.getByText(/chosen$/).waitFor({ state: "detached" })
    await wide.getByRole("searchbox").and(wide.locator(":focus")).waitFor()
  })

  test("publishes to three accounts at once, one with a text of its own", async ({
    accounts,
    page,
    room: { at, storedWhen }
  }) => {
    await page.goto(at("/compose"))
    for (const name of Object.keys(accounts)) await choose(page, name)
    await writing(page).fill("The evening bells ring at six.")
    await page.getByRole("tab", { name: "@stall", exact: true }).click()
    await page.getByRole("button", { name: "Write a separate text for @stall" }).click()
    await writing(page).fill("The stall rings too.")
    await page.getByRole("button", { name: "Change when it goes out" }).click()
    await page.getByRole("button", { name: "Now", exact: true }).click()
    await page.keyboard.press("Escape")
    await saved(page).waitFor()
    const id = idAt(page)
    await page.getByRole("button", { name: "Publish now" }).click()
    await page.locator("[data-composer]").waitFor({ state: "detached" })
    const post = await storedWhen(id, ({ progress }) => progress.published === 3)
    assert.equal(post.caption, "The evening bells ring at six.")
    assert.deepEqual(
      post.account_configurations.map(({ caption }: { caption: string }) => caption),
      ["The stall rings too."]
    )
  })

  test("gives a network and an account their own files and options, and the shared ones again", async ({
    accounts,
    onEachScreen,
    page,
    room: { at, stored, storedWhen, upload }
  }) => {
    const picture = await upload("shared-bells.jpg")
    await page.goto(at(`/compose?accounts=${accounts.north},${accounts.stall}&media=${picture}`))
    await writing(page).fill("One picture for all, and another one for the stall")
    await saved(page).waitFor()
    const id = idAt(page)
    const ofStall = ({ account_configurations }: any) =>
      account_configurations?.find((one: any) => one.account_id === accounts.stall) ?? {}
    const storedOfStall = async (holds: (entry: Record<string, unknown>) => boolean) =>
      ofStall(await storedWhen(id, (post) => holds(ofStall(post))))

    await page.getByRole("tab", { name: "@stall", exact: true }).click()
    await page.locator("[data-inherited] img").waitFor()
    await page.getByRole("button", { name: "Choose separate files for @stall" }).click()
    const files = page.locator(`[data-files="${accounts.stall}"]`)
    await files.locator("[data-add]").and(page.locator(":focus")).waitFor()
    await files.getByRole("button", { name: "More for shared-bells.jpg" }).click()
    await page.getByRole("menuitem", { name: "Remove" }).click()
    await storedOfStall(({ media }) => Array.isArray(media) && media.length === 0)
    await files
      .locator("input[type=file]")
      .setInputFiles({ name: "stall.jpg", mimeType: "image/jpeg", buffer: bells })
    const { media } = await storedOfStall(
      (entry) => Array.isArray(entry["media"]) && entry["media"].length === 1
    )
    assert.notDeepEqual(media, [picture])
    assert.deepEqual((await stored(id)).media, [picture])

    // The network's options, and those of one of its accounts.
    await page.getByRole("button", { name: "All options" }).click()
    await options(page).getByLabel("Title").fill("For both")
    await page.getByRole("button", { name: "Separate options for one account" }).click()
    await page.getByRole("menuitem", { name: "@stall" }).click()
    assert.equal(await options(page).getByLabel("Title").inputValue(), "For both")
    await options(page).getByLabel("Title").fill("For the stall")
    assert.equal((await storedOfStall(({ title }) => title === "For the stall"))["title"], "For the stall")
    await inspect(page)

    // The draft keeps them.
    await onEachScreen(async (again) => {
      await again.goto(at(`/posts/${id}`))
      await again.getByRole("tab", { name: "@stall own files" }).click()
      await again.locator(`[data-files="${accounts.stall}"]`).getByText("stall.jpg").first().waitFor()
      await options(again).getByText("Title: For the stall").waitFor()
      await inspect(again)
    })

    await files.getByRole("button", { name: "Use the shared files" }).click()
    await toast(page, "@stall uses the shared files again").waitFor()
    await storedOfStall((entry) => !("media" in entry))
    await toast(page, "shared files again").getByRole("button", { name: "Undo" }).click()
    assert.deepEqual((await storedOfStall((entry) => "media" in entry))["media"], media)
    await page.getByRole("button", { name: "Use the options of Test network" }).click()
    await storedOfStall((entry) => !("title" in entry))
    assert.equal((await stored(id)).platform_configurations.sandbox.title, "For both")
  })

  const all = Object.keys(screens) as Array<Screen>

  test.for(all)(
    "lists the problems that the service says, and leads to each: %s",
    async (screen, { open, room: { at } }) => {
      const page = await open(screens[screen])
      const answers: Array<Response> = []
      page.on("response", (response) => {
        if (response.url().endsWith("/v1/posts/validate")) answers.push(response)
      })
      await page.goto(at("/compose?at=2030-12-04T18:00"))
      await page.locator("[data-accounts]").waitFor()
      await inspect(page)
      // Nothing is chosen yet: the button says so instead of being dead.
      await page.getByRole("button", { name: /^Schedule for/ }).click()
      await page.locator("[data-problems]").getByText("No account is chosen").waitFor()
      await page.keyboard.press("Escape")

      for (const name of ["north", "stall", "film"]) await choose(page, name)
      await writing(page).fill("b".repeat(511))
      await page.getByRole("button", { name: "All options" }).click()
      await page.getByLabel("Title").first().fill("t".repeat(101))
      await page.getByText("11 over").first().waitFor()
      // What is too long is marked in the text.
      assert.equal(await page.locator("mark").innerText(), "b".repeat(11))
      assert.equal(
        await page.evaluate<number>(
          `(({ clientHeight, scrollHeight }) => scrollHeight - clientHeight)(document.querySelector("[data-writing]"))`
        ),
        0,
        "the marks lie under the letters only if the text wraps in the same way"
      )
      const opener = page.locator("button[data-opens-problems][aria-expanded]")
      await page.locator("[data-problems]").waitFor({ state: "detached" })
      await saved(page).waitFor()
      await opener.click()
      await page.locator("[data-problems]").getByText("and by the service").waitFor()
      await inspect(page)

      const listed = await page.evaluate<Array<string>>(
        `[...document.querySelectorAll("[data-problems] button")].map(({ dataset: { account = "", code, path } }) =>
        path + " " + code + " " + account)`
      )
      const said = await answers.at(-1)!.json()
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

      await page.locator('[data-problems] [data-code="caption_too_long"]').first().click()
      await writing(page).and(page.locator(":focus")).waitFor()
      await opener.click()
      await page.locator('[data-problems] [data-path$="title"]').first().click()
      await page.getByLabel("Title").and(page.locator(":focus")).waitFor()
      await writing(page).fill("Bells")
      await page.getByLabel("Title").first().fill("")
      await saved(page).waitFor()
      await inspect(page)
    }
  )

  test.for(all)(
    "adds a tag, a mention and an emoji by buttons: %s",
    async (screen, { open, room: { at } }) => {
      const page = await open(screens[screen])
      await page.goto(at("/compose"))
      await writing(page).fill("Bells")
      const focused = writing(page).and(page.locator(":focus"))
      await page.getByRole("button", { name: "Add a tag" }).click()
      await focused.waitFor()
      await page.keyboard.type("advent")
      const emoji = page.getByRole("button", { name: "Add an emoji" })
      await emoji.click()
      await page.getByRole("option", { name: "Grinning face" }).and(page.locator(":focus")).waitFor()
      await inspect(page)
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
    }
  )

  test("loses no character without a connection, or by a reload", async ({ page, room: { at, stored } }) => {
    await page.goto(at("/compose"))
    // Before an account is chosen there is no draft at the service.
    await writing(page).fill("Written before any account, ünïcode 🎄 too")
    await page.reload()
    await toast(page, "is back").waitFor()
    assert.equal(await writing(page).inputValue(), "Written before any account, ünïcode 🎄 too")
    await choose(page, "north")
    await saved(page).waitFor()
    const id = idAt(page)

    await page.context().setOffline(true)
    await writing(page).fill("Written without a connection")
    await page.getByText("Kept in this browser").waitFor()
    await page.context().setOffline(false)
    await saved(page).waitFor()
    assert.equal((await stored(id)).caption, "Written without a connection")

    // An attempt to save it may be under way when the page is left.
    await page.route(`**/v1/posts/${id}`, (route) =>
      route.request().method() === "PATCH" ? route.abort() : route.continue()
    )
    await writing(page).fill("Written without a connection, and more")
    await page.getByText("Kept in this browser").waitFor()
    await page.reload()
    await toast(page, "is back").waitFor()
    assert.equal(await writing(page).inputValue(), "Written without a connection, and more")
  })

  test("loses no character when the sign-in ends", async ({
    draft: id,
    open,
    room: { at, stored },
    service
  }) => {
    const page = await open({}, await sessionOf(service))
    await page.goto(at(`/posts/${id}`))
    await writing(page).waitFor()
    const other = await page.context().newPage()
    await other.goto(at(`/posts/${id}`))
    await page.getByText("open in another tab").waitFor()
    await other.goto(at("/settings/account"))
    await page.getByText("open in another tab").waitFor({ state: "detached" })
    await other.getByRole("button", { name: "Sign out", exact: true }).click()
    await other.waitForURL(/\/sign-in/)
    await other.close()
    await writing(page).fill("Written after the sign-in had ended, to the last character")
    await page.getByRole("button", { name: "Sign in and continue" }).click()
    await page.getByLabel("Name").fill(ownerName)
    await page.getByLabel("Password").fill(ownerPassword)
    await page.keyboard.press("Enter")
    await writing(page).waitFor()
    assert.equal(
      await writing(page).inputValue(),
      "Written after the sign-in had ended, to the last character"
    )
    await saved(page).waitFor()
    assert.equal((await stored(id)).caption, "Written after the sign-in had ended, to the last character")
  })

  test("lets the person choose when somebody else changes the post meanwhile", async ({
    draft: id,
    page,
    room: { at, call, stored }
  }) => {
    await page.goto(at(`/posts/${id}`))
    await writing(page).waitFor()
    await call("PATCH", `/v1/posts/${id}`, { caption: "The bells ring at half past six" })
    await writing(page).fill("The bells ring at six, and the choir sings")
    const dialog = page.getByRole("alertdialog")
    await dialog.getByText(/ changed it at \d\d:\d\d\.$/).waitFor()
    await inspect(page)
    assert.equal(await dialog.locator("mark").first().innerText(), ", and the choir sings")
    await dialog.getByRole("button", { name: "Keep mine", exact: true }).click()
    await saved(page).waitFor()
    assert.equal((await stored(id)).caption, "The bells ring at six, and the choir sings")

    // A planned post is saved when it is said, and leaving asks.
    await call("PATCH", `/v1/posts/${id}`, {
      scheduled_at: "2030-12-10T18:00[Europe/Paris]",
      is_draft: false
    })
    await page.goto(at(`/posts/${id}`))
    await writing(page).fill("A planned one")
    await page.getByRole("link", { name: "Calendar" }).click()
    await page.getByRole("alertdialog").getByText("Leave without saving?").waitFor()
    await page.getByRole("button", { name: "Stay" }).click()
    await page.keyboard.press("Control+s")
    await toast(page, "Changes saved").waitFor()
    const { caption, scheduled_at } = await stored(id)
    assert.deepEqual([caption, scheduled_at], ["A planned one", "2030-12-10T17:00:00.000Z"])
  })
})
