import type { CalendarPost } from "@carillon/sdk"
import { minutesInto } from "../post/Place.ts"

export const hourHeight = 43
export const tileHeight = 60
export const topOf = (time: string) => (minutesInto(time) / 60) * hourHeight

/** Puts overlapping posts side by side. */
export const packLanes = (posts: ReadonlyArray<CalendarPost>) => {
  const placed: Array<{
    readonly row: CalendarPost
    readonly lane: number
    group: { lanes: number; until: number }
  }> = []
  let group = { lanes: 0, until: -1 }
  let ends: Array<number> = []
  for (const row of posts) {
    const start = topOf(row.local)
    if (start >= group.until) {
      group = { lanes: 0, until: -1 }
      ends = []
    }
    const free = ends.findIndex((end) => end <= start)
    const lane = free === -1 ? ends.length : free
    ends[lane] = start + tileHeight
    group.lanes = Math.max(group.lanes, ends.length)
    group.until = Math.max(group.until, start + tileHeight)
    placed.push({ row, lane, group })
  }
  return placed
}
