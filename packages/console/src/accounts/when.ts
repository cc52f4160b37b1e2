import { addDays, type Day } from "../time/days.ts"
import { shortDay, wallClock } from "../time/zone.ts"
import { words } from "./en.ts"

/** `today at 18:00`, in the zone. */
export const when = (instant: string, now: Date, zone: string): string => {
  const { day, time } = wallClock(new Date(instant), zone)
  return words.at(dayName(day, wallClock(now, zone).day), time)
}

const dayName = (day: Day, today: Day) =>
  new Map([
    [addDays(today, -1), words.yesterday],
    [today, words.today],
    [addDays(today, 1), words.tomorrow]
  ]).get(day) ?? shortDay(day)
