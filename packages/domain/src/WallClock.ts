import { DateTime } from "effect"

/** A wall-clock time in a zone. `clocks` says whether the clocks skip or repeat it there. */
export interface WallClockTime {
  readonly at: DateTime.Zoned
  readonly clocks: "steady" | "skip" | "repeat"
}

/**
 * The instant at which the clocks of a zone show a time, which is given in milliseconds as if it were UTC. A time that
 * they skip moves forward by the gap, one that they repeat is the first of the two.
 */
export const onWallClock = (wall: number, zone: DateTime.TimeZone): WallClockTime => {
  const resolve = (disambiguation: DateTime.Disambiguation) =>
    DateTime.makeZonedUnsafe(wall, { timeZone: zone, adjustForTimeZone: true, disambiguation })
  const at = resolve("compatible")
  if (wallClockOf(at) !== wall) return { at, clocks: "skip" }
  return {
    at,
    clocks: resolve("later").epochMilliseconds === at.epochMilliseconds ? "steady" : "repeat"
  }
}

/** The wall-clock time of an instant, in milliseconds as if it were UTC. */
export const wallClockOf = (at: DateTime.Zoned): number => at.epochMilliseconds + DateTime.zonedOffset(at)
