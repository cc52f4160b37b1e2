import type { Day } from "./days.ts"
import { wallClock } from "./zone.ts"

const day = 86_400_000

const asUtc = (date: Day, time: string) => Date.parse(`${date}T${time}Z`)

/** How far a zone's clock is ahead of UTC at an instant. */
const aheadAt = (instant: number, zone: string) => {
  const clock = wallClock(new Date(instant), zone)
  return asUtc(clock.day, clock.time) - Math.floor(instant / 60_000) * 60_000
}

/**
 * The instant at which the clock of a zone shows this. A time that the clocks skip moves forward by the gap, one that
 * they repeat is the first of the two.
 */
export const instantOf = (date: Day, time: string, zone: string): Date => {
  const wall = asUtc(date, time)
  const [before, after] = [aheadAt(wall - day, zone), aheadAt(wall + day, zone)]
  const shown = [before, after]
    .map((ahead) => wall - ahead)
    .filter((instant) => aheadAt(instant, zone) === wall - instant)
  return new Date(shown.length === 0 ? wall - before : Math.min(...shown))
}
