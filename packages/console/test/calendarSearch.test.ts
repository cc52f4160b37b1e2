import {
  accountParameter,
  accountsIn,
  calendarSearch,
  viewOn
} from "@carillon/console/calendar/calendarSearch"
import { pastOf, periodOf, stepOf } from "@carillon/console/calendar/periodOf"
import { expect, it } from "@effect/vitest"

it("an address names one account or several", () => {
  expect(accountsIn(calendarSearch({ account: 7 }))).toEqual([7])
  expect(accountsIn(calendarSearch({ account: "7,9,7" }))).toEqual([7, 9])
  for (const account of [undefined, "", "bakery", "7,", 1.5, -1])
    expect(calendarSearch({ account })).toEqual({})
  expect([[], [7], [7, 9]].map(accountParameter)).toEqual([undefined, 7, "7,9"])
})

it("an address from another kind of screen opens the view that is closest", () => {
  expect([viewOn(false, undefined), viewOn(true, undefined)]).toEqual(["weeks", "agenda"])
  expect([viewOn(true, "weeks"), viewOn(true, "week"), viewOn(true, "month")]).toEqual([
    "agenda",
    "days",
    "month"
  ])
  expect([viewOn(false, "day"), viewOn(false, "days"), viewOn(false, "agenda")]).toEqual([
    "week",
    "week",
    "agenda"
  ])
})

it("four weeks begin with the week of a day, and go on by four", () => {
  const period = periodOf("weeks", "2026-11-24")
  expect(period.days).toBe(28)
  expect(stepOf("weeks", "2026-11-24", { ...period, days: 49 }, 1)).toBe("2026-12-22")
  expect(pastOf("weeks", period, "2026-11-24")?.days).toBe(21)
  expect(pastOf("weeks", periodOf("weeks", "2026-12-22"), "2026-11-24")).toBeUndefined()
  expect(pastOf("month", period, "2026-11-24")).toBeUndefined()
})
