import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { describe } from "vitest"
import { inspect } from "./inspect.ts"
import { outcomes } from "./outcomes.ts"
import { type Room, test } from "./test.ts"
import { toast } from "./toast.ts"

const row = (page: Page, name: string) => page.locator("[data-result]").filter({ hasText: `@${name}` })

const inState = (page: Page, name: string, state: string) =>
  row(page, name).and(page.locator(`[data-state="${state}"]`))

/** The page of a post whose answer was lost. */
const lost = async (page: Page, { at, connect, script, write }: Room, caption: string) => {
  const account = await connect("quay-none")
  await script("quay-none", [{ on: "post", fault: "effect_then_lost_reply" }])
  await page.goto(at(`/posts/${await write({ social_accounts: [account], caption })}`))
  await inState(page, "quay-none", "doubt").waitFor()
}

describe("the page of a post", () => {
  test("says of each account what became of the post, and what to do", async ({
    onEachScreen,
    page,
    room
  }) => {
    const { at } = room
    const { mill, post } = await outcomes(room)
    const address = at(`/posts/${post}`)
    await page.goto(address)
    await inState(page, "bakery", "live").waitFor()
    await inState(page, "mill", "failed").waitFor()
    await inState(page, "quay-none", "doubt").waitFor()
    await inState(page, "harbour", "blocked").waitFor()
    await inState(page, "tower", "waiting").waitFor()

    // Opened again, what needs a person is first, and each row has its sentence.
    await page.reload()
    await inState(page, "tower", "waiting").waitFor()
    assert.deepEqual(
      await Promise.all(
        (await page.locator("[data-result]").all()).map((one) => one.getAttribute("data-state"))
      ),
      ["failed", "doubt", "blocked", "waiting", "live"]
    )
    await row(page, "mill").getByText("did not accept it: “The word “free” is not allowed here.”").waitFor()
    await row(page, "quay-none").getByText("Look at the account before you answer.").waitFor()
    await row(page, "quay-none").getByRole("link", { name: "Open @quay-none" }).waitFor()
    await row(page, "harbour").getByText("the post goes out by itself").waitFor()
    await row(page, "tower")
      .getByText(/Goes out .* in (2 h|1 h 59 min)/)
      .waitFor()
    await row(page, "bakery").getByRole("link", { name: "Open the post" }).waitFor()
    await page.getByText("gave no answer").waitFor()

    await onEachScreen(async (look) => {
      await look.goto(address)
      await inState(look, "tower", "waiting").waitFor()
      await look.getByText("gave no answer").waitFor()
      await inspect(look)
    })
    await page.getByRole("tab", { name: "What was sent" }).click()
    await page.getByText("and the entrance is free").waitFor()
    await inspect(page)

    // A refused post is written again for the account that refused it, and one step back is this page.
    await page.getByRole("link", { name: "Edit and retry" }).click()
    await page.waitForURL(new RegExp(`/compose\\?.*from=${post}&accounts=${mill}&repairs=`))
    await page.goBack()
    await inState(page, "mill", "failed").waitFor()

    await page.goto(at("/posts/01a20546-0bd8-71d1-b52c-36d2b981d5e6"))
    await page.getByText("This post is gone").waitFor()
    await inspect(page)

    // A part of it is live: it says so, and that it cannot be changed. One that only waits can be.
    await page.goto(address)
    await page.getByText("It is live already, so it can no longer be changed").waitFor()
    assert.equal(await page.getByRole("link", { name: "Edit", exact: true }).count(), 0)
  })

  test("leads to a change of a post that waits for its next try", async ({
    onEachScreen,
    page,
    room: { at, connect, script, stored, write }
  }) => {
    // The page opens while the post is going out.
    const account = await connect("lantern")
    await script("lantern", [
      { on: "post", fault: "unauthorized" },
      { on: "session", fault: "slow", ms: 2_500 },
      { on: "post", fault: "rate_limited", retry_after: 7_200 }
    ])
    const id = await write({ social_accounts: [account], caption: "Open until sevn" })
    const address = at(`/posts/${id}`)
    await page.goto(address)
    await inState(page, "lantern", "waiting").waitFor()
    await onEachScreen(async (look) => {
      await look.goto(address)
      await look.getByRole("link", { name: "Edit", exact: true }).waitFor()
      await inspect(look)
      await look.getByRole("link", { name: "Edit", exact: true }).click()
      await look.getByText("Next try: ").waitFor()
      await inspect(look)
    })
    await page.getByRole("link", { name: "Edit", exact: true }).click()
    await page.locator("[data-writing]").fill("Open until seven")
    await page.getByRole("button", { name: "Publish now" }).click()
    await page.waitForURL((url) => url.pathname.endsWith(id) && !url.searchParams.has("edit"))
    await page.locator("[data-result]").waitFor()
    assert.equal((await stored(id)).caption, "Open until seven")
  })

  test("takes the person's answer where a network gave none", async ({ page, room }) => {
    await lost(page, room, "Flour and hands, behind the stall")
    await page.getByRole("button", { name: "It is live" }).click()
    await page.getByLabel("Address of the post").fill("nowhere")
    await page.getByRole("dialog").getByRole("button", { name: "It is live" }).click()
    await page.getByText("This is not the address of a page").waitFor()
    await page.getByLabel("Address of the post").fill("https://social.example/@quay/1")
    await inspect(page)
    await page.getByRole("dialog").getByRole("button", { name: "It is live" }).click()
    await toast(page, "Noted: live on @quay-none").waitFor()
    await inState(page, "quay-none", "live").waitFor()
    assert.equal(
      await row(page, "quay-none").getByRole("link").getAttribute("href"),
      "https://social.example/@quay/1"
    )

    // It is not live, and nothing is sent before the person has looked.
    await lost(page, room, "The last tickets for tomorrow")
    await page.getByRole("button", { name: "It is not live" }).click()
    await page.getByRole("button", { name: "Look first" }).and(page.locator(":focus")).waitFor()
    await page.getByRole("button", { name: "Send again" }).click()
    await page.getByText("Tick this when you have looked.").waitFor()
    await page.getByLabel("I looked: it is not on @quay-none").check()
    await inspect(page)
    await page.getByRole("button", { name: "Leave it unsent" }).click()
    await toast(page, "Noted: not on @quay-none").waitFor()
    await inState(page, "quay-none", "failed").waitFor()
    await page.getByRole("button", { name: "Send again" }).click()
    await page.getByLabel("I looked: it is not on @quay-none").check()
    await page.getByRole("alertdialog").getByRole("button", { name: "Send again" }).click()
    await toast(page, "On its way again").waitFor()
    await inState(page, "quay-none", "live").waitFor()
  })

  test("does not jump while a post goes out, and says what became of it", async ({
    page,
    room: { at, connect, script, write }
  }) => {
    const accounts = [await connect("bakery"), await connect("mill")]
    await page.goto(at("/activity"))
    await script("bakery", [{ on: "post", fault: "slow", ms: 15_000 }])
    const id = await write({ social_accounts: accounts, caption: "Saturday market is open" })
    await page.goto(at(`/posts/${id}`))
    await inState(page, "bakery", "going").waitFor()
    await inState(page, "mill", "live").waitFor()
    const heights = async () =>
      Promise.all(
        (await page.locator("[data-result]").all()).map(async (one) => (await one.boundingBox())!.height)
      )
    const before = await heights()
    await inState(page, "bakery", "live").waitFor()
    const jump = (await heights()).map((height, index) => Math.abs(height - before[index]!))
    assert.ok(Math.max(...jump) <= 4, `rows jump by ${jump.join()} px`)
    assert.match((await page.locator("[role=status]").allTextContents()).join(), /@bakery: Live/)
  })
})
