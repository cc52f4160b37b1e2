import assert from "node:assert/strict"
import type { Page, Route } from "playwright-core"
import { describe } from "vitest"
import { busy } from "./busy.ts"
import { inspect } from "./inspect.ts"
import { screens, test as base } from "./test.ts"
import { toast } from "./toast.ts"

const texts = [
  "Advent opens on the square",
  "Rye and walnut, back for the winter",
  "Bells at dusk, every evening until Christmas",
  "The last tickets for tomorrow",
  "Saturday market is open"
]

const test = base
  .extend("account", { scope: "file" }, ({ room }) => room.connect("calendar"))
  /** A post of its own for each test, in a month far from now, all of whose days are to come. */
  .extend(
    "post",
    ({ account, room }) =>
      (day: string, time: string) =>
        room.write({
          social_accounts: [account],
          caption: "The one that moves",
          scheduled_at: `${day}T${time}[Europe/Paris]`
        })
  )
  .extend(
    "isAt",
    ({ room }) =>
      async (id: string, time: string) =>
        assert.equal((await room.stored(id)).scheduled_at, time)
  )

const tile = (page: Page, id: string) => page.locator(`[data-post="${id}"]`)

const day = (page: Page, date: string) => page.locator(`[data-cell][data-day="${date}"]`)

const press = async (page: Page, ...keys: ReadonlyArray<string>) => {
  for (const key of keys) await page.keyboard.press(key)
}

describe("the calendar", () => {
  test("moves a post by pointer: the day changes, the clock stays", async ({
    isAt,
    page,
    post,
    room: { at }
  }) => {
    const id = await post("2030-12-12", "18:00")
    await page.goto(at("?view=month&date=2030-12-12"))
    assert.equal(await page.title(), "Calendar – Carillon")
    await tile(page, id).dragTo(day(page, "2030-12-14"))
    await toast(page, "Moved to Sat 14 Dec, 18:00").waitFor()
    await isAt(id, "2030-12-14T17:00:00.000Z")
    await page.getByRole("button", { name: "Undo" }).click()
    await toast(page, "Moved back").waitFor()
    await isAt(id, "2030-12-12T17:00:00.000Z")
  })

  test("moves a post by keys, and back with the key for undoing", async ({
    isAt,
    page,
    post,
    room: { at }
  }) => {
    const id = await post("2030-12-12", "18:00")
    await page.goto(at("?view=month&date=2030-12-12"))
    await tile(page, id).focus()
    await press(page, "m", "ArrowRight", "ArrowDown")
    await day(page, "2030-12-20").locator("[data-place]").waitFor()
    await press(page, "Enter")
    await toast(page, "Moved to Fri 20 Dec, 18:00").waitFor()
    await isAt(id, "2030-12-20T17:00:00.000Z")
    await page.locator('[data-day="2030-12-20"][data-post]').and(page.locator(":focus")).waitFor()
    await press(page, "Control+z")
    await toast(page, "Moved back").waitFor()
    await page.locator(`[data-day="2030-12-12"][data-post="${id}"]`).waitFor()
    await isAt(id, "2030-12-12T17:00:00.000Z")

    // Picked up and left.
    await tile(page, id).focus()
    await press(page, "m", "ArrowRight", "Escape")
    await page.locator("[data-place]").waitFor({ state: "detached" })
  })

  test("moves a post by dialog, which takes no time that has passed", async ({
    isAt,
    page,
    post,
    room: { at }
  }) => {
    const id = await post("2030-12-12", "18:00")
    await page.goto(at("?view=month&date=2030-12-12"))
    await tile(page, id).click()
    await page.getByRole("button", { name: "Move to…" }).click()
    await page.getByLabel("Day, Paris time").fill("2020-12-15T07:30")
    await page.getByText("This time has passed").waitFor()
    await page.getByLabel("Day, Paris time").fill("2030-12-15T07:30")
    await page.getByRole("button", { name: "Move", exact: true }).click()
    await toast(page, "Moved to Sun 15 Dec, 07:30").waitFor()
    await isAt(id, "2030-12-15T06:30:00.000Z")
  })

  test("moves nothing that somebody has changed meanwhile, until the person says so", async ({
    isAt,
    page,
    post,
    room: { at, call }
  }) => {
    const id = await post("2030-12-15", "07:30")
    await page.goto(at("?view=month&date=2030-12-15"))
    await tile(page, id).waitFor()
    // A page that asks for nothing any more: an answer under way could bring the change to it.
    const held: Array<Route> = []
    await page.route("**/v1/posts/calendar**", (route) => void held.push(route))
    await call("PATCH", `/v1/posts/${id}`, { caption: "The one that somebody changed" })
    await tile(page, id).dragTo(day(page, "2030-12-16"))
    await toast(page, /^Not moved: .* changed it at/).waitFor()
    await isAt(id, "2030-12-15T06:30:00.000Z")
    for (const route of held) await route.continue()
    await page.unrouteAll({ behavior: "wait" })
    await page.getByRole("button", { name: "Move it anyway" }).click()
    await toast(page, "Moved to Mon 16 Dec, 07:30").waitFor()
    await isAt(id, "2030-12-16T06:30:00.000Z")
    await page.getByText("The one that somebody changed").first().waitFor()
  })

  test("puts a post back without a connection, and can try again", async ({ page, post, room: { at } }) => {
    const id = await post("2030-12-16", "07:30")
    await page.goto(at("?view=month&date=2030-12-16"))
    await page.route("**/v1/posts/*", (route) =>
      route.request().method() === "PATCH" ? route.abort() : route.continue()
    )
    await tile(page, id).dragTo(day(page, "2030-12-17"))
    await toast(page, "Not moved: no connection").waitFor()
    await page.locator(`[data-day="2030-12-16"][data-post="${id}"]`).waitFor()
    await page.unroute("**/v1/posts/*")
    await page.getByRole("button", { name: "Try again" }).click()
    await toast(page, "Moved to Tue 17 Dec, 07:30").waitFor()
  })

  test("moves a post in the week by quarters of an hour", async ({ isAt, page, post, room: { at } }) => {
    const id = await post("2030-12-17", "07:30")
    await page.goto(at("?view=week&date=2030-12-17"))
    await tile(page, id).focus()
    await press(page, "m", "ArrowDown", "ArrowDown", "ArrowRight", "Enter")
    await toast(page, "Moved to Wed 18 Dec, 08:00").waitFor()
    await isAt(id, "2030-12-18T07:00:00.000Z")
    const friday = (await day(page, "2030-12-20").boundingBox())!
    const from = (await tile(page, id).boundingBox())!
    await page.mouse.move(from.x + 8, from.y + 8)
    await page.mouse.down()
    await page.mouse.move(friday.x + 20, from.y + 8 + 43, { steps: 5 })
    await page.mouse.move(friday.x + 24, from.y + 8 + 43 * 2, { steps: 5 })
    await page.mouse.up()
    await toast(page, "Moved to Fri 20 Dec, 10:00").waitFor()
    await isAt(id, "2030-12-20T09:00:00.000Z")
  })

  test("moves a post in four weeks by keys, over the edge of a week", async ({
    isAt,
    page,
    post,
    room: { at }
  }) => {
    const id = await post("2030-12-18", "18:00")
    await page.goto(at("?date=2030-12-18"))
    await page.getByRole("button", { name: "4 weeks", exact: true }).waitFor()
    await tile(page, id).focus()
    await press(page, "m", "ArrowDown", "ArrowLeft")
    await day(page, "2030-12-24").locator("[data-place]").waitFor()
    await press(page, "Enter")
    await toast(page, "Moved to Tue 24 Dec, 18:00").waitFor()
    await isAt(id, "2030-12-24T17:00:00.000Z")
    await page.locator('[data-day="2030-12-24"][data-post]').and(page.locator(":focus")).waitFor()
    await page.getByRole("button", { name: "Next four weeks" }).click()
    await day(page, "2031-01-15").waitFor()
    await page.getByRole("button", { name: "Today", exact: true }).click()
    await page.locator("[data-today]").waitFor()
  })

  test("tells what became of the weeks before, and shows them", async ({ account, page, room }) => {
    const { id } = await room.call("POST", "/v1/posts", { social_accounts: [account], caption: "Out" })
    await room.storedWhen(id, ({ status }) => status === "published")
    // In three weeks, this one is over.
    await page.clock.setFixedTime(Date.now() + 21 * 86_400_000)
    await page.goto(room.at(""))
    await page.getByText("1 sent", { exact: true }).waitFor()
    assert.equal(await tile(page, id).count(), 0)
    await page.getByRole("button", { name: "Show three past weeks" }).click()
    await tile(page, id).waitFor()
    await page.getByRole("button", { name: "Hide past weeks" }).press("Enter")
    await tile(page, id).waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Show three past weeks" }).and(page.locator(":focus")).waitFor()
  })

  test("opens the posts that stand at one time of a week, by keys", async ({ page, post, room: { at } }) => {
    for (let count = 0; count < 8; count++) await post("2031-03-04", "09:00")
    await page.goto(at("?view=week&date=2031-03-04"))
    const hour = page.getByRole("button", { name: /^7 more at 09:00.*7 scheduled$/ })
    await hour.waitFor()
    await day(page, "2031-03-04").focus()
    await press(page, "ArrowDown", "ArrowDown")
    await hour.and(page.locator(":focus")).waitFor()
    await press(page, "Enter")
    await page.getByRole("dialog", { name: "7 posts at 09:00" }).waitFor()
    await inspect(page)
    await press(page, "Tab", "Enter")
    await page.getByRole("button", { name: "Move to…" }).waitFor()
    await press(page, "Escape")
    await hour.and(page.locator(":focus")).waitFor()
    // A day of the four weeks says what it leaves out, and leads there.
    await page.goto(at("?date=2031-03-04"))
    const others = page.getByRole("button", { name: /^4 more posts on Tuesday 4 March.*4 scheduled$/ })
    await others.waitFor()
    await day(page, "2031-03-04").focus()
    await press(page, "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown")
    await others.and(page.locator(":focus")).waitFor()
    await press(page, "Enter")
    await page.getByRole("heading", { name: "Tuesday 4 March" }).waitFor()
  })

  test("keeps the focus where a post goes that its new day does not show", async ({
    page,
    post,
    room: { at }
  }) => {
    // The new one comes after all that a day shows.
    for (let hour = 10; hour < 16; hour++) await post("2031-04-09", `${hour}:00`)
    const id = await post("2031-04-08", "18:00")
    await page.goto(at("?date=2031-04-08"))
    await tile(page, id).focus()
    await press(page, "m", "ArrowRight", "Enter")
    await toast(page, "Moved to Wed 9 Apr, 18:00").waitFor()
    const others = page.getByRole("button", { name: /more posts on Wednesday 9 April/ })
    await others.and(page.locator(":focus")).waitFor()
    await press(page, "ArrowUp")
    await page.locator('[data-day="2031-04-09"][data-post]').and(page.locator(":focus")).waitFor()
  })

  test("shows what it has while a filter is read", async ({ page, post, room: { at } }) => {
    const id = await post("2031-04-22", "18:00")
    await page.goto(at("?date=2031-04-22"))
    await tile(page, id).waitFor()
    const held: Array<Route> = []
    await page.route("**/v1/posts/calendar**", (route) => void held.push(route))
    await page.getByRole("button", { name: "All states" }).click()
    await page.getByRole("menuitemradio", { name: "Failed" }).click()
    await page.locator("[data-calendar][aria-busy=true]").waitFor()
    assert.equal(await tile(page, id).count(), 1)
    for (const route of held) await route.continue()
    await page.unrouteAll({ behavior: "wait" })
    await tile(page, id).waitFor({ state: "detached" })
  })

  test("keeps the text of a post that shares its time where days are narrow", async ({
    open,
    post,
    room
  }) => {
    const [first, second] = [await post("2031-06-10", "09:00"), await post("2031-06-10", "09:00")].sort()
    for (const [width, view] of [
      [390, "days"],
      [768, "week"]
    ] as const) {
      const page = await open({ viewport: { width, height: 860 } })
      await page.goto(room.at(`?view=${view}&date=2031-06-10`))
      const text = tile(page, first!).getByText("The one that moves").first()
      await text.waitFor()
      assert.ok((await text.boundingBox())!.width > 30, `${view} at ${width} px`)
      await page.getByRole("button", { name: /^1 more at 09:00/ }).click()
      await page.getByRole("dialog", { name: "1 post at 09:00" }).waitFor()
      assert.equal(await tile(page, second!).count(), 1)
      await inspect(page)
    }
  })

  test("shows the posts of several accounts, and still does after a reload", async ({ open, room }) => {
    const { at, connect, write } = room
    const names = ["choir", "mill", "tower"]
    for (const name of names)
      await write({
        social_accounts: [await connect(name)],
        caption: `By the ${name}`,
        scheduled_at: "2031-05-06T09:00[Europe/Paris]"
      })
    const page = await open()
    const isShown = async (texts: ReadonlyArray<string>) => {
      for (const name of names)
        await page
          .getByText(`By the ${name}`)
          .waitFor({ state: texts.includes(name) ? "visible" : "detached" })
    }
    await page.goto(at("?date=2031-05-06"))
    await isShown(names)
    const chips = page.getByRole("group", { name: "Accounts" })
    for (const name of ["choir", "mill"]) await chips.getByRole("button", { name: `@${name}` }).click()
    await isShown(["choir", "mill"])
    await page.reload()
    await isShown(["choir", "mill"])
    assert.equal(await page.getByRole("button", { pressed: true }).count(), 2)
    await page.getByRole("button", { name: "All accounts" }).press("Enter")
    await isShown(names)
    await page
      .getByRole("button", { name: "All accounts", pressed: true })
      .and(page.locator(":focus"))
      .waitFor()

    // A phone has them in a list.
    const phone = await open(screens.phone)
    await phone.goto(at("?view=agenda&date=2031-05-06"))
    await phone.getByRole("button", { name: /^\d+ accounts$/ }).click()
    await phone.getByRole("checkbox", { name: /@tower/ }).click()
    await phone.getByText("By the mill").waitFor({ state: "detached" })
    await phone.getByText("By the tower").waitFor()
    await inspect(phone)
    await press(phone, "Escape")
    await phone.getByRole("dialog").waitFor({ state: "detached" })
    await phone.getByRole("button", { name: "@tower Test network", exact: true }).press("Enter")
    await phone.getByText("By the mill").waitFor()
    await phone.getByRole("button", { name: "All accounts" }).and(phone.locator(":focus")).waitFor()
  })

  test("keeps the clock on the wall over the night in which clocks change, and asks before it deletes", async ({
    isAt,
    page,
    post,
    room: { at }
  }) => {
    const id = await post("2030-03-30", "12:00")
    await page.goto(at("?view=month&date=2030-03-30"))
    await tile(page, id).focus()
    await press(page, "m", "ArrowRight", "Enter")
    await toast(page, "Moved to Sun 31 Mar, 12:00").waitFor()
    await isAt(id, "2030-03-31T10:00:00.000Z")

    // The safe answer has the focus.
    await tile(page, id).click()
    await page.getByRole("button", { name: "Delete…" }).click()
    await page.getByRole("button", { name: "Keep it" }).and(page.locator(":focus")).waitFor()
    await page.getByRole("button", { name: "Delete", exact: true }).click()
    await tile(page, id).waitFor({ state: "detached" })
  })

  test("shows every view, full and empty, on each screen", async ({
    account,
    onEachScreen,
    room: { at, signIn, upload, write }
  }) => {
    const illustrated = [account]
    for (const platform of ["instagram", "tiktok", "pinterest"])
      illustrated.push(await signIn(platform, `calendar-${platform}`))
    const picture = await upload("bells.jpg")
    const days = ["02", "03", "03", "04", "04", "04", "04", "04", "11", "18", "24"]
    for (const [index, date] of days.entries()) {
      await write({
        social_accounts: index % 2 === 0 ? illustrated.slice(0, (index % 4) + 1) : [account],
        caption: texts[index % texts.length],
        media: index % 2 === 0 ? [picture] : [],
        scheduled_at: `2030-12-${date}T${String(8 + index).padStart(2, "0")}:00[Europe/Paris]`
      })
    }
    await onEachScreen(async (page, screen) => {
      for (const view of screen === "phone"
        ? ["agenda", "day", "days", "month"]
        : ["weeks", "month", "week", "agenda"]) {
        await page.goto(at(`?view=${view}&date=2030-12-04`))
        await page.locator("[data-post]").first().waitFor()
        await inspect(page)
      }
      await page.goto(at("?view=agenda&date=2031-12-04&status=failed"))
      await page.getByText("No post matches these filters").waitFor()
      await inspect(page)
    })
  })

  test("holds thirty-six accounts and twelve posts a day on each screen", async ({ onEachScreen, room }) => {
    await busy(room, "2032-03-01", process.env["LONG"] ? 28 : 7)
    await onEachScreen(async (page, screen) => {
      for (const view of screen === "phone" ? ["agenda", "days", "month"] : ["weeks", "week", "month"]) {
        await page.goto(room.at(`?view=${view}&date=2032-03-01`))
        await page.locator("[data-post]").first().waitFor()
        await inspect(page)
      }
    })
  })
})
