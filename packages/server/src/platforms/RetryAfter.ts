import { DateTime, Effect, Option, Schema } from "effect"
import type { Headers } from "effect/http"

/**
 * The platform's time for the next request: `Retry-After` as seconds or an HTTP date, else `ratelimit-reset` as
 * seconds from now, epoch seconds or a timestamp, else Meta's own header. Never in the past.
 */
export const retryAfter = Effect.fnUntraced(function* (headers: Headers.Headers) {
  const value = headers["retry-after"] ?? headers["ratelimit-reset"] ?? headers["x-ratelimit-reset"]
  const now = yield* DateTime.now
  if (value === undefined || value.trim() === "") {
    return Option.map(regainedAfter(headers["x-business-use-case-usage"]), (minutes) =>
      DateTime.add(now, { minutes })
    )
  }
  return Option.map(atOf(value, now), (at) => DateTime.max(at, now))
})

const atOf = (value: string, now: DateTime.Utc): Option.Option<DateTime.Utc> => {
  const seconds = Number(value)
  if (Number.isNaN(seconds)) return Option.map(DateTime.make(value), DateTime.toUtc)
  const isEpoch = seconds > 1_000_000_000
  return DateTime.make((isEpoch ? 0 : DateTime.toEpochMillis(now)) + Math.round(seconds * 1000))
}

const decodeUsage = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Record(
      Schema.String,
      Schema.Array(
        Schema.Struct({
          type: Schema.optionalKey(Schema.String),
          estimated_time_to_regain_access: Schema.optionalKey(Schema.Finite)
        })
      )
    )
  )
)

/** Minutes, from Meta's entries for each of an app's use cases; limits of others, such as of ads, do not concern us. */
const regainedAfter = (usage: string | undefined): Option.Option<number> => {
  const minutes = Option.match(decodeUsage(usage), {
    onNone: () => [],
    onSome: (businesses) =>
      Object.values(businesses)
        .flat()
        .filter(({ type = "instagram" }) => type === "instagram")
        .map(({ estimated_time_to_regain_access = 0 }) => estimated_time_to_regain_access)
  })
  return Option.filter(Option.some(Math.max(0, ...minutes)), (longest) => longest > 0)
}
