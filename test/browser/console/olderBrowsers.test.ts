import { describe } from "vitest"
import { test } from "./test.ts"

/** Newer than Safari 16.4 or Chrome 111. */
const newer = `delete Map.groupBy; delete Object.groupBy; delete URL.canParse; delete AbortSignal.any
  delete Element.prototype.checkVisibility`

describe("a browser as old as the console allows", () => {
  test("writes a post", async ({ page, room: { at, connect } }) => {
    const account = await connect("older")
    await page.addInitScript(newer)
    await page.goto(at(`/compose?accounts=${account}`))
    await page.locator("textarea.writing").fill("The oven is from 1911: https://mill.example")
    await page.locator(".saved").filter({ hasText: "Saved" }).waitFor()
  })
})
