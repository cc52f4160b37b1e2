import type { CalendarPost } from "@carillon/sdk"
import { stateOf } from "../post/PostState.ts"

const needsSomebody = (row: CalendarPost) => ["failed", "blocked", "doubt", "approval"].includes(stateOf(row))

/** So many posts of a day, in the order of their times: those that need somebody before others. */
export const firstOf = (posts: ReadonlyArray<CalendarPost>, count: number) => {
  const first = new Set(
    posts.toSorted((one, other) => Number(needsSomebody(other)) - Number(needsSomebody(one))).slice(0, count)
  )
  return posts.filter((row) => first.has(row))
}
