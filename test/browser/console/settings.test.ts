import assert from "node:assert/strict"
import { describe } from "vitest"
import { inspect } from "./inspect.ts"
import { test } from "./test.ts"

describe("the settings", () => {
  test("change the zone of the workspace, after a question", async ({ page, room: { at, call } }) => {
    const zone = async () => (await call("GET", "/v1/profile")).timezone
    const choose = async (typed: string, place: string) => {
      await page.getByRole("combobox", { name: "Time zone" }).fill(typed)
      await page.getByRole("option", { name: place }).click()
      await page.getByRole("heading", { name: `Change to ${place} time?` }).waitFor()
    }
    await page.goto(at("/settings"))
    await choose("tok", "Tokyo")
    await page.getByRole("button", { name: "Keep Paris time" }).click()
    await page.getByRole("heading", { name: "Change to Tokyo time?" }).waitFor({ state: "detached" })
    assert.equal(await zone(), "Europe/Paris")
    await choose("tok", "Tokyo")
    const reloaded = page.waitForEvent("load")
    await page.getByRole("button", { name: "Use Tokyo time" }).click()
    await reloaded
    assert.equal(await zone(), "Asia/Tokyo")
    await page.goto(at("/queue"))
    await page.getByRole("link", { name: "Tokyo time" }).waitFor()
    await call("PATCH", "/v1/profile", { timezone: "Europe/Paris" })
  })

  test("keep a theme in this browser", async ({ page, room: { at } }) => {
    await page.goto(at("/settings"))
    const ground = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor")
    const light = await ground()
    await page.getByRole("button", { name: "Dark" }).click()
    assert.notEqual(await ground(), light)
    const dark = await ground()
    await page.reload()
    await page.getByRole("heading", { name: "Settings" }).waitFor()
    assert.equal(await ground(), dark)
    await page.getByRole("button", { name: "System" }).click()
    assert.equal(await ground(), light)
  })

  test("keep the first day of the week and single-letter shortcuts in this browser", async ({
    page,
    room: { at, connect, write }
  }) => {
    await write({ social_accounts: [await connect("settings")], caption: "A draft", is_draft: true })
    await page.goto(at("/settings"))
    await page.getByLabel("The week begins on").selectOption({ label: "Saturday" })
    await page.getByText("Single-letter shortcuts").click()
    await page.goto(at("?view=month&date=2030-12-04"))
    assert.equal(await page.getByRole("columnheader").first().textContent(), "Sat")
    await page.keyboard.press("2")
    await page.getByRole("button", { name: "Month" }).and(page.locator("[aria-current]")).waitFor()
  })

  test("are there on each screen", async ({ onEachScreen, room: { at } }) => {
    await onEachScreen(async (page) => {
      await page.goto(at("/settings"))
      await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor()
      await inspect(page)
    })
  })
})
