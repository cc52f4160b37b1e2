import type { Period } from "../data/calendar.ts"
import { firstWeekday } from "../data/preferences.ts"
import { addDays, addMonths, type Day, monthOf, weekOf, weeksOfMonth } from "../time/days.ts"
import { longDay, monthName, shortDay, spanOfDays } from "../time/zone.ts"
import type { View } from "./calendarSearch.ts"

const usualAgenda = 14
const fourWeeks = 28

/** The days that a view shows around a date. */
export const periodOf = (view: View, date: Day, agenda = usualAgenda): Period => {
  const week = weekOf(date, firstWeekday())
  switch (view) {
    case "weeks":
      return { first: week, days: fourWeeks }
    case "month": {
      const { first, weeks } = weeksOfMonth(date, firstWeekday())
      return { first, days: weeks * 7 }
    }
    case "week":
      return { first: week, days: 7 }
    case "days":
      return { first: date, days: 3 }
    case "day":
      return { first: date, days: 1 }
    case "agenda":
      return { first: date, days: agenda }
  }
}

/** The three weeks before four that begin with this one. */
export const pastOf = (view: View, { first }: Period, today: Day): Period | undefined =>
  view === "weeks" && first === weekOf(today, firstWeekday())
    ? { first: addDays(first, -21), days: 21 }
    : undefined

export const titleOf = (view: View, date: Day, { days, first }: Period) => {
  if (view === "month") return monthName(date)
  if (view === "day") return shortDay(first)
  return days === 1 ? longDay(first) : spanOfDays(first, addDays(first, days - 1))
}

/** A date in the previous or next period. */
export const stepOf = (view: View, date: Day, { days }: Period, direction: 1 | -1): Day =>
  view === "month"
    ? addMonths(monthOf(date), direction)
    : addDays(date, direction * (view === "weeks" ? fourWeeks : days))
