import { freeOf, packLanes, slotHeight, tileHeight, topOf } from "@carillon/console/calendar/packLanes"
import type { CalendarPost } from "@carillon/sdk"
import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"

const row = (local: string, index = 0) => ({ id: `${local} ${index}`, local }) as CalendarPost

const placed = (...times: ReadonlyArray<string>) =>
  packLanes(times.map(row)).map(({ group, lane, rows }) => `${lane}/${group.lanes} ${rows.length}`)

/** Times of a busy day: most lie close together. */
const Times = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 95 })))

const timesOf = (quarters: ReadonlyArray<number>) =>
  quarters
    .toSorted((one, other) => one - other)
    .map(
      (quarter) =>
        `${String(Math.floor(quarter / 4)).padStart(2, "0")}:${String((quarter % 4) * 15).padStart(2, "0")}`
    )

describe("a day of the week", () => {
  it("puts two posts side by side that would lie on one another", () => {
    expect(placed("08:00", "08:30", "10:00")).toEqual(["0/2 1", "1/2 1", "0/1 1"])
    expect(placed("08:00", "08:30", "09:30")).toEqual(["0/2 1", "1/2 1", "0/2 1"])
  })

  it("shows the first of eight at one time, and the others as one block", () => {
    expect(placed(...Array.from({ length: 8 }, () => "09:00"))).toEqual(["0/2 1", "1/2 7"])
  })

  it.prop("shows each post once, in the order of time, and none on another", [Times], ([quarters]) => {
    const posts = timesOf(quarters).map(row)
    const blocks = packLanes(posts)
    expect(
      blocks.flatMap(({ rows }) => rows).toSorted((one, other) => posts.indexOf(one) - posts.indexOf(other))
    ).toEqual(posts)
    for (const lane of [0, 1] as const) {
      const tops = blocks.filter((block) => block.lane === lane).map(({ rows }) => topOf(rows[0]!.local))
      for (const [index, top] of tops.entries())
        if (index > 0) expect(top - tops[index - 1]!).toBeGreaterThanOrEqual(tileHeight)
    }
    // Who has the whole width has it alone.
    for (const one of blocks.filter(({ group }) => group.lanes === 1))
      for (const other of blocks.filter((block) => block !== one))
        expect(Math.abs(topOf(one.rows[0]!.local) - topOf(other.rows[0]!.local))).toBeGreaterThanOrEqual(
          tileHeight
        )
  })

  it.prop("shows a free slot only where no post lies on it", [Times, Times], ([quarters, slots]) => {
    const posts = timesOf(quarters).map(row)
    for (const slot of freeOf(timesOf(slots), posts))
      for (const { local } of posts) {
        const distance = topOf(local) - topOf(slot)
        expect(distance >= slotHeight || -distance >= tileHeight).toBe(true)
      }
  })
})
