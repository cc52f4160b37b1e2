import { DateTime, Option, Result } from "effect"

export interface ScheduledAt {
  readonly instant: DateTime.Utc
  readonly warnings: ReadonlyArray<string>
}

const shape =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?((?:\[[^\]]*\])*)$/

/**
 * Reads a `scheduled_at` (contract.md section 4): an offset or `Z`, an RFC 9557 zone in brackets, or neither, and
 * then the profile's time zone. A local time that the clocks skip moves forward by the gap, one that they repeat is
 * the first of the two; both are said in `warnings`. The failure is a sentence.
 */
export const parseScheduledAt = (
  text: string,
  profileTimeZone: string
): Result.Result<ScheduledAt, string> => {
  const bad = (why: string) => Result.fail(`scheduled_at is ${JSON.stringify(text)}: ${why}`)
  const match = shape.exec(text.trim())
  if (match === null) {
    return bad(
      "it must be an ISO 8601 date and time such as 2026-12-24T09:00:00Z or 2026-12-24T09:00[Europe/Paris]."
    )
  }
  const [year, month, day, hour, minute] = match.slice(1, 6).map(Number) as [
    number,
    number,
    number,
    number,
    number
  ]
  const second = Number(match[6] ?? 0)
  const millisecond = Math.trunc(Number(`0.${match[7] ?? 0}`) * 1000)
  const local = Date.UTC(year, month - 1, day, hour, minute, second, millisecond)
  const echo = new Date(local)
  if (
    year < 1970 ||
    hour > 23 ||
    minute > 59 ||
    second > 59 ||
    echo.getUTCMonth() !== month - 1 ||
    echo.getUTCDate() !== day
  ) {
    return bad("there is no such date and time in the calendar.")
  }

  const zones: Array<string> = []
  for (const [, critical, tag] of (match[12] ?? "").matchAll(/\[(!?)([^\]]*)\]/g)) {
    if (!tag!.includes("=")) zones.push(tag!)
    else if (critical === "!") return bad(`the tag [!${tag}] is marked critical and is not known here.`)
  }
  if (zones.length > 1) return bad("it names more than one time zone; give one.")
  const zoneName = zones[0]
  const zone = Option.getOrUndefined(DateTime.zoneFromString(zoneName ?? profileTimeZone))
  if (zone === undefined) {
    return bad(`${zoneName ?? profileTimeZone} is not an IANA time zone; use one such as Europe/Paris.`)
  }

  if (match[8] !== undefined) return Result.succeed({ instant: DateTime.makeUnsafe(local), warnings: [] })

  if (match[9] !== undefined) {
    const offset = (match[9] === "-" ? -1 : 1) * (Number(match[10]) * 60 + Number(match[11])) * 60_000
    if (Math.abs(offset) > 18 * 3_600_000 || Number(match[11]) > 59) return bad("its offset is out of range.")
    const instant = DateTime.makeUnsafe(local - offset)
    if (zoneName !== undefined && DateTime.zonedOffset(DateTime.setZone(instant, zone)) !== offset) {
      return bad(`its offset is not the one that ${zoneName} has at that time; leave one of the two out.`)
    }
    return Result.succeed({ instant, warnings: [] })
  }

  const resolve = (disambiguation: DateTime.Disambiguation) =>
    DateTime.makeZonedUnsafe(local, { timeZone: zone, adjustForTimeZone: true, disambiguation })
  const chosen = resolve("compatible")
  const instant = DateTime.toUtc(chosen)
  const name = zoneName ?? profileTimeZone
  const shown = DateTime.formatIsoZoned(chosen)
  if (chosen.epochMilliseconds + DateTime.zonedOffset(chosen) !== local) {
    return Result.succeed({
      instant,
      warnings: [
        `scheduled_at ${text} does not exist in ${name}, where the clocks go forward then; it was moved to ${shown}.`
      ]
    })
  }
  if (resolve("later").epochMilliseconds !== chosen.epochMilliseconds) {
    return Result.succeed({
      instant,
      warnings: [
        `scheduled_at ${text} happens twice in ${name}, where the clocks go back then; the first was taken, ${shown}.`
      ]
    })
  }
  return Result.succeed({ instant, warnings: [] })
}
