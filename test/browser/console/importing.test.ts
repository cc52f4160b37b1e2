import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { describe } from "vitest"
import { bells } from "./bells.ts"
import { inspect } from "./inspect.ts"
import { test } from "./test.ts"

const choose = async (page: Page, name: string, text: string | Uint8Array) => {
  const chooser = page.waitForEvent("filechooser")
  await page.getByRole("button", { name: /^Choose (a|the) files?$/ }).click()
  const buffer = Buffer.from(text as string)
  await (await chooser).setFiles({ name, mimeType: "application/octet-stream", buffer })
}

const rows = (page: Page, state: string) => page.locator(`[data-row=${state}]`)

describe("the import", () => {
  test("shows every row and all its problems, makes the others, and none twice", async ({
    page,
    room: { at, call, connect }
  }) => {
    await connect("importer")
    await page.goto(at("/settings/import"))
    await choose(page, "posts.xlsx", "PK")
    await page.getByText("posts.xlsx is neither CSV nor JSON Lines.").waitFor()
    await choose(page, "posts.csv", Uint8Array.of(0x63, 0xe9, 0x0a))
    await page.getByText("Line 1 of posts.csv is not text in UTF-8.").waitFor()

    const file = [
      "\ufeffCaption;TO;At;Media;Draft",
      "From a sheet;@importer;2090-12-24 09:00;;",
      "With a bell;@importer;;bells.jpg;true",
      "Nobody's;@nobody, bluesky;someday;;",
      "From a sheet;@importer;2090-12-24 09:00;;"
    ].join("\r\n")
    await choose(page, "posts.csv", file)
    await page.getByText("4 rows, 2 with problems").waitFor()
    await rows(page, "wrong").getByText('no connected account matches "@nobody"').waitFor()
    await rows(page, "wrong").getByText("at is “someday”").waitFor()
    await page.getByText("A row names the file bells.jpg.").waitFor()
    assert.equal((await call("GET", "/v1/posts")).meta.total, 0)
    await choose(page, "Bells.jpg", bells)
    await page.getByText("4 rows, 1 with problems").waitFor()
    await inspect(page)
    await page.getByRole("button", { name: "With problems 1" }).click()
    assert.equal(await page.locator("[data-row]").count(), 1)
    await page.getByRole("button", { name: "All 4" }).click()

    await page.getByRole("button", { name: "Make 3 posts" }).click()
    await page.getByText("4 rows, 1 with problems, 3 made").waitFor()
    const made = async () => (await call("GET", "/v1/posts")).data as ReadonlyArray<any>
    assert.equal((await made()).length, 3)
    assert.equal((await made()).filter(({ media }) => media?.length === 1).length, 1)

    await page.reload()
    await choose(page, "posts.csv", file)
    await page.getByText("4 rows, 2 with problems").waitFor()
    await page.getByRole("button", { name: "Make 2 posts" }).click()
    await page.getByText("4 rows, 2 with problems, 2 made").waitFor()
    assert.equal((await made()).length, 3)
    await rows(page, "made").first().getByRole("link", { name: "Open" }).click()
    await page.getByText("From a sheet").first().waitFor()
  })

  test("goes on after the connection was lost, and makes each row once", async ({
    page,
    room: { at, call, connect }
  }) => {
    await connect("steady")
    const before = (await call("GET", "/v1/posts")).meta.total
    const lines = Array.from({ length: 12 }, (_, index) =>
      JSON.stringify({ caption: `Row ${index}`, to: "@steady", draft: true })
    )
    await page.goto(at("/settings/import"))
    await choose(page, "posts.jsonl", lines.join("\n"))
    await page.getByRole("button", { name: "Make 12 posts" }).waitFor()
    let sent = 0
    // The service makes the fifth, and its answer is lost.
    await page.route("**/v1/posts", async (route) => {
      if (route.request().method() !== "POST") return route.continue()
      sent++
      if (sent < 5) return route.continue()
      if (sent === 5) await route.fetch()
      return route.abort()
    })
    await page.getByRole("button", { name: "Make 12 posts" }).click()
    await page.getByRole("alert").filter({ hasText: "What is made is not made twice." }).waitFor()
    await page.unroute("**/v1/posts")
    await page.getByRole("button", { name: "Go on with 8 rows" }).click()
    await page.getByText("12 rows, 12 made").waitFor()
    assert.equal((await call("GET", "/v1/posts")).meta.total, before + 12)
  })

  test("takes a thousand rows and stays quick to use", async ({ page, room: { at, connect } }) => {
    await connect("many")
    const lines = Array.from({ length: 1_000 }, (_, index) => `Row ${index},@many,true`)
    await page.goto(at("/settings/import"))
    await choose(page, "posts.csv", ["caption,to,draft", ...lines].join("\n"))
    await page.getByRole("button", { name: "Make 1,000 posts" }).waitFor()
    assert.equal(await page.locator("[data-row]").count(), 100)
    await page.getByRole("button", { name: "Show more" }).click()
    assert.equal(await page.locator("[data-row]").count(), 200)
    await page.getByRole("button", { name: "Another file" }).click()
    await page.getByText("A file of posts").waitFor()
    await choose(page, "posts.csv", ["caption", ...Array.from({ length: 5_001 }, () => "x")].join("\n"))
    await page.getByText("The file has 5,001 rows, and 5,000 can be imported at once.").waitFor()
  })

  test("is there on each screen", async ({ onEachScreen, room: { at, connect } }) => {
    await connect("screens")
    await onEachScreen(async (page) => {
      await page.goto(at("/settings/import"))
      await page.getByText("A file of posts").waitFor()
      await inspect(page)
      const text = [
        "caption,to,at",
        "The bells ring at noon on Saturday,@screens,2090-12-24 09:00",
        "A word to everybody,@screens,now",
        "Nobody's,@nobody,someday"
      ]
      await choose(page, "posts.csv", text.join("\n"))
      await page.getByText("1 post goes out at once.").waitFor()
      await inspect(page)
    })
  })
})
