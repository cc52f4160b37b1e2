import { carillon } from "@carillon/testing/CommandLine"
import { Service, callsWith } from "@carillon/testing/ServiceProcess"
import { Effect } from "effect"
import assert from "node:assert/strict"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { describe } from "vitest"
import { inspect } from "./inspect.ts"
import { test } from "./test.ts"

const press = (page: Page) => page.getByRole("button", { name: "Export", exact: true }).click()

describe("the export", () => {
  test("saves posts and files, which the command line brings into another workspace", async ({
    page,
    room: { at, call, connect, upload, write },
    service
  }) => {
    const account = await connect("exported")
    const picture = await upload("bells.jpg")
    await call("PATCH", `/v1/media/${picture}`, { alt_text: "Three bells" })
    await write({ social_accounts: [account], caption: "With bells", media: [picture], is_draft: true })
    await write({ social_accounts: [account], caption: "Planned", scheduled_at: "2090-12-24T09:00:00Z" })
    await page.goto(at("/settings/export"))
    await inspect(page)
    const [download] = await Promise.all([page.waitForEvent("download"), press(page)])
    await page.getByText(/^carillon-export-.*\.tar is saved, with 2 posts and 1 file\.$/).waitFor()
    await inspect(page)

    const folder = mkdtempSync(join(tmpdir(), "carillon-exported-"))
    const file = join(folder, download.suggestedFilename())
    await download.saveAs(file)
    const { body } = await Effect.runPromise(service.call("POST", "/v1/workspaces", { name: "Elsewhere" }))
    const there = callsWith(service.url, body.api_key.key)
    await Effect.runPromise(
      there.call("POST", "/v1/social-accounts", {
        platform: "sandbox",
        credentials: { username: "exported", password: "sandbox" }
      })
    )
    const imported = await Effect.runPromise(
      Effect.provideService(carillon(folder, ["import", file]), Service, { ...service, ...there })
    )
    assert.equal(imported.code, 0, imported.stderr)
    assert.equal(JSON.parse(imported.stdout).imported.length, 2)
    const listed = async (path: string) => (await Effect.runPromise(there.call("GET", path))).body.data
    const posts: ReadonlyArray<any> = await listed("/v1/posts")
    assert.deepEqual(posts.map(({ caption, status }) => [caption, status]).toSorted(), [
      ["Planned", "draft"],
      ["With bells", "draft"]
    ])
    const [media] = await listed("/v1/media")
    assert.deepEqual([media.name, media.alt_text], ["bells.jpg", "Three bells"])
  })

  test("saves nothing when a file does not arrive whole, or a person stops it", async ({
    page,
    room: { at, upload }
  }) => {
    const id = await upload("long.jpg")
    await page.goto(at("/settings/export"))
    const way = (url: URL) => url.pathname.includes(id) && !url.pathname.startsWith("/v1")
    await page.route(way, (route) => route.fulfill({ body: "short" }))
    await press(page)
    await page.getByText("long.jpg did not load to its end. Nothing was saved.").waitFor()
    await page.unroute(way)
    const asked = page.waitForRequest((request) => way(new URL(request.url())))
    await page.route(way, () => {})
    await press(page)
    await asked
    await page.getByText(/^\d files?: .* of /).waitFor()
    await inspect(page)
    await page.getByRole("button", { name: "Stop" }).click()
    await page.getByText("Stopped. Nothing was saved.").waitFor()
    await page.unroute(way)
    await page.getByText("With the pictures and videos").click()
    const [download] = await Promise.all([page.waitForEvent("download"), press(page)])
    assert.match(download.suggestedFilename(), /\.tar$/)
    await page.getByText(/ and 0 files\.$/).waitFor()
  })

  test("is there on each screen", async ({ onEachScreen, room: { at } }) => {
    await onEachScreen(async (page) => {
      await page.goto(at("/settings/export"))
      await page.getByRole("heading", { name: "Export this workspace" }).waitFor()
      await inspect(page)
    })
  })
})
