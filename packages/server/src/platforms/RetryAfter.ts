import { DateTime, Duration, Effect, Option, Schema } from "effect"
import type { Headers } from "effect/http"

/** No answer makes a post wait for longer; it is asked again then. */
const longest = Duration.hours(24)

/**
 * Seconds from now, epoch seconds, or a timestamp. The end of a window comes with every answer, also of a failure: while calls
 * are left in it, it is nothing to wait for.
 */
const named: ReadonlyArray<readonly [at: string, left?: string]> = [
  ["retry-after"],
  // Discord
  ["x-ratelimit-reset-after", "x-ratelimit-remaining"],
  // Bluesky
  ["ratelimit-reset", "ratelimit-remaining"],
  // Mastodon, Pinterest
  ["x-ratelimit-reset", "x-ratelimit-remaining"],
  // X
  ["x-rate-limit-reset", "x-rate-limit-remaining"]
]

/**
 * The platform's time for the next request, from the headers of its answer, else from its JSON: never in the past, and
 * never later than a day from now.
 */
export const retryAfter = Effect.fnUntraced(function* (headers: Headers.Headers, body?: unknown) {
  const now = yield* DateTime.now
  const inSeconds = (seconds: number) => Option.some(DateTime.addDuration(now, Duration.seconds(seconds)))
  return Option.firstSomeOf([
    ...named.map(([at, left]) =>
      left !== undefined && Number(headers[left] ?? 0) > 0
        ? Option.none()
        : Option.flatMap(Option.fromUndefinedOr(headers[at]), (value) => atOf(value, now))
    ),
    Option.flatMap(regainedAfter(headers["x-business-use-case-usage"]), (minutes) => inSeconds(minutes * 60)),
    Option.flatMap(secondsIn(body), inSeconds)
  ]).pipe(Option.map((at) => DateTime.min(DateTime.max(at, now), DateTime.addDuration(now, longest))))
})

/** The next midnight there: a platform that counts by the day begins anew then. */
export const nextMidnight = (now: DateTime.Utc, zone: string): DateTime.Utc =>
  DateTime.setZoneNamedUnsafe(now, zone).pipe(
    DateTime.startOf("day"),
    DateTime.add({ days: 1 }),
    DateTime.toUtc
  )

const atOf = (value: string, now: DateTime.Utc): Option.Option<DateTime.Utc> => {
  const text = value.trim()
  if (!/^\d+(\.\d+)?$/.test(text)) return Option.map(DateTime.make(text), DateTime.toUtc)
  const seconds = Number(text)
  const isEpoch = seconds > 1_000_000_000
  return DateTime.make((isEpoch ? 0 : DateTime.toEpochMillis(now)) + Math.round(seconds * 1000))
}

const seconds = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
const decodeBody = Schema.decodeUnknownOption(
  Schema.Union([
    // Discord
    Schema.Struct({ retry_after: seconds }),
    // Telegram
    Schema.Struct({ parameters: Schema.Struct({ retry_after: seconds }) })
  ])
)

const secondsIn = (body: unknown) =>
  Option.map(decodeBody(body), (said) =>
    Math.min(
      "parameters" in said ? said.parameters.retry_after : said.retry_after,
      Duration.toSeconds(longest)
    )
  )

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

/** Limits of others, such as of ads, do not concern us. */
const ours = ["instagram", "pages", "threads"]

/** Minutes, from Meta's entries for each of an app's use cases. */
const regainedAfter = (usage: string | undefined): Option.Option<number> => {
  const minutes = Option.match(decodeUsage(usage), {
    onNone: () => [],
    onSome: (businesses) =>
      Object.values(businesses)
        .flat()
        .filter(({ type = "instagram" }) => ours.includes(type))
        .map(({ estimated_time_to_regain_access = 0 }) => estimated_time_to_regain_access)
  })
  const most = Math.min(Math.max(0, ...minutes), Duration.toMinutes(longest))
  return most > 0 ? Option.some(most) : Option.none()
}
