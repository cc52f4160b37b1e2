import { addDays, type Day } from "../time/days.ts"

/** A day and a wall-clock time. */
export interface Place {
  readonly day: Day
  readonly time: string
}

/** For `scheduled_at`. The service converts it, because it knows the rules of the zone. */
export const scheduledAt = ({ day, time }: Place, zone: string) => `${day}T${time}[${zone}]`

const minutesOfDay = 24 * 60

/** The minutes from midnight to a clock time. */
export const minutesInto = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

const timeOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`

/** Adds minutes to a wall-clock time, across midnight if need be. */
export const laterBy = ({ day, time }: Place, minutes: number): Place => {
  const total = minutesInto(time) + minutes
  const days = Math.floor(total / minutesOfDay)
  return { day: addDays(day, days), time: timeOf(total - days * minutesOfDay) }
}

/** The place itself, or the next full hour if it has passed. */
export const notPast = (place: Place, { day, time }: Place): Place =>
  `${place.day}T${place.time}` > `${day}T${time}`
    ? place
    : laterBy({ day, time: `${time.slice(0, 2)}:00` }, 60)

/** The nearest quarter of an hour of the day. */
export const quarterOf = (minutes: number) =>
  timeOf(Math.min(Math.max(Math.round(minutes / 15) * 15, 0), minutesOfDay - 15))
