import assert from "node:assert/strict"
import { run } from "./run.ts"
import type { Walk } from "./results.ts"
import { toast } from "./toast.ts"

/** Drafts without a day: apart from the calendar, given a day by pointer, keys and dialog, and dated when they went live. */
export const undated = async ({ inspect, onEachScreen, page, service }: Walk, account: number) => {
  const draft = async (caption: string): Promise<string> =>
    (await run(service.call("POST", "/v1/posts", { social_accounts: [account], caption, is_draft: true })))
      .body.id
  const stored = async (id: string) => (await run(service.call("GET", `/v1/posts/${id}`))).body
  const [first, second] = [await draft("Nobody knows when"), await draft("One of these days")]
  const shelf = page.getByRole("region", { name: "Drafts without a day" })

  // The day on which they were made does not have them.
  await page.goto(`${service.url}/app?view=month`)
  const opener = page.getByRole("button", { name: "2 drafts without a day" })
  await opener.waitFor()
  assert.equal(await page.locator(`[data-post="${first}"], [data-post="${second}"]`).count(), 0)

  // By pointer, onto a day; and back.
  await page.goto(`${service.url}/app?view=month&date=2030-12-12`)
  await opener.click()
  await shelf.locator(`[data-undated="${first}"]`).dragTo(page.locator('[data-cell][data-day="2030-12-13"]'))
  await toast(page, "Moved to Fri 13 Dec, 09:00").waitFor()
  await page.locator(`[data-day="2030-12-13"][data-post="${first}"]`).waitFor()
  assert.deepEqual(
    [(await stored(first)).status, (await stored(first)).scheduled_at],
    ["draft", "2030-12-13T08:00:00.000Z"]
  )
  await page.getByRole("button", { name: "1 draft without a day" }).waitFor()
  await page.getByRole("button", { name: "Undo" }).click()
  await toast(page, "Moved back").last().waitFor()
  await opener.waitFor()
  await page.locator(`[data-post="${first}"]`).waitFor({ state: "detached" })
  assert.equal((await stored(first)).scheduled_at, null)

  // By keys and dialog.
  await shelf.locator(`[data-undated="${second}"]`).focus()
  await page.keyboard.press("Enter")
  await page.getByRole("button", { name: "Move to…" }).click()
  await page.getByLabel("Day, Paris time").fill("2030-12-16T07:30")
  await page.getByRole("button", { name: "Move", exact: true }).click()
  await page.locator(`[data-day="2030-12-16"][data-post="${second}"]`).waitFor()
  assert.equal((await stored(second)).scheduled_at, "2030-12-16T06:30:00.000Z")

  // Today, and the time that is offered has passed or not: it is one to come.
  const today = page.locator("[data-cell]").filter({ has: page.locator(".number .today") })
  await page.goto(`${service.url}/app?view=month&undated=true`)
  await shelf.locator(`[data-undated="${first}"]`).dragTo(today)
  await page.locator(`[data-post="${first}"]`).waitFor()
  await toast(page, "Moved to").last().waitFor()
  assert.ok(Date.parse((await stored(first)).scheduled_at) > Date.now())
  await page.getByRole("button", { name: "Undo" }).last().click()
  await shelf.locator(`[data-undated="${first}"]`).waitFor()

  await onEachScreen(async (look, screen) => {
    for (const view of ["month", "agenda"]) {
      await look.goto(`${service.url}/app?view=${view}&date=2030-12-12&undated=true`)
      await look.locator(`[data-undated="${first}"]`).waitFor()
      await inspect(look, `undated-${view}-${screen}`)
    }
    await look.locator(`[data-undated="${first}"]`).click()
    await look.getByRole("button", { name: "Edit" }).click()
    await look.waitForURL(new RegExp(first))
  })

  // Written a month before it is published by hand.
  await run(service.call("POST", `/v1/posts/${first}/publish`))
  await page.route(`**/v1/posts/${first}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      json: { ...(await response.json()), created_at: "2026-01-02T07:14:00.000Z" }
    })
  })
  await page.goto(`${service.url}/app/posts/${first}`)
  await page.getByText("Sent today,").waitFor()
  await page.unrouteAll({ behavior: "wait" })
  await page.goto(`${service.url}/app?view=month`)
  await today.locator(`[data-post="${first}"]`).waitFor()
  await run(service.call("DELETE", `/v1/posts/${second}`))
}
