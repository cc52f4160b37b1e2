import type { CalendarPost } from "@carillon/sdk"
import { minutesInto } from "../post/Place.ts"

export const hourHeight = 43
export const tileHeight = 60
export const slotHeight = 26
export const topOf = (time: string) => (minutesInto(time) / 60) * hourHeight

/** A post, or several that have no lane of their own, at the top of the first. */
interface Block {
  readonly rows: Array<CalendarPost>
  readonly lane: 0 | 1
  /** Blocks that overlap share the width. */
  readonly group: { lanes: 1 | 2 }
}

/** Puts overlapping posts into two lanes. What fits neither joins the last block of the second. */
export const packLanes = (posts: ReadonlyArray<CalendarPost>): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let group: Block["group"] = { lanes: 1 }
  let ends: [number, number] = [0, 0]
  for (const row of posts) {
    const start = topOf(row.local)
    const lane = ([0, 1] as const).find((one) => ends[one] <= start)
    if (lane === undefined) {
      blocks.findLast((block) => block.lane === 1)!.rows.push(row)
      continue
    }
    if (start >= Math.max(...ends)) group = { lanes: 1 }
    else if (lane === 1) group.lanes = 2
    ends[lane] = start + tileHeight
    blocks.push({ rows: [row], lane, group })
  }
  return blocks
}

/** The times at which a tile of a slot lies on no post. */
export const freeOf = (slots: ReadonlyArray<string>, posts: ReadonlyArray<CalendarPost>) =>
  slots.filter((slot) =>
    posts.every(
      ({ local }) => topOf(slot) + slotHeight <= topOf(local) || topOf(local) + tileHeight <= topOf(slot)
    )
  )
