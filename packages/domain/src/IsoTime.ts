import { type ScheduledTime, Unusable } from "./plan/index.ts"
import { parseScheduledAt } from "./ScheduledAt.ts"

/** Whether a text has a date and a time as digits, not words. */
export const isIso = (text: string) => /^\d{4}-\d{2}-\d{2}[Tt ]\d/.test(text.trim())

/** Reads a time as the API takes it, on the wall clock of the zone if it names none. */
export const fromIso = (text: string, timeZone: string): ScheduledTime => {
  const parsed = parseScheduledAt(text, timeZone)
  if (parsed._tag === "Failure") throw new Unusable(parsed.failure)
  const { instant, warnings } = parsed.success
  return { instant: new Date(instant.epochMilliseconds), timeZone, relative: false, warnings }
}

export const refusePast = (text: string, time: ScheduledTime, now: Date): ScheduledTime => {
  if (time.instant.getTime() > now.getTime()) return time
  throw new Unusable(
    `Invalid time ${JSON.stringify(text)}: ${time.instant.toISOString()} is in the past.`,
    "Give a time that is still to come."
  )
}
