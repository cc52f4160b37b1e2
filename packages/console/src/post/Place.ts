import { addDays, type Day } from "../time/days.ts"

/** A day and a clock time of the workspace's zone. */
export interface Place {
  readonly day: Day
  readonly time: string
}

/** What the service takes as `scheduled_at`: it knows the zone's rules, the browser converts nothing. */
export const scheduledAt = ({ day, time }: Place, zone: string) => `${day}T${time}[${zone}]`

const minutesOfDay = 24 * 60

/** The minutes from midnight to a clock time. */
export const minutesInto = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

const timeOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`

/** So many minutes later by the clock on the wall, on another day where the clock says so. */
export const laterBy = ({ day, time }: Place, minutes: number): Place => {
  const total = minutesInto(time) + minutes
  const days = Math.floor(total / minutesOfDay)
  return { day: addDays(day, days), time: timeOf(total - days * minutesOfDay) }
}

/** The place itself, or the next full hour where it has passed. */
export const notPast = (place: Place, { day, time }: Place): Place =>
  `${place.day}T${place.time}` > `${day}T${time}`
    ? place
    : laterBy({ day, time: `${time.slice(0, 2)}:00` }, 60)

/** The quarter of an hour that a point of the day belongs to. */
export const quarterOf = (minutes: number) =>
  timeOf(Math.min(Math.max(Math.round(minutes / 15) * 15, 0), minutesOfDay - 15))
