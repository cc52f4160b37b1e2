import type { Day } from "./days.ts"
import { wallClock } from "./zone.ts"

const day = 86_400_000

const asUtc = (date: Day, time: string) => Date.parse(`${date}T${time}Z`)

/** How far a zone's clock is ahead of UTC at an instant. */
const aheadAt = (instant: number, zone: string) => {
  const clock = wallClock(new Date(instant), zone)
  return asUtc(clock.day, clock.time) - Math.floor(instant / 60_000) * 60_000
}

/** The instants at which the clock of a zone shows this: one, none where the clocks skip it, two where they repeat it. */
export const instantsOf = (date: Day, time: string, zone: string): ReadonlyArray<Date> => {
  const wall = asUtc(date, time)
  return [...new Set([wall - day, wall + day].map((around) => wall - aheadAt(around, zone)))]
    .filter((instant) => aheadAt(instant, zone) === wall - instant)
    .sort((one, other) => one - other)
    .map((instant) => new Date(instant))
}

/** The first of these. A time that the clocks skip moves forward by the gap. */
export const instantOf = (date: Day, time: string, zone: string): Date => {
  const wall = asUtc(date, time)
  return instantsOf(date, time, zone)[0] ?? new Date(wall - aheadAt(wall - day, zone))
}
