import assert from "node:assert/strict"
import { Effect } from "effect"
import type { BrowserContext, Page, Request, Route } from "playwright-core"
import { describe } from "vitest"
import { test } from "./test.ts"

const isStream = (request: Pick<Request, "url">) => new URL(request.url()).pathname === "/v1/events"

/** Waits until a page of this browser reads the stream; what is asked before may be missed. */
const streamOf = (context: BrowserContext) =>
  context.waitForEvent("response", (response) => isStream(response.request()) && response.ok())

const inAYear = () => new Date(Date.now() + 366 * 86_400_000).toISOString()
const shown = (page: Page, id: string) => page.locator(`[data-post="${id}"]`)
const calendarOn = (time: string) => `?view=agenda&date=${time.slice(0, 10)}`

// Nothing is polled while the stream is open: what appears was told.
describe("what happens elsewhere", () => {
  test("is on every open screen, told by one stream for all tabs", async ({ page, room }) => {
    const { at, connect, script, write } = room
    const account = await connect("live")
    const context = page.context()
    const streams: Array<Request> = []
    context.on("request", (request) => void (isStream(request) && streams.push(request)))
    const opened = streamOf(context)
    const scheduled_at = inAYear()
    await page.goto(at(calendarOn(scheduled_at)))
    await opened
    const id = await write({ social_accounts: [account], caption: "By a script", scheduled_at })
    await shown(page, id).waitFor()

    const [activity, post] = [await context.newPage(), await context.newPage()] as const
    await activity.goto(at("/activity"))
    await activity.getByRole("heading", { name: "Activity" }).waitFor()
    await script("live", [{ on: "post", fault: "forbidden" }])
    const failing = await write({ social_accounts: [account], caption: "Refused" })
    await activity.locator("[data-cause]").getByText("Refused").waitFor()
    await post.goto(at(`/posts/${failing}`))
    await post.locator('[data-result][data-state="failed"]').waitFor()

    await room.call("POST", `/v1/posts/${failing}/retry`)
    await post.locator('[data-result][data-state="live"]').waitFor()
    await activity.locator("[data-cause]").waitFor({ state: "detached" })
    // More than the connections that a browser opens to one origin.
    for (let tab = 3; tab < 8; tab++) {
      const further = await context.newPage()
      await further.goto(at("/activity"))
      await further.getByRole("heading", { name: "Activity" }).waitFor()
    }
    assert.equal(streams.length, 1)

    // Another tab goes on where the one that closed was.
    const goesOn = streamOf(context)
    await page.close()
    const begun = await goesOn
    assert.match(begun.request().headers()["last-event-id"]!, /^\d+$/)
    await activity.goto(at(calendarOn(scheduled_at)))
    const later = await write({ social_accounts: [account], caption: "By an agent", scheduled_at })
    await shown(activity, later).waitFor()
  })

  test("does not put back a post that is being moved", async ({ page, room: { at, connect, write } }) => {
    const account = await connect("moving")
    const context = page.context()
    const opened = streamOf(context)
    const on = (day: string) =>
      write({
        social_accounts: [account],
        caption: "On the move",
        scheduled_at: `${day}T18:00[Europe/Paris]`
      })
    const id = await on("2031-06-12")
    const month = at("?view=month&date=2031-06-12")
    await page.goto(month)
    await opened
    const other = await context.newPage()
    await other.goto(month)
    await shown(other, id).waitFor()
    const moving = Promise.withResolvers<Route>()
    await page.route(`**/v1/posts/${id}`, (route) =>
      route.request().method() === "PATCH" ? moving.resolve(route) : route.continue()
    )
    await shown(page, id).focus()
    for (const key of ["m", "ArrowRight", "Enter"]) await page.keyboard.press(key)
    const move = await moving.promise
    const meanwhile = await on("2031-06-05")
    await shown(other, meanwhile).waitFor()
    await move.continue()
    await shown(page, meanwhile).waitFor()
    await page.locator(`[data-day="2031-06-13"][data-post="${id}"]`).and(page.locator(":focus")).waitFor()
  })

  test("is caught up with when the service was away", async ({ page, room, service }) => {
    const account = await room.connect("away")
    const opened = streamOf(page.context())
    const scheduled_at = inAYear()
    await page.goto(room.at(calendarOn(scheduled_at)))
    await opened
    assert.equal(await Effect.runPromise(service.terminate), 0)
    await Effect.runPromise(service.start)
    const id = await room.write({ social_accounts: [account], caption: "After the restart", scheduled_at })
    await shown(page, id).waitFor()
  })

  test("is read by each tab that is seen, where tabs cannot agree on one", async ({ page, room }) => {
    const account = await room.connect("lockless")
    await page.addInitScript("delete Navigator.prototype.locks")
    const turn = (state: "visible" | "hidden") =>
      page.evaluate(
        `Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "${state}" })
         document.dispatchEvent(new Event("visibilitychange"))`
      )
    const opened = streamOf(page.context())
    const scheduled_at = inAYear()
    await page.goto(room.at(calendarOn(scheduled_at)))
    await opened
    const ended = page.waitForEvent("requestfailed", isStream)
    await turn("hidden")
    await ended
    const id = await room.write({ social_accounts: [account], caption: "While nobody looked", scheduled_at })
    const again = streamOf(page.context())
    await turn("visible")
    assert.match((await again).request().headers()["last-event-id"]!, /^\d+$/)
    await shown(page, id).waitFor()
  })
})
