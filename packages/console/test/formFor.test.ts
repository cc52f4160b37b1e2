import { describe, expect, it } from "@effect/vitest"
import { formFor } from "@carillon/console/calendar/formFor"

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
