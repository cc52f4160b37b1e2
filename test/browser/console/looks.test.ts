import assert from "node:assert/strict"
import { describe } from "vitest"
import { fonts, looks } from "./looks.ts"
import { outcomes } from "./outcomes.ts"
import { test } from "./test.ts"

describe("every page", () => {
  test("breaks no word and hides nothing, in a narrow and a wide font on phones, tablets and desks", async ({
    open,
    room
  }) => {
    const { at, call, connect, signIn, upload, write } = room
    const { bakery, post } = await outcomes(room)
    const long = await connect(`the-${"long-".repeat(6)}name`)
    await upload("bells-in-the-old-tower-of-saint-gertrude.jpg")
    const planned = await write({
      social_accounts: [bakery, long],
      caption: `${"Donaudampfschifffahrtsgesellschaftskapitän".repeat(2)} and more`,
      scheduled_at: "2030-12-05T09:00[Europe/Paris]"
    })
    // One that was disconnected and is missed.
    const gone = await connect("granary")
    await write({
      social_accounts: [gone],
      caption: "The granary opens tomorrow",
      scheduled_at: "2030-12-06T09:00[Europe/Paris]"
    })
    await call("DELETE", `/v1/social-accounts/${gone}`)
    // One of a network that the test network plays: it has a mark that takes place.
    const played = await signIn("instagram", "looks")

    const page = await open()
    const [narrow, wide] = await page.evaluate<
      [number, number]
    >(`${JSON.stringify(Object.values(fonts))}.map((family) => {
      const pen = document.createElement("canvas").getContext("2d")
      pen.font = "20px '" + family + "', monospace"
      return pen.measureText("Carillon rings at six").width
    })`)
    assert.ok(narrow < wide * 0.95, `${fonts.narrow} and ${fonts.wide} are not both installed`)
    const found: Array<string> = []
    const look = async (name: string) => {
      found.push(...(await looks(page, name)))
      await page.setViewportSize({ width: 1280, height: 860 })
    }
    const visit = async (name: string, path: string, ready: string) => {
      await page.goto(at(path))
      await page.locator(ready).first().waitFor()
      await page.waitForLoadState("networkidle")
      await look(name)
    }

    for (const view of ["month", "week", "agenda"])
      await visit(view, `?view=${view}&date=2030-12-04`, "[data-post]")
    await visit("result", `/posts/${post}`, '[data-result][data-state="doubt"]')
    await visit("activity", "/activity", "[data-cause]")
    await visit("library", "/library", "[data-file] img")
    await visit("queue", "/queue?date=2030-12-02", ".slot-card")
    await visit("settings", "/settings", "h2")
    await visit("accounts", "/accounts", "[data-account]")
    await visit("connect", "/accounts?connect=choose", ".dialog li")
    await visit("consent", "/accounts?connect=instagram", ".dialog .button.main")
    await visit("form", "/accounts?connect=bluesky", ".dialog input")
    await visit("apps", "/accounts/apps", 'a[href*="tiktok"]')
    await visit("app", "/accounts/apps/tiktok", "input")
    await visit("compose", `/compose?accounts=${bakery},${played}`, "textarea.writing")
    await visit("planned", `/posts/${planned}`, "textarea.writing")

    // What opens over a room.
    await page.goto(at("?view=agenda&date=2030-12-04"))
    await page.locator("[data-post]").first().click()
    await page.getByRole("dialog").waitFor()
    await look("card")
    assert.deepEqual(found, [])
  })
})
