import { describe, expect, it } from "@effect/vitest"
import { packLanes } from "@carillon/console/calendar/packLanes"
import { formFor } from "@carillon/console/calendar/formFor"
import type { CalendarPost } from "@carillon/sdk"

describe("a day of the month", () => {
  it("shows its posts in the tallest form in which all fit", () => {
    expect(formFor(140, 1, 0)).toEqual({ form: "high", posts: 1, slots: 0 })
    expect(formFor(140, 1, 1)).toEqual({ form: "high", posts: 1, slots: 1 })
    expect(formFor(140, 2, 0)).toEqual({ form: "low", posts: 2, slots: 0 })
    expect(formFor(140, 3, 1)).toEqual({ form: "line", posts: 3, slots: 1 })
  })

  it("keeps a line for how many more there are, and leaves free slots out then", () => {
    expect(formFor(140, 7, 2)).toEqual({ form: "line", posts: 3, slots: 0 })
    expect(formFor(60, 7, 0)).toEqual({ form: "line", posts: 1, slots: 0 })
  })
})

describe("a day of the week", () => {
  const placed = (...times: ReadonlyArray<string>) =>
    packLanes(times.map((local) => ({ id: local, local }) as CalendarPost)).map(
      ({ group, lane }) => `${lane}/${group.lanes}`
    )

  it("puts posts side by side that would lie on one another", () => {
    expect(placed("08:00", "08:30", "10:00")).toEqual(["0/2", "1/2", "0/1"])
    expect(placed("08:00", "08:30", "09:30")).toEqual(["0/2", "1/2", "0/2"])
  })

  it("gives each of three at the same time a third", () => {
    expect(placed("08:00", "08:00", "08:00")).toEqual(["0/3", "1/3", "2/3"])
  })
})
