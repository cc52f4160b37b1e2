import { addDays, type Day } from "../time/days.ts"
import { shortDay } from "../time/zone.ts"

interface Clock {
  readonly day: Day
  readonly time: string
}

const morning = "09:00"

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** The first full hour that is at least half an hour away. */
const soon = ({ day, time }: Clock) => {
  const hour = Math.ceil((minutesOf(time) + 30) / 60)
  return hour < 24
    ? `${day}T${String(hour).padStart(2, "0")}:00`
    : `${addDays(day, 1)}T${String(hour - 24).padStart(2, "0")}:00`
}

/** The first time of a new post: the given one, the morning of its day, or soon. */
export const firstTime = (asked: string | undefined, now: Clock): string => {
  if (asked === undefined) return soon(now)
  if (asked.length > 10) return asked
  const at = `${asked}T${morning}`
  return at > `${now.day}T${now.time}` ? at : soon(now)
}

export const isTime = (value: string) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(value)

/** `Fri 4 Dec, 18:00` */
export const shownTime = (value: string) => `${shortDay(value.slice(0, 10))}, ${value.slice(11, 16)}`

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" })

/** `in 28 hours`; nothing where the date says more. */
export const away = (at: Date, now: Date): string => {
  if (at.getTime() - now.getTime() > 60 * 86_400_000) return ""
  const minutes = Math.round((at.getTime() - now.getTime()) / 60_000)
  if (Math.abs(minutes) < 60) return relative.format(minutes, "minute")
  const hours = Math.round(minutes / 60)
  return Math.abs(hours) < 48
    ? relative.format(hours, "hour")
    : relative.format(Math.round(hours / 24), "day")
}
