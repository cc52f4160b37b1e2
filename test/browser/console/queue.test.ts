import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { describe } from "vitest"
import { inspect } from "./inspect.ts"
import { test as base } from "./test.ts"
import { toast } from "./toast.ts"

const dayMillis = 86_400_000
const thisDay = Math.floor(Date.now() / dayMillis)
/** The first day of 1970 was a Thursday. */
const mondayAfterNext = thisDay - ((thisDay + 3) % 7) + 14
const dayOf = (days: number) => new Date(days * dayMillis).toISOString().slice(0, 10)
const [monday, wednesday, friday] = [0, 2, 4].map((days) => dayOf(mondayAfterNext + days)) as [
  string,
  string,
  string
]

/** `Fri 4 Dec` */
const shortDay = (day: string) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", weekday: "short", day: "numeric", month: "short" })
    .format(new Date(day))
    .replace(",", "")

const slot = (page: Page, day: string, time: string) => page.locator(`[data-slot="${day}T${time}"]`)

const inSlot = (page: Page, day: string, time: string, id: string) =>
  slot(page, day, time).locator(`[data-post="${id}"]`)

const test = base
  .extend("account", { scope: "file" }, ({ room }) => room.connect("queue"))
  /** Three slots a week, of which two are taken. */
  .extend("planned", async ({ account, room: { call, write } }, { onCleanup }) => {
    await call("PUT", "/v1/queue", {
      slots: [
        { day: "mon", time: "09:00" },
        { day: "wed", time: "09:00" },
        { day: "fri", time: "18:00" }
      ]
    })
    const post = (caption: string, scheduled_at: string) =>
      write({ social_accounts: [account], caption, scheduled_at })
    const rye = await post("Rye and walnut, back for the winter", `${monday}T09:00[Europe/Paris]`)
    const bells = await post("Bells at dusk, in the rain", `${friday}T18:00[Europe/Paris]`)
    onCleanup(async () => {
      for (const id of [rye, bells]) await call("DELETE", `/v1/posts/${id}`)
    })
    return { rye, bells }
  })
  .extend(
    "slots",
    ({ room: { call } }) =>
      async (): Promise<ReadonlyArray<string>> =>
        (await call("GET", "/v1/queue")).slots.map(({ day, time }: any) => `${day} ${time}`)
  )
  .extend("localOf", ({ room: { call } }) => async (id: string) => {
    const { days } = await call("GET", `/v1/posts/calendar?from=${monday}&to=${friday}&per_day=50`)
    for (const { date, posts } of days)
      for (const post of posts) if (post.id === id) return `${date} ${post.local}`
    return null
  })

describe("the queue", () => {
  test("gets a new slot, and loses it again", async ({ page, planned, room: { at }, slots }) => {
    await page.goto(at(`/queue?date=${monday}`))
    await inSlot(page, monday, "09:00", planned.rye).waitFor()
    await page.getByText("3 slots a week · 2 taken, 1 free").waitFor()
    await page.getByRole("button", { name: "Add a slot on Wed" }).click()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Enter a time, such as 09:00.").waitFor()
    await page.getByLabel("Paris time").fill("12:30")
    await page.getByRole("button", { name: "Save" }).click()
    await toast(page, "12:30 added").waitFor()
    await slot(page, wednesday, "12:30").getByRole("link").waitFor()
    assert.deepEqual(await slots(), ["mon 09:00", "wed 09:00", "wed 12:30", "fri 18:00"])
    await toast(page, "12:30 added").getByRole("button", { name: "Undo" }).click()
    await slot(page, wednesday, "12:30").waitFor({ state: "detached" })
    assert.deepEqual(await slots(), ["mon 09:00", "wed 09:00", "fri 18:00"])
  })

  test("gets another time for a slot, and leaves what is planned", async ({
    localOf,
    page,
    planned: { rye },
    room: { at },
    slots
  }) => {
    await page.goto(at(`/queue?date=${monday}`))
    await page.getByRole("button", { name: `Slot ${shortDay(wednesday)}, 09:00` }).click()
    await page.getByRole("menuitem", { name: "Change this slot…" }).click()
    await page.getByLabel("Paris time").fill("10:15")
    await page.getByLabel("Monday").uncheck()
    await page.getByLabel("Thursday").check()
    await inspect(page)
    await page.getByRole("button", { name: "Save" }).click()
    await toast(page, "09:00 changed").waitFor()
    assert.deepEqual(await slots(), ["wed 10:15", "thu 10:15", "fri 18:00"])
    await slot(page, monday, "09:00").waitFor({ state: "detached" })
    assert.equal(await localOf(rye), `${monday} 09:00`)
    await toast(page, "09:00 changed").getByRole("button", { name: "Undo" }).click()
    await inSlot(page, monday, "09:00", rye).waitFor()
  })

  test("moves a post by pointer to a free slot, and back", async ({
    localOf,
    page,
    planned: { rye },
    room: { at }
  }) => {
    await page.goto(at(`/queue?date=${monday}`))
    await inSlot(page, monday, "09:00", rye).dragTo(slot(page, wednesday, "09:00"))
    await toast(page, `Moved to ${shortDay(wednesday)}, 09:00`).waitFor()
    assert.equal(await localOf(rye), `${wednesday} 09:00`)
    await slot(page, monday, "09:00").getByRole("link").waitFor()
    await toast(page, "Moved to").getByRole("button", { name: "Undo" }).click()
    await toast(page, "Moved back").waitFor()
    assert.equal(await localOf(rye), `${monday} 09:00`)
  })

  test("swaps two posts by keys", async ({ localOf, page, planned: { bells, rye }, room: { at } }) => {
    await page.goto(at(`/queue?date=${monday}`))
    await inSlot(page, monday, "09:00", rye).focus()
    for (const key of ["m", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key)
    await page.locator(`[data-slot="${friday}T18:00"][data-over]`).waitFor()
    await page.keyboard.press("Enter")
    await toast(page, "It swapped places with “Bells at dusk, in the rain”").waitFor()
    await inSlot(page, friday, "18:00", rye).and(page.locator(":focus")).waitFor()
    assert.deepEqual([await localOf(rye), await localOf(bells)], [`${friday} 18:00`, `${monday} 09:00`])
  })

  test("moves a post by the menu", async ({ localOf, page, planned: { rye }, room: { at } }) => {
    await page.goto(at(`/queue?date=${monday}`))
    await page.getByRole("button", { name: `Slot ${shortDay(monday)}, 09:00` }).click()
    await page.getByRole("menuitem", { name: "Move the post…" }).click()
    await page.getByRole("button", { name: "Move", exact: true }).click()
    await inSlot(page, wednesday, "09:00", rye).waitFor()
    await toast(page, `Moved to ${shortDay(wednesday)}, 09:00`).waitFor()
    assert.equal(await localOf(rye), `${wednesday} 09:00`)
  })

  test("shows a queued post in its slot whenever it goes out, and takes it back into it", async ({
    account,
    page,
    planned: { rye },
    room: { at, call, stored, write }
  }) => {
    await call("PATCH", `/v1/posts/${rye}`, { scheduled_at: `${monday}T12:00[Europe/Paris]` })
    await call("PUT", "/v1/queue", { ...(await call("GET", "/v1/queue")), jitter_minutes: 30 })
    const free = (await call("GET", "/v1/queue/slots?count=200")).data.find(({ local }: any) =>
      local.startsWith(`${monday}T09:00`)
    )
    const id = await write({
      social_accounts: [account],
      caption: "Snow on the square",
      use_queue: { slot: free.scheduled_at }
    })
    const { queue_slot } = await stored(id)
    await page.goto(at(`/queue?date=${monday}`))
    await inSlot(page, monday, "09:00", id).waitFor()
    await page.goto(at(`?view=week&date=${monday}`))
    await page.locator(`[data-post="${id}"]`).focus()
    for (const key of ["m", "ArrowRight", "Enter"]) await page.keyboard.press(key)
    await toast(page, "It left its queue slot").waitFor()
    await inspect(page)
    assert.equal((await stored(id)).queue_slot, undefined)
    await toast(page, "It left its queue slot").getByRole("button", { name: "Undo" }).click()
    await toast(page, "Back in its queue slot").waitFor()
    assert.equal((await stored(id)).queue_slot, queue_slot)
    await call("DELETE", `/v1/posts/${id}`)
  })

  test("loses a slot that a post has, and the post goes out all the same", async ({
    localOf,
    page,
    planned: { rye },
    room: { at }
  }) => {
    await page.goto(at(`/queue?date=${monday}`))
    await page.getByRole("button", { name: `Slot ${shortDay(monday)}, 09:00` }).click()
    await page.getByRole("menuitem", { name: "Remove Mon 09:00" }).click()
    await toast(page, "Its post still goes out").waitFor()
    await slot(page, monday, "09:00").waitFor({ state: "detached" })
    assert.equal(await localOf(rye), `${monday} 09:00`)
  })

  test("varies its times, and leads from a free slot to the composer", async ({
    page,
    planned,
    room: { at }
  }) => {
    await page.goto(at(`/queue?date=${monday}`))
    await inSlot(page, monday, "09:00", planned.rye).waitFor()
    await page.getByText("Vary each time a little").click()
    await toast(page, "Times vary by up to 7 minutes").waitFor()
    await page.getByLabel("By up to", { exact: true }).selectOption("15")
    await toast(page, "Times vary by up to 15 minutes").waitFor()
    await slot(page, wednesday, "09:00").getByRole("link").click()
    await page.waitForURL(/\/app\/compose\?.*at=/)
    assert.equal(new URL(page.url()).searchParams.get("at"), `${wednesday}T09:00`)
    await page
      .getByText(`${shortDay(wednesday)}, 09:00`)
      .first()
      .waitFor()
  })

  test("shows its slots on each screen", async ({ onEachScreen, planned, room: { at } }) => {
    await onEachScreen(async (page) => {
      await page.goto(at(`/queue?date=${monday}`))
      await inSlot(page, monday, "09:00", planned.rye).waitFor()
      await inspect(page)
    })
  })
})
