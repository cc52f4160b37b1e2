import { workspace } from "../data/api.ts"
import { isDay } from "../time/days.ts"
import { instantOf, instantsOf } from "../time/instantOf.ts"
import { placeOf, wallClock } from "../time/zone.ts"
import { words } from "./en.ts"
import { isTime, shownTime } from "./times.ts"
import { inZone } from "./zoned.ts"

/** The instant of a wall clock time, with a sentence where the clocks change. */
export const readTime = (value: string, zone: string) => {
  const [day, time] = [value.slice(0, 10), value.slice(11)]
  if (!isTime(value) || !isDay(day)) return null
  const at = instantOf(day, time, zone)
  const times = instantsOf(day, time, zone).length
  return {
    at,
    sentence:
      times === 1
        ? undefined
        : times === 2
          ? words.when.twice(time, placeOf(zone))
          : words.when.skipped(time, wallClock(at, zone).time, placeOf(zone))
  }
}

/** A time in words. The clocks may skip the one that was typed. */
export const shownInZone = (value: string) => {
  const read = readTime(value, workspace.timezone)
  return shownTime(read === null ? value : inZone(read.at.toISOString()))
}
