import { DateTime, Option, Schema } from "effect"

export const LocalTime = Schema.String.annotate({
  description:
    "The same instant on the clocks of the request's zone, or the profile's; show the user this one."
})

/** `2026-12-24T10:00:00.000+01:00[Europe/Berlin]`. */
export const localTime = (instant: DateTime.Utc, timezone: string): string =>
  DateTime.formatIsoZoned(DateTime.setZone(instant, DateTime.zoneMakeNamedUnsafe(timezone)))

export const localTimeOrNull = (instant: DateTime.Utc | null, timezone: string) =>
  instant === null ? null : localTime(instant, timezone)

interface Asked {
  readonly scheduled_at?: string | null
  readonly use_queue?: boolean | { readonly timezone?: string } | null
}

/** The zone that a request names, in which it is answered; else the profile's. */
export const zoneOf = ({ scheduled_at, use_queue }: Asked, profile: string): string => {
  const named =
    /\[!?([^\]=]+)\]/.exec(scheduled_at ?? "")?.[1] ??
    (typeof use_queue === "object" ? use_queue?.timezone : undefined)
  return named !== undefined && Option.isSome(DateTime.zoneMakeNamed(named)) ? named : profile
}
