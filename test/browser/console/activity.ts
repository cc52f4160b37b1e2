import type { ServiceProcess } from "@carillon/testing/ServiceProcess"
import assert from "node:assert/strict"
import { type Page } from "playwright-core"
import type { Walk } from "./results.ts"
import { run } from "./run.ts"

const cause = (page: Page, text: string | RegExp) => page.locator("[data-cause]").filter({ hasText: text })

const account = async (service: ServiceProcess, username: string): Promise<number> =>
  (
    await run(
      service.call("POST", "/v1/social-accounts", {
        platform: "sandbox",
        credentials: { username, password: "sandbox" }
      })
    )
  ).body.id

/** Its page says what became of it. */
const settled = async (page: Page, service: ServiceProcess, id: string) => {
  await page.goto(`${service.url}/app/posts/${id}`)
  await page.locator('[data-result]:is([data-state="failed"], [data-state="doubt"])').waitFor()
}

const doubtOf = (page: Page) => cause(page, "is “Behind the stall")

/** What needs a person, solved one after the other, until nothing does. It comes after the walk of the results, and solves theirs too. */
export const activity = async ({ inspect, onEachScreen, page, sandbox, service }: Walk) => {
  const publish = async (account: number, caption: string) => {
    const { body } = await run(service.call("POST", "/v1/posts", { social_accounts: [account], caption }))
    return body.id as string
  }
  const quay = await account(service, "quay-none")
  await run(sandbox.script("quay-none", [{ on: "post", fault: "effect_then_lost_reply" }]))
  await settled(page, service, await publish(quay, "Behind the stall: flour and hands"))
  const closed = await account(service, "closed")
  await run(sandbox.script("closed", [{ on: "post", fault: "forbidden", times: 2 }]))
  for (const caption of ["Lunch: soup and a roll", "Two places free at the workshop"])
    await settled(page, service, await publish(closed, caption))
  const harbour = (await run(service.call("GET", "/v1/social-accounts?username=harbour"))).body.data[0].id
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  for (const [hours, caption] of [
    [26, "Bells at dusk, from the roof"],
    [50, "Rye and walnut is back"]
  ] as const) {
    await run(
      service.call("POST", "/v1/posts", { social_accounts: [harbour], caption, scheduled_at: at(hours) })
    )
  }

  await page.goto(`${service.url}/app/activity`)
  const blocked = cause(page, "@harbour has to be connected again")
  await blocked.getByText("3 posts are waiting for it").waitFor()
  await cause(page, "is “Behind the stall: flour and hands” live on Test network @quay-none?").waitFor()
  assert.equal(
    await doubtOf(page).getByRole("link", { name: "Open the account @quay-none" }).getAttribute("href"),
    `${sandbox.url}/?account=quay-none`
  )
  await cause(page, "2 posts did not go out to Test network @closed").waitFor()
  const badge = page.getByRole("banner").locator(".needs-count")
  assert.equal(
    (await badge.innerText()).split("\n")[0]!.trim(),
    String(await page.locator("[data-cause]").count())
  )
  await onEachScreen(async (look, screen) => {
    await look.goto(`${service.url}/app/activity`)
    await cause(look, "@harbour has to be connected again").waitFor()
    await look.locator(".happened .line").first().waitFor()
    await look
      .locator(".next-one")
      .getByRole("link", { name: "Reconnect Test network @harbour" })
      .first()
      .waitFor()
    await inspect(look, `activity-${screen}`)
    // The same post in the calendar says what it waits for.
    await look.goto(`${service.url}/app?view=agenda&account=${harbour}`)
    await look.getByRole("button", { name: "Bells at dusk, from the roof" }).click()
    const card = look.getByRole("dialog")
    await card.getByText("Test network @harbour has to be connected again.").waitFor()
    await card.getByRole("link", { name: "Reconnect" }).waitFor()
    await inspect(look, `blocked-${screen}`)
  })

  await blocked.getByRole("link", { name: "Reconnect" }).click()
  await page.waitForURL(new RegExp(`/accounts\\?reconnect=${harbour}`))
  await page.goto(`${service.url}/app/activity`)
  await doubtOf(page).waitFor()

  // Through the causes by keys; an answer folds its row, and the focus goes on to the next.
  await page.locator("h1").click()
  await page.keyboard.press("j")
  await blocked.and(page.locator(":focus")).waitFor()
  await page.keyboard.press("j")
  const doubt = doubtOf(page)
  await page.keyboard.press("k")
  await blocked.and(page.locator(":focus")).waitFor()
  await doubt.getByRole("button", { name: "It is live" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "It is live" }).click()
  await doubt.waitFor({ state: "detached" })
  await page.locator("[data-cause] :focus").waitFor()

  await cause(page, "2 posts did not go out").getByRole("button", { name: "Try all again" }).click()
  await cause(page, "2 posts did not go out").waitFor({ state: "detached" })
  await page.getByText("Lunch: soup and a roll is live").waitFor()

  // What nobody can send as it is can be left, and taken back.
  const refused = cause(page, "did not accept “A glimpse")
  await refused.getByRole("button", { name: "Dismiss" }).click()
  await refused.waitFor({ state: "detached" })
  await page.getByRole("button", { name: "Undo" }).click()
  await refused.waitFor()
  await refused.getByRole("button", { name: "Dismiss" }).click()
  await refused.waitFor({ state: "detached" })

  // Somebody connects the account again, and answers the last question: nothing is left.
  await account(service, "harbour")
  const last = cause(page, "is “A glimpse")
  await last.getByRole("button", { name: "It is live" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "It is live" }).click()
  await last.waitFor({ state: "detached" })
  await page.reload()
  await page.getByText("Nothing needs you").waitFor()
  await badge.waitFor({ state: "detached" })
  await onEachScreen(async (look, screen) => {
    await look.goto(`${service.url}/app/activity`)
    await look.getByText("Nothing needs you").waitFor()
    await inspect(look, `activity-empty-${screen}`)
  })
}
