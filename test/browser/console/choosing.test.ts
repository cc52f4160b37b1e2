import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { describe } from "vitest"
import { inspect } from "./inspect.ts"
import { type Room, test as base } from "./test.ts"
import { toast } from "./toast.ts"

const test = base.extend(
  "connectedTo",
  ({ room: { call } }) =>
    async (text: string): Promise<ReadonlyArray<{ readonly id: number; readonly username: string }>> =>
      (await call("GET", `/v1/social-accounts?platform=instagram&limit=100&q=${text}`)).data
)

/** Goes on from the dialog to the test network's Facebook, and comes back with what this sign-in opens. */
const signIn = async (page: Page, username: string) => {
  await page.getByRole("button", { name: "A Facebook Page" }).click()
  await page.getByRole("button", { name: "Go to Facebook" }).click()
  await page.getByRole("button", { name: "Continue to" }).click()
  await page.getByRole("textbox", { name: "Account" }).fill(username)
  await page.getByRole("button", { name: "Allow" }).click()
}

const begin = async (page: Page, at: Room["at"], username: string) => {
  await page.goto(at("/accounts?connect=instagram"))
  await signIn(page, username)
  await page.getByRole("dialog", { name: "Choose Instagram accounts" }).waitFor()
}

describe("the choice among the accounts of one sign-in", () => {
  test("is of two by keys, and outlasts a reload", async ({ connectedTo, page, room: { at } }) => {
    await begin(page, at, "bakery-two")
    // Nothing is connected yet.
    assert.equal(await toast(page, "Connected").count(), 0)
    const dialog = page.getByRole("dialog")
    assert.equal(await dialog.getByRole("searchbox").count(), 0)
    await dialog.getByRole("checkbox", { name: "@bakery-two" }).and(page.locator(":focus")).waitFor()
    await inspect(page)
    await page.keyboard.press("Enter")
    await dialog.getByRole("alert").filter({ hasText: "Choose at least one account." }).waitFor()
    await inspect(page)
    // Opened again, the page still has the choice.
    await page.reload()
    await dialog.getByRole("checkbox", { name: "@bakery-two" }).waitFor()
    for (const key of ["Tab", "Space", "Enter"]) await page.keyboard.press(key)
    await toast(page, "Connected @bakery-shop").waitFor()
    assert.equal(page.url(), at("/accounts"))
    assert.deepEqual(
      (await connectedTo("bakery-")).map(({ username }) => username),
      ["bakery-shop"]
    )
  })

  test("is of sixty by search, and marks those that are connected", async ({
    connectedTo,
    page,
    room: { at }
  }) => {
    await begin(page, at, "agency-sixty")
    const dialog = page.getByRole("dialog")
    const search = dialog.getByRole("searchbox", { name: "Search accounts" })
    await search.and(page.locator(":focus")).waitFor()
    assert.equal(await dialog.getByRole("checkbox").count(), 61)
    await inspect(page)
    await page.keyboard.type("branch-5")
    // Enter in the search connects nothing.
    await page.keyboard.press("Enter")
    await dialog.getByRole("checkbox", { name: "All 11 that match" }).check()
    await dialog.getByText("11 of 60 chosen").waitFor()
    await inspect(page)
    await dialog.getByRole("checkbox", { name: "@agency-branch-50" }).uncheck()
    await search.fill("nobody")
    await dialog.getByText("No account matches “nobody”").waitFor()
    await inspect(page)
    await search.fill("")
    await dialog.getByRole("checkbox", { name: "@agency-sixty" }).check()
    await dialog.getByRole("button", { name: "Connect 11 accounts" }).click()
    await toast(page, "Connected 11 accounts").waitFor()
    const connected = await connectedTo("agency-")
    assert.equal(connected.length, 11)

    // Those that are connected are marked and ticked, and keep their ids.
    await begin(page, at, "agency-sixty")
    await dialog.getByText("11 of 60 chosen").waitFor()
    assert.equal(await dialog.getByText("Connected already").count(), 11)
    await search.fill("branch-5")
    await inspect(page)
    await search.fill("branch-6")
    await dialog.getByRole("checkbox", { name: "All 2 that match" }).check()
    await dialog.getByRole("button", { name: "Connect 13 accounts" }).click()
    await toast(page, "Connected 13 accounts").waitFor()
    const now = await connectedTo("agency-")
    assert.deepEqual(
      connected.filter(({ id }) => !now.some((one) => one.id === id)),
      []
    )
    assert.equal(now.length, 13)
  })

  test("is offered by a reconnection only if that is asked", async ({ connectedTo, page, room: { at } }) => {
    await begin(page, at, "market-two")
    const dialog = page.getByRole("dialog", { name: "Choose Instagram accounts" })
    await dialog.getByRole("checkbox", { name: "@market-shop" }).check()
    await page.keyboard.press("Enter")
    await toast(page, "Connected @market-shop").waitFor()
    const [shop] = await connectedTo("market-shop")
    await page.goto(at(`/accounts?reconnect=${shop!.id}`))
    await signIn(page, "market-two")
    await toast(page, "Reconnected @market-shop").waitFor()
    assert.equal((await connectedTo("market-")).length, 1)
    await page.goto(at(`/accounts?reconnect=${shop!.id}`))
    await page.getByText("Offer the other accounts of this sign-in too").click()
    await inspect(page)
    await signIn(page, "market-two")
    await dialog.getByRole("checkbox", { name: "@market-shop", checked: true }).waitFor()
    await dialog.getByRole("checkbox", { name: "@market-two", checked: false }).waitFor()
    await dialog.getByRole("button", { name: "Cancel" }).click()
    await dialog.waitFor({ state: "detached" })
    assert.equal((await connectedTo("market-")).length, 1)
  })

  test("is there on each screen, or has ended", async ({ onEachScreen, page, room: { at } }) => {
    await begin(page, at, "look-sixty")
    const chosen = page.url()
    await onEachScreen(async (look) => {
      await look.goto(chosen)
      await look.getByRole("checkbox", { name: "@look-branch-2" }).first().waitFor()
      await inspect(look)
      await look.goto(chosen.replace(/pending=[^&]*/, "pending=0191f0a0-0000-7000-8000-00000000dead"))
      await look.getByText("This choice has ended").waitFor()
      await inspect(look)
    })
  })
})
