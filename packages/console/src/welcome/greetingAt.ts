import { wallClock } from "../time/zone.ts"

/** The greeting for the time of day; the night counts as evening. */
export const greetingAt = (at: Date, zone: string): "morning" | "day" | "evening" => {
  const hour = Number(wallClock(at, zone).time.slice(0, 2))
  if (hour < 5 || hour >= 18) return "evening"
  return hour < 12 ? "morning" : "day"
}
