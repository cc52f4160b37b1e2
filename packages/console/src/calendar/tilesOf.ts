import type { CalendarDay, CalendarPost } from "@carillon/sdk"
import type { Form } from "../post/Tile.tsx"
import { firstOf } from "./firstOf.ts"

/** What a day of a grid shows, and leaves out. */
export interface Tiles {
  readonly tiles: ReadonlyArray<{ readonly row: CalendarPost; readonly form: Form }>
  readonly slots: ReadonlyArray<string>
}

/** A line more says how many more there are, or is the last post. */
const lines = 4

/** The lines of a day of the four weeks: its first posts, one of them with its picture, which takes two lines. */
export const tilesOf = ({ free_slots, posts, total }: CalendarDay, isPast: boolean): Tiles => {
  const pictured = firstOf(posts, lines - 1).find(({ thumbnail_url }) => thumbnail_url !== undefined)
  const room = pictured === undefined ? lines : lines - 1
  const fits = total <= room + 1 && posts.length === total
  const tiles = firstOf(posts, fits ? total : room).map((row) => ({
    row,
    form: row === pictured ? ("high" as const) : ("row" as const)
  }))
  return { tiles, slots: isPast || !fits ? [] : free_slots.slice(0, room + 1 - total) }
}
