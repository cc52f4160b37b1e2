import * as chrono from "chrono-node/en"
import { fromIso, isIso, refusePast } from "@carillon/domain"
import { type ScheduledTime, Unusable } from "@carillon/domain/plan"

/**
 * Reads `--at`: ISO 8601 as the API takes it, or words (`+10s`, `in 10 seconds`, `tomorrow 09:00`, `friday 5pm
 * Europe/Paris`). A time without a zone is in `profileTimeZone`, as in the API. An ambiguous time is refused, because a
 * post goes out only once.
 */
export const parseScheduledTime = (text: string, profileTimeZone: string, now: Date): ScheduledTime => {
  const time = isIso(text) ? fromIso(text, profileTimeZone) : fromWords(text.trim(), profileTimeZone, now)
  return refusePast(text, time, now)
}

/** `2026-11-22 09:00:00 Europe/Paris (2026-11-22T08:00:00.000Z)` */
export const describeInstant = (instant: Date, timeZone: string): string =>
  `${new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone }).format(instant)} ` +
  `${timeZone} (${instant.toISOString()})`

/**
 * Reads a day or a time of a list: ISO 8601, or words (`today`, `3 days ago`, `tomorrow 09:00`). A day stays a date, which
 * the service takes as all of that day in the profile's time zone.
 */
export const parseDayOrTime = (text: string, profileTimeZone: string, now: Date): string => {
  const trimmed = text.trim()
  if (/^\d{4}-\d{2}-\d{2}$/.test(trimmed)) return trimmed
  if (isIso(trimmed)) return fromIso(text, profileTimeZone).instant.toISOString()
  const { result, start, tags, timeZone } = recognized(trimmed, profileTimeZone, now)
  if (result.start.isCertain("hour") || tags.has("casualReference/now"))
    return fromWords(trimmed, profileTimeZone, now).instant.toISOString()
  if (result.start.isCertain("weekday") && !result.start.isCertain("day"))
    throw unreadable(text, "it may be a day of last week or of the next; give its date")
  if (timeZone !== profileTimeZone)
    throw unreadable(text, `days are those of ${profileTimeZone}; give a time`)
  return start.slice(0, 10)
}

const fromWords = (text: string, profileTimeZone: string, now: Date): ScheduledTime => {
  const { result, start, tags, timeZone } = recognized(text, profileTimeZone, now)
  if (tags.has("result/relativeDateAndTime") || tags.has("casualReference/now")) {
    return { instant: result.date(), timeZone, relative: true, warnings: [] }
  }
  if (result.start.isCertain("timezoneOffset") && !tags.has("result/relativeDate")) {
    throw unreadable(text, "give the zone by its full name, such as Europe/Paris, or UTC")
  }
  if (!result.start.isCertain("hour") && !tags.has("result/relativeDate")) {
    throw unreadable(text, "the time of day is missing")
  }
  return fromIso(start, timeZone)
}

/** What the words say, and when it begins on the wall clock of their zone. */
const recognized = (text: string, profileTimeZone: string, now: Date) => {
  const named = /^(.*\S)\s+((?:[A-Za-z_]+\/[A-Za-z_/+-]+)|UTC|GMT)$/.exec(text)
  const words = named?.[1] ?? text
  const timeZone = named?.[2] ?? profileTimeZone

  const found = chrono.parse(
    words,
    { instant: now, timezone: offsetMinutes(now, timeZone, text) },
    { forwardDate: true }
  )
  const [result] = found
  const tags = result?.start.tags() ?? new Set()
  if (found.length !== 1 || result === undefined || result.text.length !== words.length || result.end) {
    throw unreadable(text, "not a recognized time")
  }
  if (tags.has("parser/SlashDateFormatParser")) {
    throw unreadable(text, "day and month are ambiguous in such a date")
  }
  const part = (component: "year" | "month" | "day" | "hour" | "minute" | "second", width = 2) =>
    String(result.start.get(component) ?? 0).padStart(width, "0")
  const start = `${part("year", 4)}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}`
  return { result, start, tags, timeZone }
}

const offsetMinutes = (instant: Date, timeZone: string, text: string): number => {
  const zoned = (() => {
    try {
      return new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" }).format(instant)
    } catch {
      throw unreadable(text, `${timeZone} is not an IANA time zone`)
    }
  })()
  const [, sign, hours = 0, minutes = 0] = /GMT(?:([+-])(\d\d):(\d\d))?/.exec(zoned) ?? []
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

const unreadable = (text: string, why: string) =>
  new Unusable(
    `Invalid time ${JSON.stringify(text)}: ${why}.`,
    'Use ISO 8601 (2026-12-24T09:00:00Z, 2026-12-24T09:00[Europe/Paris]), "+10m", "in 2 hours" or "tomorrow 09:00".'
  )
