import { wallClock } from "../time/zone.ts"

/** What people say to each other at this time of the day. The night belongs to the evening before it. */
export const greetingAt = (at: Date, zone: string): "morning" | "day" | "evening" => {
  const hour = Number(wallClock(at, zone).time.slice(0, 2))
  if (hour < 5 || hour >= 18) return "evening"
  return hour < 12 ? "morning" : "day"
}
