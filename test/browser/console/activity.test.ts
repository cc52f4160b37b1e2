import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { describe } from "vitest"
import { inspect } from "./inspect.ts"
import { outcomes } from "./outcomes.ts"
import { test } from "./test.ts"

const cause = (page: Page, text: string) => page.locator("[data-cause]").filter({ hasText: text })

const doubtOf = (page: Page) => cause(page, "is “Behind the stall")

describe("activity", () => {
  test("says what needs a person, until nothing does", async ({ onEachScreen, page, room, sandbox }) => {
    const { at, connect, script, write } = room
    const { harbour, post, quay } = await outcomes(room)
    const settled = async (id: string, results = 1) => {
      await page.goto(at(`/posts/${id}`))
      await page
        .locator('[data-result]:is([data-state="failed"], [data-state="doubt"])')
        .nth(results - 1)
        .waitFor()
    }
    await settled(post, 2)
    await page.locator('[data-result][data-state="blocked"]').waitFor()
    await script("quay-none", [{ on: "post", fault: "effect_then_lost_reply" }])
    await settled(await write({ social_accounts: [quay], caption: "Behind the stall: flour and hands" }))
    const closed = await connect("closed")
    await script("closed", [{ on: "post", fault: "forbidden", times: 2 }])
    for (const caption of ["Lunch: soup and a roll", "Two places free at the workshop"])
      await settled(await write({ social_accounts: [closed], caption }))
    for (const [hours, caption] of [
      [26, "Bells at dusk, from the roof"],
      [50, "Rye and walnut is back"]
    ] as const) {
      const scheduled_at = new Date(Date.now() + hours * 3_600_000).toISOString()
      await write({ social_accounts: [harbour], caption, scheduled_at })
    }

    await page.goto(at("/activity"))
    const blocked = cause(page, "@harbour has to be connected again")
    await blocked.getByText("3 posts are waiting for it").waitFor()
    await cause(page, "is “Behind the stall: flour and hands” live on Test network @quay-none?").waitFor()
    assert.equal(
      await doubtOf(page).getByRole("link", { name: "Open the account @quay-none" }).getAttribute("href"),
      `${sandbox.url}/?account=quay-none`
    )
    await cause(page, "2 posts did not go out to Test network @closed").waitFor()
    const activity = page.getByRole("banner").getByRole("link", { name: /^Activity/ })
    const count = await page.locator("[data-cause]").count()
    await activity.filter({ hasText: `${count} need you` }).waitFor()
    await onEachScreen(async (look) => {
      await look.goto(at("/activity"))
      await cause(look, "@harbour has to be connected again").waitFor()
      await look.getByRole("region", { name: "What happened" }).getByRole("link").first().waitFor()
      await look
        .getByRole("region", { name: "Next" })
        .getByRole("link", { name: "Reconnect Test network @harbour" })
        .first()
        .waitFor()
      await inspect(look)
      // The same post in the calendar says what it waits for.
      await look.goto(at(`?view=agenda&account=${harbour}`))
      await look.getByRole("button", { name: "Bells at dusk, from the roof" }).click()
      const card = look.getByRole("dialog")
      await card.getByText("Test network @harbour has to be connected again.").waitFor()
      await card.getByRole("link", { name: "Reconnect" }).waitFor()
      await inspect(look)
    })

    await blocked.getByRole("link", { name: "Reconnect" }).click()
    await page.waitForURL(new RegExp(`/accounts\\?.*reconnect=${harbour}`))
    await page.goto(at("/activity"))
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
    await connect("harbour")
    const last = cause(page, "is “A glimpse")
    await last.getByRole("button", { name: "It is live" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "It is live" }).click()
    await last.waitFor({ state: "detached" })
    await page.reload()
    await page.getByText("Nothing needs you").waitFor()
    await activity.filter({ hasNotText: "you" }).waitFor()
    await onEachScreen(async (look) => {
      await look.goto(at("/activity"))
      await look.getByText("Nothing needs you").waitFor()
      await inspect(look)
    })
  })
})
