import type { CalendarDay } from "@carillon/sdk"
import type { Day } from "../time/days.ts"

type Run =
  | { readonly kind: "day"; readonly day: CalendarDay }
  | { readonly kind: "empty"; readonly days: Array<CalendarDay> }

const isEmpty = ({ date, free_slots, total }: CalendarDay, today: Day) =>
  total === 0 && date !== today && (date < today || free_slots.length === 0)

/** Joins days without posts and slots into runs. Today is always a day of its own. */
export const runsOf = (days: ReadonlyArray<CalendarDay>, today: Day): ReadonlyArray<Run> => {
  const runs: Array<Run> = []
  for (const day of days) {
    const last = runs.at(-1)
    if (!isEmpty(day, today)) runs.push({ kind: "day", day })
    else if (last?.kind === "empty") last.days.push(day)
    else runs.push({ kind: "empty", days: [day] })
  }
  return runs
}
