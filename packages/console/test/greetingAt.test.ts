import { greetingAt } from "@carillon/console/welcome/greetingAt"
import { expect, it } from "@effect/vitest"

const ofEachHour = (zone: string) =>
  Array.from({ length: 24 }, (_, hour) => greetingAt(new Date(Date.UTC(2030, 11, 4, hour, 30)), zone))

const times = (count: number, one: string) => Array.from({ length: count }, () => one)

it("greets by the hour of the day: nobody says good morning at midnight", () => {
  expect(ofEachHour("UTC")).toEqual([
    ...times(5, "evening"),
    ...times(7, "morning"),
    ...times(6, "day"),
    ...times(6, "evening")
  ])
})

it("greets by the clock of the workspace, wherever the browser is", () => {
  const [midnight] = ofEachHour("Asia/Tokyo")
  expect(midnight).toBe("morning")
  expect(ofEachHour("America/New_York")[0]).toBe("evening")
})
