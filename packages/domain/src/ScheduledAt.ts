import { DateTime, Option, Result } from "effect"
import { onWallClock } from "./WallClock.ts"

export interface ScheduledAt {
  readonly instant: DateTime.Utc
  readonly warnings: ReadonlyArray<string>
}

const shape =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?(?: ?(?:([Zz])|([+-])(\d{2})(?::?(\d{2}))?))?((?:\[[^\]]*\])*)$/

/** Longer than any time with its zone and tags. */
const longest = 200

/** The last year that a post can be scheduled in. */
const lastYear = 2199

/** Calendars with the dates of ISO 8601; RFC 9557 tags with any other may only be ignored. */
const ownCalendars = ["u-ca=iso8601", "u-ca=gregory"]

/**
 * Reads a `scheduled_at`: an offset or `Z`, an RFC 9557 zone in brackets, or neither, and
 * then the profile's time zone. A local time that the clocks skip moves forward by the gap, and one that they repeat is
 * the first of the two; `warnings` says so. Anything finer than a millisecond is cut off. The failure is a
 * sentence.
 */
export const parseScheduledAt = (
  text: string,
  profileTimeZone: string,
  name = "scheduled_at"
): Result.Result<ScheduledAt, string> => {
  const bad = (why: string) => Result.fail(`${name} is ${JSON.stringify(text)}: ${why}`)
  if (text.length > longest) {
    return Result.fail(`${name} has ${text.length} characters; a time has at most ${longest}.`)
  }
  const match = shape.exec(text.trim())
  if (match === null) {
    return bad(
      "it must be an ISO 8601 date and time such as 2026-12-24T09:00:00Z or 2026-12-24T09:00[Europe/Paris]."
    )
  }
  const [, year, month, day, hour, minute, second = "00", fraction = "", utc, sign, ...rest] = match
  const [offsetHours, offsetMinutes = "00", tags = ""] = rest
  if (Number(hour) > 23) {
    return bad("its hour must be 00 to 23; midnight at the end of a day is 00:00 of the next.")
  }
  if (Number(second) === 60) return bad("leap seconds are not supported; its second must be 00 to 59.")
  const milliseconds = `${fraction}000`.slice(0, 3)
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}Z`)
  // Date.parse takes a 31st of any month for the 1st of the next.
  if (Number.isNaN(local) || new Date(local).getUTCDate() !== Number(day)) {
    return bad("there is no such date and time in the calendar.")
  }
  if (Number(year) > lastYear) return bad(`a post can be scheduled until the end of the year ${lastYear}.`)

  const zones: Array<string> = []
  for (const [, critical, tag] of tags.matchAll(/\[(!?)([^\]]*)\]/g)) {
    if (!tag!.includes("=")) zones.push(tag!)
    else if (critical === "!" && !ownCalendars.includes(tag!)) {
      return bad(`the tag [!${tag}] is marked critical and is not supported; leave it out.`)
    }
  }
  if (zones.length > 1) return bad("it names more than one time zone; give one.")
  const [zoneName] = zones
  if (utc !== undefined && zoneName === undefined) {
    return Result.succeed({ instant: DateTime.makeUnsafe(local), warnings: [] })
  }
  const zone = Option.getOrUndefined(DateTime.zoneFromString(zoneName ?? profileTimeZone))
  if (zone === undefined) {
    return bad(`${zoneName ?? profileTimeZone} is not an IANA time zone; use one such as Europe/Paris.`)
  }

  if (utc !== undefined) return Result.succeed({ instant: DateTime.makeUnsafe(local), warnings: [] })

  if (sign !== undefined) {
    const minutes = Number(offsetHours) * 60 + Number(offsetMinutes)
    if (minutes > 18 * 60 || Number(offsetMinutes) > 59)
      return bad("its offset is out of range; give one from -18:00 to +18:00.")
    const offset = (sign === "-" ? -1 : 1) * minutes * 60_000
    const instant = DateTime.makeUnsafe(local - offset)
    // -00:00 says UTC and nothing about the place, as Z does.
    const ofThePlace = sign === "+" || minutes > 0
    if (
      zoneName !== undefined &&
      ofThePlace &&
      DateTime.zonedOffset(DateTime.setZone(instant, zone)) !== offset
    ) {
      return bad(`its offset does not match ${zoneName} at that time; leave one of the two out.`)
    }
    return Result.succeed({ instant, warnings: [] })
  }

  const { at, clocks } = onWallClock(local, zone)
  const place = zoneName ?? profileTimeZone
  const shown = DateTime.formatIsoZoned(at)
  const warnings = {
    steady: [],
    skip: [
      `${name} ${text} does not exist in ${place}, where the clocks go forward then; it was moved to ${shown}.`
    ],
    repeat: [
      `${name} ${text} happens twice in ${place}, where the clocks go back then; the first was used: ${shown}.`
    ]
  }
  return Result.succeed({ instant: DateTime.toUtc(at), warnings: warnings[clocks] })
}
