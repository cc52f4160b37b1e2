import { describe, expect, it } from "@effect/vitest"
import {
  addDays,
  addMonths,
  daysBetween,
  isDay,
  weekday,
  weekOf,
  weeksOfMonth
} from "@carillon/console/time/days"
import { longDay, shortDay, spanOfDays, wallClock } from "@carillon/console/time/zone"

describe("days", () => {
  it("follow one another over ends of months, years and February", () => {
    expect(addDays("2026-12-31", 1)).toBe("2027-01-01")
    expect(addDays("2028-03-01", -1)).toBe("2028-02-29")
    expect(daysBetween("2026-12-31", "2027-01-11")).toBe(11)
  })

  it("the same day of another month is its last one where it is shorter", () => {
    expect(addMonths("2026-01-31", 1)).toBe("2026-02-28")
    expect(addMonths("2026-12-31", -1)).toBe("2026-11-30")
    expect(addMonths("2026-11-30", 14)).toBe("2028-01-30")
  })

  it("days stand in a week that begins on Monday, Saturday or Sunday", () => {
    expect(weekday("2026-12-03")).toBe(4)
    expect([1, 6, 7].map((first) => weekOf("2026-12-03", first))).toEqual([
      "2026-11-30",
      "2026-11-28",
      "2026-11-29"
    ])
    expect(weekOf("2026-11-29", 7)).toBe("2026-11-29")
  })

  it("a month is shown in the whole weeks that it needs", () => {
    expect(weeksOfMonth("2026-12-15", 1)).toEqual({ first: "2026-11-30", weeks: 5 })
    expect(weeksOfMonth("2026-08-15", 1)).toEqual({ first: "2026-07-27", weeks: 6 })
    expect(weeksOfMonth("2027-02-10", 1)).toEqual({ first: "2027-02-01", weeks: 4 })
  })

  it("a day in an address is taken only if the calendar has them", () => {
    expect(["2026-12-04", "2026-02-30", "2026-13-01", "4 Dec", 20261204].map(isDay)).toEqual([
      true,
      false,
      false,
      false,
      false
    ])
  })
})

describe("the clock of a zone", () => {
  it("the clock of a zone is on another day than the browser's where it is", () => {
    const instant = new Date("2026-12-31T23:30:00Z")
    expect(wallClock(instant, "Asia/Kolkata")).toEqual({ day: "2027-01-01", time: "05:00" })
    expect(wallClock(instant, "America/New_York")).toEqual({ day: "2026-12-31", time: "18:30" })
    expect(wallClock(new Date("2026-12-31T23:00:00Z"), "Europe/Paris").time).toBe("00:00")
  })

  it("says days as people do", () => {
    expect(shortDay("2026-12-04")).toBe("Fri 4 Dec")
    expect(longDay("2026-12-04")).toBe("Friday 4 December")
    expect(spanOfDays("2026-11-30", "2026-12-06")).toBe("30 Nov – 6 Dec")
    expect(spanOfDays("2026-12-07", "2026-12-13")).toBe("7 – 13 Dec")
  })
})
