import assert from "node:assert/strict"
import type { Response } from "playwright-core"
import { describe } from "vitest"
import { inspect } from "./inspect.ts"
import { fonts, looks } from "./looks.ts"
import { outcomes } from "./outcomes.ts"
import { restingNetwork } from "../restingNetwork.ts"
import { test } from "./test.ts"

describe("every page", () => {
  test("breaks no word and hides nothing, in each font, on phones, tablets and desks", async ({
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
    await restingNetwork(page.context())
    const [narrow, wide] = await page.evaluate<
      [number, number]
    >(`${JSON.stringify([fonts.narrow, fonts.wide])}.map((family) => {
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

    for (const view of ["weeks", "month", "week", "agenda"])
      await visit(view, `?view=${view}&date=2030-12-04`, "[data-post]")
    await visit("result", `/posts/${post}`, '[data-result][data-state="doubt"]')
    await visit("activity", "/activity", "[data-cause]")
    await visit("library", "/library", "[data-file] img")
    await visit("queue", "/queue?date=2030-12-02", "[data-slot]")
    await visit("settings", "/settings", "h2")
    await visit("accounts", "/accounts", "[data-account]")
    await visit("connect", "/accounts?connect=choose", ".dialog li")
    await visit("consent", "/accounts?connect=instagram", ".dialog .button.main")
    await visit("form", "/accounts?connect=bluesky", ".dialog input")
    await visit("apps", "/accounts/apps", 'a[href*="tiktok"]')
    await visit("app", "/accounts/apps/tiktok", "input")
    await visit("compose", `/compose?accounts=${bakery},${played}`, "[data-writing]")
    await visit("planned", `/posts/${planned}`, "[data-writing]")

    // What opens over a room.
    await page.goto(at("?view=agenda&date=2030-12-04"))
    await page.locator("[data-post]").first().click()
    await page.getByRole("dialog").waitFor()
    await look("card")
    assert.deepEqual(found, [])
  })

  test("breaks no word and hides nothing from right to left, at twice the size, or in the colours of the system", async ({
    open,
    room: { at, connect, write }
  }) => {
    const account = await connect("hebrew")
    const post = await write({
      social_accounts: [account],
      caption: "הפעמונים מצלצלים בשש, and the bakery opens at 7!\nأجراس المساء.",
      scheduled_at: "2030-12-04T09:00[Europe/Paris]"
    })
    const page = await open({ forcedColors: "active" })
    const found: Array<string> = []
    const pages: ReadonlyArray<readonly [name: string, path: string, ready: string]> = [
      ...["weeks", "month", "week", "agenda"].map(
        (view) => [view, `?view=${view}&date=2030-12-04`, "[data-post]"] as const
      ),
      ["planned", `/posts/${post}`, "[data-writing]"],
      ["activity", "/activity", "h2"],
      ["library", "/library", "h1"],
      ["queue", "/queue?date=2030-12-02", "[data-slot]"],
      ["settings", "/settings", "h2"],
      ["accounts", "/accounts", "[data-account]"],
      ["apps", "/accounts/apps", "main a"]
    ]
    for (const [name, path, ready] of pages) {
      await page.goto(at(path))
      await page.locator(ready).first().waitFor()
      await page.evaluate(`document.documentElement.dir = "rtl"`)
      // The first is what a desk's window is at 200 %.
      found.push(
        ...(await looks(page, `${name} from the right`, [
          [640, "own"],
          [390, "own"],
          [1280, "own"]
        ]))
      )
      await inspect(page)
    }
    assert.deepEqual(found, [])
  })

  test("has one file of its font, which is kept, and a second where a letter needs it", async ({
    page,
    room
  }) => {
    const files: Array<Response> = []
    page.on("response", (response) => {
      if (response.url().endsWith(".woff2")) files.push(response)
    })
    await page.goto(room.at("/settings"))
    await page.getByRole("heading", { level: 2 }).first().waitFor()
    await page.evaluate("document.fonts.ready")
    assert.deepEqual(
      files.map((file) => new URL(file.url()).pathname.replace(/-[^-]+$/, "")),
      ["/app/assets/inter-latin-wght-normal"]
    )
    const headers = await files[0]!.allHeaders()
    assert.equal(headers["content-type"], "font/woff2")
    assert.match(headers["cache-control"]!, /immutable/)
    assert.equal(headers["content-encoding"], undefined)
    const [own, fallback] = await page.evaluate<
      [number, number]
    >(`["Inter Variable", "Inter Fallback"].map((family) => {
      const pen = document.createElement("canvas").getContext("2d")
      pen.font = "15px '" + family + "'"
      return pen.measureText("The bells ring at six, and the bakery opens an hour later than it did in summer").width
    })`)
    assert.ok(Math.abs(own / fallback - 1) < 0.02, `${own} px of text are ${fallback} px before it loads`)
    await page.evaluate(`document.fonts.load("15px 'Inter Variable'", "ő")`)
    assert.equal(files.length, 2)
  })
})
