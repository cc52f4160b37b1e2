import { DateTime } from "effect"

/** What a wall-clock time is in a zone. `clocks` says whether they skip it or repeat it there. */
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

/** What the clocks show then, in milliseconds as if it were UTC. */
export const wallClockOf = (at: DateTime.Zoned): number => at.epochMilliseconds + DateTime.zonedOffset(at)
