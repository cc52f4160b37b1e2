import type { CalendarDay } from "@carillon/sdk"
import { addDays, type Day } from "../time/days.ts"

/** The week's results by outcome, and how many posts went out. `atLeast`: some day has more posts than the page holds. */
export const numbersOf = (days: ReadonlyArray<CalendarDay>, first: Day) => {
  const week = days.filter(({ date }) => date >= first && date < addDays(first, 7))
  const progress = week.flatMap(({ posts }) =>
    posts.filter(({ status }) => status !== "draft").map((post) => post.progress)
  )
  const sum = (status: "published" | "failed" | "waiting") =>
    progress.reduce((count, { [status]: results = 0 }) => count + results, 0)
  return {
    sent: sum("published"),
    failed: sum("failed"),
    planned: sum("waiting"),
    posts: week.reduce((count, { by_status }) => count + by_status.published, 0),
    atLeast: week.some(({ posts, total }) => posts.length < total)
  }
}
