import { parseScheduledAt } from "@carillon/domain"
import { workspace } from "../data/api.ts"
import { placeOf, wallClock } from "../time/zone.ts"
import { words } from "./en.ts"
import { isTime, shownTime } from "./times.ts"
import { inZone } from "./zoned.ts"

/** The instant of a wall clock time, with a sentence where the clocks change. */
export const readTime = (value: string, zone: string) => {
  const parsed = isTime(value) ? parseScheduledAt(value, zone) : undefined
  if (parsed === undefined || parsed._tag === "Failure") return null
  const { instant, warnings } = parsed.success
  const at = new Date(instant.epochMilliseconds)
  const { day, time } = wallClock(at, zone)
  const asked = value.slice(11)
  return {
    at,
    sentence:
      warnings.length === 0
        ? undefined
        : `${day}T${time}` === value
          ? words.when.twice(asked, placeOf(zone))
          : words.when.skipped(asked, time, placeOf(zone))
  }
}

/** A time in words. The clocks may skip the one that was typed. */
export const shownInZone = (value: string) => {
  const read = readTime(value, workspace.timezone)
  return shownTime(read === null ? value : inZone(read.at.toISOString()))
}
