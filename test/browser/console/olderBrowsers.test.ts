import { describe } from "vitest"
import { test } from "./test.ts"

/** Newer than Safari 16.4 or Chrome 111. */
const newer = `delete Map.groupBy; delete Object.groupBy; delete URL.canParse; delete URL.parse
  delete AbortSignal.any; delete Element.prototype.checkVisibility`

describe("a browser as old as the console allows", () => {
  test("writes a post and shows it as Bluesky will", async ({ page, room: { at, call } }) => {
    const { id } = await call("POST", "/v1/social-accounts", {
      platform: "bluesky",
      credentials: { identifier: "older.bsky.sandbox", app_password: "bell-bell-bell-bell" }
    })
    await page.addInitScript(newer)
    await page.goto(at(`/compose?accounts=${id}`))
    await page.locator("textarea[data-writing]").fill("The oven is from 1911: https://mill.example")
    await page.getByRole("article").getByText("mill.example").waitFor()
    await page.locator("[data-saved]").filter({ hasText: "Saved" }).waitFor()
  })
})
