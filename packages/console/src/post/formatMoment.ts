import { addDays } from "../time/days.ts"
import { secondsClock, shortDay, shownTime, wallClock } from "../time/zone.ts"
import { resultWords as words } from "./resultWords.ts"

/** `today, 18:00`, `tomorrow, 09:00`, `Fri 4 Dec, 18:00`; with `seconds` as `18:00:41`. */
export const formatMoment = (at: string, now: number, zone: string, { seconds = false } = {}) => {
  const instant = new Date(at)
  const { day, time } = wallClock(instant, zone)
  const today = wallClock(new Date(now), zone).day
  const named = new Map<string, string>([
    [today, words.today],
    [addDays(today, 1), words.tomorrow],
    [addDays(today, -1), words.yesterday]
  ])
  return `${named.get(day) ?? shortDay(day)}, ${seconds ? secondsClock(instant, zone) : shownTime(time)}`
}

/** The time, with its day unless that is today. */
export const clock = (at: string, now: number, zone: string) => {
  const instant = new Date(at)
  return wallClock(instant, zone).day === wallClock(new Date(now), zone).day
    ? secondsClock(instant, zone)
    : formatMoment(at, now, zone, { seconds: true })
}

/** `14 h 24 min`, `3 days` */
export const waitUntil = (at: string, now: number) => {
  const minutes = Math.max(0, Math.round((Date.parse(at) - now) / 60_000))
  if (minutes >= 48 * 60) return words.days(Math.round(minutes / 1440))
  return minutes < 60 ? words.minutes(minutes) : words.hours(Math.floor(minutes / 60), minutes % 60)
}
