import { runsOf } from "@carillon/console/calendar/runsOf"
import { parseTime } from "@carillon/console/host/parseTime"
import { expect, it } from "@effect/vitest"

const day = (date: string, total = 0, free_slots: ReadonlyArray<string> = []) =>
  ({ date, total, free_slots, posts: [] }) as never

const told = (days: ReadonlyArray<never>, today = "2026-11-24") =>
  runsOf(days, today).map((run) =>
    run.kind === "day" ? run.day.date.slice(8) : run.days.map(({ date }) => date.slice(8)).join("-")
  )

it("days without a post are runs between those with one", () => {
  expect(
    told([day("2026-11-25"), day("2026-11-26"), day("2026-11-27"), day("2026-11-28", 2), day("2026-11-29")])
  ).toEqual(["25-26-27", "28", "29"])
  expect(told([])).toEqual([])
})

it("today is by itself, and so is a day with free slots that are still to come", () => {
  const slots = ["09:00"]
  expect(
    told([
      day("2026-11-22", 0, slots),
      day("2026-11-23"),
      day("2026-11-24"),
      day("2026-11-25", 0, slots),
      day("2026-11-26")
    ])
  ).toEqual(["22-23", "24", "25", "26"])
})

it("a time is read as people write it", () => {
  for (const [text, time] of [
    ["8:30", "08:30"],
    ["08.30", "08:30"],
    ["8:30 PM", "20:30"],
    ["12:05 am", "00:05"],
    ["12 p.m.", "12:00"],
    [" 23:59 ", "23:59"]
  ] as const)
    expect(parseTime(text), text).toBe(time)
  for (const text of ["", "8", "24:00", "13:00 pm", "0:30 am", "8:60", "half past", "8:3"])
    expect(parseTime(text), text).toBeUndefined()
})
