import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { describe } from "vitest"
import { inspect } from "./inspect.ts"
import { test as base } from "./test.ts"
import { toast } from "./toast.ts"

const test = base.extend("draft", async ({ room: { call, connect, write } }) => {
  for (const { id } of (await call("GET", "/v1/posts?undated=true")).data)
    await call("DELETE", `/v1/posts/${id}`)
  const account = await connect("undated")
  return write({ social_accounts: [account], caption: "Nobody knows when", is_draft: true })
})

const undated = (page: Page, id: string) =>
  page.getByRole("region", { name: "Drafts without a day" }).locator(`[data-undated="${id}"]`)

const today = (page: Page) => page.locator("[data-cell][data-today]")

describe("drafts without a day", () => {
  test("get a day by pointer, and lose it again", async ({ draft, page, room: { at, stored } }) => {
    // The day on which it was made does not have it.
    await page.goto(at("?view=month"))
    const opener = page.getByRole("button", { name: "1 draft without a day" })
    await opener.waitFor()
    assert.equal(await page.locator(`[data-post="${draft}"]`).count(), 0)

    await page.goto(at("?view=month&date=2030-12-12"))
    await opener.click()
    await undated(page, draft).dragTo(page.locator('[data-cell][data-day="2030-12-13"]'))
    await toast(page, "Moved to Fri 13 Dec, 09:00").waitFor()
    await page.locator(`[data-day="2030-12-13"][data-post="${draft}"]`).waitFor()
    const { scheduled_at, status } = await stored(draft)
    assert.deepEqual([status, scheduled_at], ["draft", "2030-12-13T08:00:00.000Z"])
    await opener.waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Undo" }).click()
    await toast(page, "Moved back").waitFor()
    await opener.waitFor()
    await page.locator(`[data-post="${draft}"]`).waitFor({ state: "detached" })
    assert.equal((await stored(draft)).scheduled_at, null)
  })

  test("get a day by keys and dialog", async ({ draft, page, room: { at, stored } }) => {
    await page.goto(at("?view=month&date=2030-12-12&undated=true"))
    await undated(page, draft).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Move to…" }).click()
    await page.getByLabel("Day, Paris time").fill("2030-12-16T07:30")
    await page.getByRole("button", { name: "Move", exact: true }).click()
    await page.locator(`[data-day="2030-12-16"][data-post="${draft}"]`).waitFor()
    assert.equal((await stored(draft)).scheduled_at, "2030-12-16T06:30:00.000Z")
  })

  test("get a time to come when they are moved to today", async ({ draft, page, room: { at, stored } }) => {
    await page.goto(at("?view=month&undated=true"))
    await undated(page, draft).dragTo(today(page))
    await page.locator(`[data-post="${draft}"]`).waitFor()
    await toast(page, "Moved to").waitFor()
    assert.ok(Date.parse((await stored(draft)).scheduled_at) > Date.now())
    await page.getByRole("button", { name: "Undo" }).click()
    await undated(page, draft).waitFor()
  })

  test("are beside the calendar on each screen", async ({ draft, onEachScreen, room: { at } }) => {
    await onEachScreen(async (page) => {
      for (const view of ["month", "agenda"]) {
        await page.goto(at(`?view=${view}&date=2030-12-12&undated=true`))
        await undated(page, draft).waitFor()
        await inspect(page)
      }
      await undated(page, draft).click()
      await page.getByRole("button", { name: "Edit" }).click()
      await page.waitForURL(new RegExp(draft))
    })
  })

  test("have the day on which they were published, whenever they were made", async ({
    draft,
    page,
    room: { at, call }
  }) => {
    await call("POST", `/v1/posts/${draft}/publish`)
    await page.route(`**/v1/posts/${draft}`, async (route) => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        json: { ...(await response.json()), created_at: "2026-01-02T07:14:00.000Z" }
      })
    })
    await page.goto(at(`/posts/${draft}`))
    await page.getByText("Sent today,").waitFor()
    await page.goto(at("?view=month"))
    await today(page).locator(`[data-post="${draft}"]`).waitFor()
    await page.unrouteAll({ behavior: "wait" })
  })
})
