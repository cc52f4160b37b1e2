import { ownerName, ownerPassword } from "@carillon/testing/OAuthBrowser"
import assert from "node:assert/strict"
import { describe } from "vitest"
import { Effect } from "effect"
import { inspect } from "./inspect.ts"
import { sessionOf, test as base } from "./test.ts"
import { toast } from "./toast.ts"

const test = base.extend("post", { scope: "file" }, async ({ room: { connect, write } }) => {
  const account = await connect("outages")
  const post = (caption: string, day: string) =>
    write({ social_accounts: [account], caption, scheduled_at: `${day}T10:00[Europe/Paris]` })
  await post("Written before the service went away", "2030-12-04")
  return post
})

describe("an open page", () => {
  test("catches up when the service comes back, and eight load at once", async ({
    page,
    post,
    room: { at },
    service
  }) => {
    // What comes last.
    const menus = page.waitForResponse(/\/menus-/)
    const others = await Promise.all(Array.from({ length: 7 }, () => page.context().newPage()))
    await Promise.all(
      [page, ...others].map(async (tab) => {
        await tab.goto(at("?view=month&date=2030-12-04"))
        await tab.locator("[data-post]").first().waitFor()
      })
    )
    for (const tab of others) await tab.close()
    await (await menus).finished()

    assert.equal(await Effect.runPromise(service.terminate), 0)
    await Effect.runPromise(service.start)
    const id = await post("Written after the service came back", "2030-12-05")
    await page.locator(`[data-post="${id}"]`).waitFor()
  })

  test("leads to the sign-in when the session ended elsewhere, and back to the same place", async ({
    open,
    post,
    room: { at },
    service
  }) => {
    const page = await open({}, await sessionOf(service))
    await post("Written before the session ended", "2030-12-17")
    await page.goto(at("?view=week&date=2030-12-17"))
    await page.getByRole("grid", { name: "Calendar" }).waitFor()
    await page.context().clearCookies()
    // Something that is asked by itself may find out first.
    const left = page.waitForURL(/\/sign-in/)
    await Promise.race([page.getByRole("button", { name: "Next week" }).click(), left])
    await page.getByLabel("Password").waitFor()
    await page.getByLabel("Name").fill(ownerName)
    await page.getByLabel("Password").fill(ownerPassword)
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/app.*2030-12-(17|24)/)
  })

  test("says that an update took a part of it, and keeps what is typed until it is loaded again", async ({
    page,
    room: { at }
  }) => {
    await page.route("**/assets/EmojiPopover-*.js", (route) => route.fulfill({ status: 404 }))
    await page.goto(at("/compose"))
    const text = page.locator("textarea[data-writing]")
    await text.fill("The bells ring")
    await page.getByRole("button", { name: "Add an emoji" }).click()
    const message = page.getByRole("alertdialog").filter({ hasText: "A part of this page did not load" })
    await message.waitFor()
    await inspect(page)
    await text.press("End")
    await text.pressSequentially(" at six")
    await page.unrouteAll()
    await message.getByRole("button", { name: "Reload" }).click()
    await message.waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Add an emoji" }).click()
    await page.getByRole("option", { name: "Grinning face" }).waitFor()
    assert.equal(await text.inputValue(), "The bells ring at six")
  })

  test("offers to move a post anyway when an update took the part that says who changed it", async ({
    page,
    post,
    room: { at, call, stored }
  }) => {
    const id = await post("Moved by two at a time", "2031-02-04")
    await page.route("**/assets/clashWith-*.js", (route) => route.fulfill({ status: 404 }))
    await page.goto(at("?view=month&date=2031-02-04"))
    const tile = page.locator(`[data-post="${id}"]`).first()
    await tile.waitFor()
    // The page does not hear of the change.
    await page.route("**/v1/posts/calendar**", () => {})
    await call("PATCH", `/v1/posts/${id}`, { caption: "Moved by two, and written" })
    await tile.dragTo(page.locator('[data-cell][data-day="2031-02-05"]'))
    await toast(page, "A part of this page did not load").waitFor()
    await toast(page, "Not moved: it was changed meanwhile").waitFor()
    await page.unrouteAll()
    await page.getByRole("button", { name: "Move it anyway" }).click()
    await toast(page, "Moved to Wed 5 Feb, 10:00").waitFor()
    assert.equal((await stored(id)).scheduled_at, "2031-02-05T09:00:00.000Z")
  })

  test("loads itself again once for a room that an update took, and then says so", async ({
    browser,
    room: { at, session }
  }) => {
    // React writes what it catches to the log of the page.
    const context = await browser.newContext()
    await context.addCookies(session)
    const page = await context.newPage()
    await page.route("**/assets/Library-*.js", (route) => route.fulfill({ status: 404 }))
    let loads = 0
    page.on("domcontentloaded", () => loads++)
    await page.goto(at("?view=month"))
    await page.getByRole("link", { name: "Library" }).first().click()
    await page.getByRole("heading", { name: "This page did not load" }).waitFor()
    assert.equal(loads, 2)
    await page.unrouteAll()
    await page.getByRole("button", { name: "Reload" }).click()
    await page.getByRole("heading", { name: "Library", level: 1 }).waitFor()
    await context.close()
  })
})
