import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { describe } from "vitest"
import { inspect } from "./inspect.ts"
import { test } from "./test.ts"

const cause = (page: Page) => page.locator("[data-cause]").filter({ hasText: "Soup, and a free word" })

const row = (page: Page, name: string, state: string) =>
  page.locator(`[data-result][data-state="${state}"]`).filter({ hasText: `@${name}` })

describe("a repair", () => {
  test("writes a refused post again, once, whoever looks at the failure meanwhile", async ({
    onEachScreen,
    page,
    room: { at, connect, script, textsOf, write }
  }) => {
    const names = ["cove", "dune"]
    const social_accounts = []
    for (const name of names) {
      social_accounts.push(await connect(name))
      await script(name, [{ on: "post", fault: "refuse", message: "No free words." }])
    }
    const post = await write({ social_accounts, caption: "Soup, and a free word" })
    const failure = at(`/posts/${post}`)
    await page.goto(failure)
    for (const name of names) await row(page, name, "failed").waitFor()

    // The editor says what it repairs, and proposes now.
    await page.goto(at("/activity"))
    await cause(page).getByRole("link", { name: "Edit and retry" }).click()
    await page.waitForURL(/\/compose\?.*from=.*&repairs=/)
    const begun = page.url()
    await page.getByRole("heading", { name: "Repair", level: 1 }).waitFor()
    await page.getByText("This goes out instead of what failed on Test network @").waitFor()
    await page.getByRole("button", { name: "Publish now" }).waitFor()
    await onEachScreen(async (look) => {
      await look.goto(begun)
      await look.getByText("This goes out instead of what failed on Test network @").waitFor()
      await inspect(look)
    })

    // What is written is a draft soon, and the failure leads to it wherever it is shown.
    await page.locator("[data-writing]").fill("Soup, and a kind word")
    await page.waitForURL(/\/posts\/(?!compose)/)
    const repair = new RegExp(/\/posts\/[0-9a-f-]+/.exec(page.url())![0])
    assert.doesNotMatch(failure, repair)
    await page.goto(failure)
    for (const name of names) await row(page, name, "failed").waitFor()
    assert.equal(await page.getByRole("link", { name: "Edit and retry" }).count(), 0)
    assert.equal(await page.getByRole("button", { name: /^(Try again|Retry all)/ }).count(), 0)
    await row(page, "cove", "failed").getByText("It has not gone out yet.").waitFor()
    await inspect(page)
    await page.goto(begun)
    await page.waitForURL(repair)
    await page.goto(at("/activity"))
    await cause(page).getByText("It has not gone out yet.").waitFor()
    await inspect(page)
    await cause(page).getByRole("link", { name: "Open the repair" }).click()
    await page.waitForURL(repair)
    await page.getByRole("heading", { name: "Repair", level: 1 }).waitFor()
    assert.equal(await page.locator("[data-writing]").inputValue(), "Soup, and a kind word")
    await page.getByRole("button", { name: "Publish now" }).click()
    for (const name of names) await row(page, name, "live").waitFor()
    await inspect(page)

    // It is settled: it says where, asks for nothing, and each leads to the other.
    await page.getByRole("link", { name: "a post that failed" }).click()
    await page.waitForURL(failure)
    for (const name of names) await row(page, name, "repaired").waitFor()
    await row(page, "cove", "repaired").getByText("Repaired: live at").waitFor()
    await page.getByText("All 2 repaired").waitFor()
    assert.equal(await page.getByRole("link", { name: "Edit and retry" }).count(), 0)
    await onEachScreen(async (look) => {
      await look.goto(failure)
      await row(look, "cove", "repaired").waitFor()
      await inspect(look)
    })
    await row(page, "cove", "repaired").getByRole("link", { name: "Open the repair" }).click()
    await page.waitForURL(repair)
    await page.goto(begun)
    await page.waitForURL(repair)
    await page.goto(at("/activity"))
    await page
      .getByRole("region", { name: "What happened" })
      .getByRole("link")
      .filter({ hasText: "Soup, and a free word was repaired" })
      .waitFor()
    assert.equal(await cause(page).count(), 0)
    await inspect(page)
    for (const name of names) assert.deepEqual(await textsOf(name), ["Soup, and a kind word"])
  })
})
