import { DateTime, Option, Schema } from "effect"

export const LocalTime = Schema.String.annotate({
  description: "The same instant in the request's time zone, or the profile's; show the user this one."
})

/** `2026-12-24T10:00:00.000+01:00[Europe/Berlin]`, or without a name for the zone `+01:00`. */
export const localTime = (instant: DateTime.Utc, timezone: string): string =>
  DateTime.formatIsoZoned(DateTime.setZone(instant, Option.getOrThrow(DateTime.zoneFromString(timezone))))

export const localTimeOrNull = (instant: DateTime.Utc | null, timezone: string) =>
  instant === null ? null : localTime(instant, timezone)

interface Asked {
  readonly scheduled_at?: string | null
  readonly use_queue?: boolean | { readonly timezone?: string } | null
}

/** The zone or the offset that a request names, in which it is answered; else the profile's zone. */
export const zoneOf = ({ scheduled_at, use_queue }: Asked, profile: string): string => {
  const text = scheduled_at ?? ""
  const named =
    /\[!?([^\]=]+)\]/.exec(text)?.[1] ??
    (typeof use_queue === "object" ? use_queue?.timezone : undefined) ??
    offsetOf(text)
  if (named === undefined || Option.isNone(DateTime.zoneFromString(named))) return profile
  const instant = DateTime.make(text)
  // The user's own zone says more than its offset.
  return Option.isSome(instant) && localTime(instant.value, profile).includes(`${named}[`) ? profile : named
}

const offsetOf = (text: string): string | undefined => {
  const [, hours, minutes = "00"] = /T[^+-]*([+-]\d\d)(?::?(\d\d))?$/i.exec(text.trim()) ?? []
  return hours === undefined ? undefined : `${hours}:${minutes}`
}
