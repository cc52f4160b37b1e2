import type { ServiceProcess } from "@carillon/testing/ServiceProcess"
import assert from "node:assert/strict"
import type { Page } from "playwright-core"
import { run } from "./run.ts"
import { toast } from "./toast.ts"

type Inspect = (page: Page, name: string) => Promise<void>

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

/** The queue: its times, the posts in them, and writing for one that is free. */
export const queue = async (page: Page, service: ServiceProcess, account: number, inspect: Inspect) => {
  const slots = async () =>
    (await run(service.call("GET", "/v1/queue"))).body.slots.map(
      ({ day, time }: { day: string; time: string }) => `${day} ${time}`
    )
  const post = async (caption: string, scheduled_at: string) =>
    (await run(service.call("POST", "/v1/posts", { social_accounts: [account], caption, scheduled_at }))).body
      .id as string
  const localOf = async (id: string) => {
    const { body } = await run(
      service.call("GET", `/v1/posts/calendar?from=${monday}&to=${friday}&per_day=50`)
    )
    for (const { date, posts } of body.days) {
      const row = posts.find((one: { id: string }) => one.id === id)
      if (row) return `${date} ${row.local}`
    }
    return null
  }
  const at = (day: string, time: string) => page.locator(`[data-slot="${day}T${time}"]`)
  const inSlot = (day: string, time: string, id: string) => at(day, time).locator(`[data-post="${id}"]`)

  const { body: before } = await run(service.call("GET", "/v1/queue"))
  await run(
    service.call("PUT", "/v1/queue", {
      slots: [
        { day: "mon", time: "09:00" },
        { day: "wed", time: "09:00" },
        { day: "fri", time: "18:00" }
      ]
    })
  )
  const rye = await post("Rye and walnut, back for the winter", `${monday}T09:00[Europe/Paris]`)
  const bells = await post("Bells at dusk, in the rain", `${friday}T18:00[Europe/Paris]`)
  await page.goto(`${service.url}/app/queue?date=${monday}`)
  await inSlot(monday, "09:00", rye).waitFor()
  await page.getByText("3 slots a week · 2 taken, 1 free").waitFor()

  // A new time, taken back and added again.
  await page.getByRole("button", { name: "Add a slot on Wed" }).click()
  await page.getByRole("button", { name: "Save" }).click()
  await page.getByText("Enter a time, such as 09:00.").waitFor()
  await page.getByLabel("Paris time").fill("12:30")
  await page.getByRole("button", { name: "Save" }).click()
  await toast(page, "12:30 added").waitFor()
  await at(wednesday, "12:30").getByRole("link").waitFor()
  assert.deepEqual(await slots(), ["mon 09:00", "wed 09:00", "wed 12:30", "fri 18:00"])
  await toast(page, "12:30 added").getByRole("button", { name: "Undo" }).click()
  await at(wednesday, "12:30").waitFor({ state: "detached" })
  assert.deepEqual(await slots(), ["mon 09:00", "wed 09:00", "fri 18:00"])

  // Another clock time, on one day more. What is planned stays.
  await page.getByRole("button", { name: `Slot ${shortDay(wednesday)}, 09:00` }).click()
  await page.getByRole("menuitem", { name: "Change this slot…" }).click()
  await page.getByLabel("Paris time").fill("10:15")
  await page.getByLabel("Monday").uncheck()
  await page.getByLabel("Thursday").check()
  await inspect(page, "queue-time")
  await page.getByRole("button", { name: "Save" }).click()
  await toast(page, "09:00 changed").waitFor()
  assert.deepEqual(await slots(), ["wed 10:15", "thu 10:15", "fri 18:00"])
  await at(monday, "09:00").waitFor({ state: "detached" })
  assert.equal(await localOf(rye), `${monday} 09:00`)
  await toast(page, "09:00 changed").getByRole("button", { name: "Undo" }).click()
  await inSlot(monday, "09:00", rye).waitFor()

  // By pointer to a free time, and back.
  await inSlot(monday, "09:00", rye).dragTo(at(wednesday, "09:00"))
  await toast(page, `Moved to ${shortDay(wednesday)}, 09:00`).waitFor()
  assert.equal(await localOf(rye), `${wednesday} 09:00`)
  await at(monday, "09:00").getByRole("link").waitFor()
  await toast(page, "Moved to").getByRole("button", { name: "Undo" }).click()
  await toast(page, "Moved back").waitFor()
  assert.equal(await localOf(rye), `${monday} 09:00`)

  // By keys onto another post: they change places.
  await inSlot(monday, "09:00", rye).focus()
  for (const key of ["m", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key)
  await page.locator(`[data-slot="${friday}T18:00"][data-over]`).waitFor()
  await page.keyboard.press("Enter")
  await toast(page, "It swapped places with “Bells at dusk, in the rain”").waitFor()
  await inSlot(friday, "18:00", rye).and(page.locator(":focus")).waitFor()
  assert.deepEqual([await localOf(rye), await localOf(bells)], [`${friday} 18:00`, `${monday} 09:00`])

  // By the menu.
  await page.getByRole("button", { name: `Slot ${shortDay(monday)}, 09:00` }).click()
  await page.getByRole("menuitem", { name: "Move the post…" }).click()
  await page.getByRole("button", { name: "Move", exact: true }).click()
  await inSlot(wednesday, "09:00", bells).waitFor()
  await toast(page, `Moved to ${shortDay(wednesday)}, 09:00`).waitFor()
  assert.equal(await localOf(bells), `${wednesday} 09:00`)

  const slotAt = async (day: string, time: string) =>
    (await run(service.call("GET", "/v1/queue/slots?count=200"))).body.data.find(
      ({ local }: { local: string }) => local.startsWith(`${day}T${time}`)
    ).scheduled_at as string
  // One that holds its time as a slot of the queue is found there whenever it goes out, and comes back into it.
  const { body: exact } = await run(service.call("GET", "/v1/queue"))
  await run(service.call("PUT", "/v1/queue", { ...exact, jitter_minutes: 30 }))
  const { body: queued } = await run(
    service.call("POST", "/v1/posts", {
      social_accounts: [account],
      caption: "Snow on the square",
      use_queue: { slot: await slotAt(monday, "09:00") }
    })
  )
  const slotOf = async () => (await run(service.call("GET", `/v1/posts/${queued.id}`))).body.queue_slot
  await page.reload()
  await inSlot(monday, "09:00", queued.id).waitFor()
  await page.goto(`${service.url}/app?view=week&date=${monday}`)
  const tile = page.locator(`[data-post="${queued.id}"]`)
  await tile.focus()
  for (const key of ["m", "ArrowRight", "Enter"]) await page.keyboard.press(key)
  await toast(page, "It left its queue slot").waitFor()
  await inspect(page, "left-slot")
  assert.equal(await slotOf(), undefined)
  await toast(page, "It left its queue slot").getByRole("button", { name: "Undo" }).click()
  await toast(page, "Back in its queue slot").waitFor()
  assert.equal(await slotOf(), queued.queue_slot)
  await run(service.call("DELETE", `/v1/posts/${queued.id}`))
  await run(service.call("PUT", "/v1/queue", exact))
  await page.goto(`${service.url}/app/queue?date=${monday}`)

  // A time that a post has is removed; the post goes out all the same.
  await page.getByRole("button", { name: `Slot ${shortDay(wednesday)}, 09:00` }).click()
  await page.getByRole("menuitem", { name: "Remove Wed 09:00" }).click()
  await toast(page, "Its post still goes out").waitFor()
  await at(wednesday, "09:00").waitFor({ state: "detached" })
  assert.equal(await localOf(bells), `${wednesday} 09:00`)

  // Times vary a little.
  await page.getByText("Vary each time a little").click()
  await toast(page, "Times vary by up to 7 minutes").waitFor()
  await page.getByLabel("By up to", { exact: true }).selectOption("15")
  await toast(page, "Times vary by up to 15 minutes").waitFor()

  // A free time leads to the composer.
  await at(monday, "09:00").getByRole("link").click()
  await page.waitForURL(/\/app\/compose\?at=/)
  assert.equal(new URL(page.url()).searchParams.get("at"), `${monday}T09:00`)
  await page
    .getByText(`${shortDay(monday)}, 09:00`)
    .first()
    .waitFor()

  await run(service.call("PUT", "/v1/queue", before))
  for (const id of [rye, bells]) await run(service.call("DELETE", `/v1/posts/${id}`))
}

/** The zone of the workspace, and what is kept in this browser. */
export const settings = async (page: Page, service: ServiceProcess) => {
  const zone = async () => (await run(service.call("GET", "/v1/profile"))).body.timezone
  const choose = async (typed: string, place: string) => {
    await page.getByRole("combobox", { name: "Time zone" }).fill(typed)
    await page.getByRole("option", { name: place }).click()
    await page.getByRole("heading", { name: `Change to ${place} time?` }).waitFor()
  }
  await page.goto(`${service.url}/app/settings`)
  await choose("tok", "Tokyo")
  await page.getByRole("button", { name: "Keep Paris time" }).click()
  await page.getByRole("heading", { name: "Change to Tokyo time?" }).waitFor({ state: "detached" })
  assert.equal(await zone(), "Europe/Paris")
  await choose("tok", "Tokyo")
  const reloaded = page.waitForEvent("load")
  await page.getByRole("button", { name: "Use Tokyo time" }).click()
  await reloaded
  assert.equal(await zone(), "Asia/Tokyo")
  await page.goto(`${service.url}/app/queue`)
  await page.getByRole("link", { name: "Tokyo time" }).waitFor()
  await run(service.call("PATCH", "/v1/profile", { timezone: "Europe/Paris" }))

  await page.goto(`${service.url}/app/settings`)
  const ground = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor")
  const light = await ground()
  await page.getByRole("button", { name: "Dark" }).click()
  assert.notEqual(await ground(), light)
  const dark = await ground()
  await page.reload()
  await page.getByRole("heading", { name: "Settings" }).waitFor()
  assert.equal(await ground(), dark)
  await page.getByRole("button", { name: "System" }).click()
  assert.equal(await ground(), light)

  await page.getByLabel("The week begins on").selectOption({ label: "Saturday" })
  await page.getByText("Single-letter shortcuts").click()
  await page.goto(`${service.url}/app?view=month&date=2030-12-04`)
  assert.equal(await page.getByRole("columnheader").first().textContent(), "Sat")
  await page.keyboard.press("2")
  await page.getByRole("button", { name: "Month" }).and(page.locator("[aria-current]")).waitFor()
  await page.evaluate(
    `for (const name of ["first-weekday", "single-keys", "theme"]) localStorage.removeItem("carillon." + name)`
  )
}
