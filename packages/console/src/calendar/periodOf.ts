import type { Period } from "../data/calendar.ts"
import { firstWeekday } from "../data/preferences.ts"
import { addDays, addMonths, type Day, monthOf, weekOf, weeksOfMonth } from "../time/days.ts"
import { longDay, monthName, spanOfDays } from "../time/zone.ts"
import type { View } from "./calendarSearch.ts"

const usualAgenda = 14

/** The days that a view shows around a date. */
export const periodOf = (view: View, date: Day, agenda = usualAgenda): Period => {
  if (view === "month") {
    const { first, weeks } = weeksOfMonth(date, firstWeekday())
    return { first, days: weeks * 7 }
  }
  return view === "week" ? { first: weekOf(date, firstWeekday()), days: 7 } : { first: date, days: agenda }
}

export const titleOf = (view: View, date: Day, { days, first }: Period) => {
  if (view === "month") return monthName(date)
  return days === 1 ? longDay(first) : spanOfDays(first, addDays(first, days - 1))
}

/** A date in the previous or next period. */
export const stepOf = (view: View, date: Day, { days }: Period, direction: 1 | -1): Day =>
  view === "month" ? addMonths(monthOf(date), direction) : addDays(date, direction * days)
