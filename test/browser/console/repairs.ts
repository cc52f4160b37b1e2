import assert from "node:assert/strict"
import { type Page } from "playwright-core"
import type { Walk } from "./results.ts"
import { run } from "./run.ts"

const cause = (page: Page) => page.locator("[data-cause]").filter({ hasText: "Soup, and a free word" })

const row = (page: Page, name: string, state: string) =>
  page.locator(`[data-result][data-state="${state}"]`).filter({ hasText: `@${name}` })

/** A post that two networks refused is written again, once, whoever looks at the failure meanwhile. */
export const repairs = async ({ inspect, onEachScreen, page, sandbox, service }: Walk) => {
  const names = ["cove", "dune"]
  const accounts = await Promise.all(
    names.map(
      async (username) =>
        (
          await run(
            service.call("POST", "/v1/social-accounts", {
              platform: "sandbox",
              credentials: { username, password: "sandbox" }
            })
          )
        ).body.id as number
    )
  )
  for (const name of names)
    await run(sandbox.script(name, [{ on: "post", fault: "refuse", message: "No free words." }]))
  const { body: post } = await run(
    service.call("POST", "/v1/posts", { social_accounts: accounts, caption: "Soup, and a free word" })
  )
  const failure = `${service.url}/app/posts/${post.id}`
  await page.goto(failure)
  for (const name of names) await row(page, name, "failed").waitFor()

  // The editor says what it repairs, and proposes now.
  await page.goto(`${service.url}/app/activity`)
  await cause(page).getByRole("link", { name: "Edit and retry" }).click()
  await page.waitForURL(/\/compose\?from=.*&repairs=/)
  const begun = page.url()
  await page.getByRole("heading", { name: "Repair", level: 1 }).waitFor()
  await page.getByText("This goes out instead of what failed on Test network @").waitFor()
  await page.getByRole("button", { name: "Publish now" }).waitFor()
  await onEachScreen(async (look, screen) => {
    await look.goto(begun)
    await look.getByText("This goes out instead of what failed on Test network @").waitFor()
    await inspect(look, `repair-${screen}`)
  })

  // What is written is a draft soon, and the failure leads to it wherever it is shown.
  await page.locator("textarea.writing").fill("Soup, and a kind word")
  await page.waitForURL(/\/posts\/(?!compose)/)
  const repair = page.url()
  assert.notEqual(repair, failure)
  await page.goto(failure)
  for (const name of names) await row(page, name, "failed").waitFor()
  assert.equal(await page.getByRole("link", { name: "Edit and retry" }).count(), 0)
  assert.equal(await page.getByRole("button", { name: /^(Try again|Retry all)/ }).count(), 0)
  await row(page, "cove", "failed").getByText("It has not gone out yet.").waitFor()
  await inspect(page, "result-repair-open")
  await page.goto(begun)
  await page.waitForURL(repair)
  await page.goto(`${service.url}/app/activity`)
  await cause(page).getByText("It has not gone out yet.").waitFor()
  await inspect(page, "activity-repair-open")
  await cause(page).getByRole("link", { name: "Open the repair" }).click()
  await page.waitForURL(repair)
  await page.getByRole("heading", { name: "Repair", level: 1 }).waitFor()
  assert.equal(await page.locator("textarea.writing").inputValue(), "Soup, and a kind word")
  await page.getByRole("button", { name: "Publish now" }).click()
  for (const name of names) await row(page, name, "live").waitFor()
  await inspect(page, "result-of-repair")

  // It is settled: it says where, asks for nothing, and each leads to the other.
  await page.getByRole("link", { name: "a post that failed" }).click()
  await page.waitForURL(failure)
  for (const name of names) await row(page, name, "repaired").waitFor()
  await row(page, "cove", "repaired").getByText("Repaired: live at").waitFor()
  await page.getByText("All 2 repaired").waitFor()
  assert.equal(await page.getByRole("link", { name: "Edit and retry" }).count(), 0)
  await onEachScreen(async (look, screen) => {
    await look.goto(failure)
    await row(look, "cove", "repaired").waitFor()
    await inspect(look, `result-repaired-${screen}`)
  })
  await row(page, "cove", "repaired").getByRole("link", { name: "Open the repair" }).click()
  await page.waitForURL(repair)
  await page.goto(begun)
  await page.waitForURL(repair)
  await page.goto(`${service.url}/app/activity`)
  await page.locator(".happened .line").filter({ hasText: "Soup, and a free word was repaired" }).waitFor()
  assert.equal(await cause(page).count(), 0)
  await inspect(page, "activity-repaired")
  for (const name of names)
    assert.deepEqual(
      (await run(sandbox.publications(name))).map(({ text }) => text),
      ["Soup, and a kind word"]
    )
}
