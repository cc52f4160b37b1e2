import { DateTime, Schema } from "effect"

export const LocalTime = Schema.String.annotate({
  description: "The same instant on the clocks of the profile's time zone, for showing to the user."
})

/** `2026-12-24T10:00:00.000+01:00[Europe/Berlin]`. */
export const localTime = (instant: DateTime.Utc, timezone: string): string =>
  DateTime.formatIsoZoned(DateTime.setZone(instant, DateTime.zoneMakeNamedUnsafe(timezone)))

export const localTimeOrNull = (instant: DateTime.Utc | null, timezone: string) =>
  instant === null ? null : localTime(instant, timezone)
