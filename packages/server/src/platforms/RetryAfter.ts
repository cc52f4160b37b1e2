import { DateTime, Effect, Option } from "effect"
import type { Headers } from "effect/http"

/**
 * When a platform wants to be asked again: `Retry-After` as seconds or an HTTP date, else `ratelimit-reset` as
 * seconds from now, epoch seconds or a timestamp. Never in the past.
 */
export const retryAfter = Effect.fnUntraced(function* (headers: Headers.Headers) {
  const value = headers["retry-after"] ?? headers["ratelimit-reset"] ?? headers["x-ratelimit-reset"]
  if (value === undefined || value.trim() === "") return Option.none<DateTime.Utc>()
  const now = yield* DateTime.now
  return Option.map(atOf(value, now), (at) => DateTime.max(at, now))
})

const atOf = (value: string, now: DateTime.Utc): Option.Option<DateTime.Utc> => {
  const seconds = Number(value)
  if (Number.isNaN(seconds)) return Option.map(DateTime.make(value), DateTime.toUtc)
  const isEpoch = seconds > 1_000_000_000
  return DateTime.make((isEpoch ? 0 : DateTime.toEpochMillis(now)) + Math.round(seconds * 1000))
}
