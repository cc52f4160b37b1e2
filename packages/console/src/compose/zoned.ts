import { workspace } from "../data/api.ts"
import { wallClock } from "../time/zone.ts"
import { words } from "./en.ts"
import { shownTime } from "./times.ts"

const zone = workspace.timezone

/** The clock on the wall of the workspace, to the minute. */
export const clockOf = (at: Date) => wallClock(at, zone).time

/** An instant as a time of the workspace. */
export const inZone = (instant: string) => {
  const { day, time } = wallClock(new Date(instant), zone)
  return `${day}T${time}`
}

/** The next free slot of the queue. null: there is none; undefined: it is being asked for. */
export const slotWords = (slot: string | null | undefined) =>
  slot === undefined ? "" : slot === null ? words.when.full : shownTime(inZone(slot))
