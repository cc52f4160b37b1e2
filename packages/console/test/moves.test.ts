import { describe, expect, it } from "@effect/vitest"
import { laterBy, notPast, quarterOf, scheduledAt } from "@carillon/console/post/Place"
import { withMoved } from "@carillon/console/post/withMoved"
import type { Calendar as CalendarPage, CalendarPost } from "@carillon/sdk"

const row = (id: string, local: string) => ({ id, local, version: "1", excerpt: id }) as CalendarPost

const page = (
  ...days: ReadonlyArray<readonly [date: string, total: number, posts: ReadonlyArray<CalendarPost>]>
) =>
  ({
    timezone: "Europe/Paris",
    days: days.map(([date, total, posts]) => ({ date, total, posts }))
  }) as unknown as CalendarPage

describe("a move", () => {
  it("asks the service with the clock of the zone, and leaves its rules to it", () => {
    expect(scheduledAt({ day: "2026-03-29", time: "02:30" }, "Europe/Paris")).toBe(
      "2026-03-29T02:30[Europe/Paris]"
    )
  })

  it("a move by quarters of an hour goes over midnight in both directions", () => {
    expect(laterBy({ day: "2026-12-31", time: "23:50" }, 15)).toEqual({ day: "2027-01-01", time: "00:05" })
    expect(laterBy({ day: "2027-01-01", time: "00:05" }, -15)).toEqual({ day: "2026-12-31", time: "23:50" })
  })

  it("onto a time that has passed is one to the next full hour", () => {
    const now = { day: "2026-12-31", time: "23:10" }
    expect(notPast({ day: "2026-12-31", time: "23:11" }, now)).toEqual({ day: "2026-12-31", time: "23:11" })
    expect(notPast({ day: "2027-01-01", time: "09:00" }, now)).toEqual({ day: "2027-01-01", time: "09:00" })
    for (const time of ["09:00", "23:10"])
      expect(notPast({ day: "2026-12-31", time }, now)).toEqual({ day: "2027-01-01", time: "00:00" })
  })

  it("a move to a point of a day takes the nearest quarter of this day", () => {
    expect([-20, 0, 7, 8, 1079, 1439].map(quarterOf)).toEqual([
      "00:00",
      "00:00",
      "00:00",
      "00:15",
      "18:00",
      "23:45"
    ])
  })

  it("a move is shown at its time among the others of the day, and both days count it", () => {
    const before = page(
      ["2026-12-04", 9, [row("a", "08:00"), row("b", "10:00")]],
      ["2026-12-05", 1, [row("c", "09:00")]]
    )
    const after = withMoved(before, [{ id: "b", to: { day: "2026-12-05", time: "08:30" } }])
    expect(after.days.map(({ posts }) => posts.map(({ id, local }) => `${id} ${local}`))).toEqual([
      ["a 08:00"],
      ["b 08:30", "c 09:00"]
    ])
    expect(after.days.map(({ total }) => total)).toEqual([8, 2])
    expect(withMoved(after, [{ id: "b", to: { day: "2026-12-04", time: "10:00" } }])).toEqual(before)
  })

  it("leaves the slot of the queue that it held", () => {
    const queued = { ...row("a", "08:00"), queue_slot: "2026-12-04T07:00:00.000Z" }
    const { days } = withMoved(page(["2026-12-04", 1, [queued]]), [
      { id: "a", to: { day: "2026-12-04", time: "10:00" } }
    ])
    expect(days[0]!.posts).toEqual([row("a", "10:00")])
  })

  it("moving a post that is not on the page changes nothing", () => {
    const before = page(["2026-12-04", 1, [row("a", "08:00")]])
    expect(withMoved(before, [{ id: "x", to: { day: "2026-12-04", time: "09:00" } }])).toBe(before)
  })
})
