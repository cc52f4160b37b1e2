import type { CalendarPost } from "@carillon/sdk"
import { words } from "../post/en.ts"
import { shownTime } from "../time/zone.ts"

/** When the posts of a block go out: `at 09:00`, or `from 09:00`. */
export const blockName = (rows: ReadonlyArray<CalendarPost>) => {
  const first = rows[0]!.local
  return words.block[first === rows.at(-1)!.local ? "at" : "from"](shownTime(first))
}
