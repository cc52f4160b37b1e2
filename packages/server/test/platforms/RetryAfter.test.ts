import { nextMidnight, retryAfter } from "@carillon/server/platforms/RetryAfter"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { Headers } from "effect/http"
import { TestClock } from "effect/testing"

const noon = "2026-11-21T12:00:00.000Z"
const usage = (...entries: ReadonlyArray<object>) => ({
  "x-business-use-case-usage": JSON.stringify({ "17841400000000000": entries })
})
const at = (time: string) => `2026-11-21T${time}Z`

/** What a network says, whose documentation has it, and when it wants the next request; null: it says nothing. */
const rows: ReadonlyArray<
  readonly [what: string, source: string, headers: Record<string, string>, body: unknown, string | null]
> = [
  [
    "Retry-After in seconds",
    "https://docs.slack.dev/apis/web-api/rate-limits",
    { "retry-after": "30" },
    { ok: false, error: "ratelimited" },
    at("12:00:30.000")
  ],
  [
    "Retry-After as a date",
    "https://www.rfc-editor.org/rfc/rfc9110#field.retry-after",
    { "retry-after": "Sat, 21 Nov 2026 12:05:00 GMT" },
    null,
    at("12:05:00.000")
  ],
  [
    "X's reset in epoch seconds",
    "https://docs.x.com/x-api/fundamentals/rate-limits",
    { "x-rate-limit-limit": "100", "x-rate-limit-reset": "1795263000" },
    null,
    at("12:10:00.000")
  ],
  [
    "Mastodon's reset as a time",
    "https://docs.joinmastodon.org/api/rate-limits/",
    { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "2026-11-21T12:05:00.000000Z" },
    { error: "Too many requests" },
    at("12:05:00.000")
  ],
  [
    "Bluesky's reset in epoch seconds",
    "https://docs.bsky.app/docs/advanced-guides/rate-limits",
    { "ratelimit-policy": "30;w=300", "ratelimit-reset": "1795262700" },
    { error: "RateLimitExceeded" },
    at("12:05:00.000")
  ],
  [
    "Discord's reset in seconds from now, before the one in epoch seconds",
    "https://docs.discord.com/developers/topics/rate-limits",
    { "x-ratelimit-reset-after": "1.25", "x-ratelimit-reset": "1795262400" },
    null,
    at("12:00:01.250")
  ],
  [
    "Discord's body, with a fraction",
    "https://docs.discord.com/developers/topics/rate-limits",
    {},
    { message: "You are being rate limited.", retry_after: 64.57, global: false },
    at("12:01:04.570")
  ],
  [
    "Telegram's body",
    "https://core.telegram.org/bots/api#responseparameters",
    {},
    { ok: false, error_code: 429, parameters: { retry_after: 35 } },
    at("12:00:35.000")
  ],
  [
    "Meta's minutes for Instagram, the longest of them",
    "https://developers.facebook.com/docs/graph-api/overview/rate-limiting",
    usage(
      { type: "instagram", call_count: 100, estimated_time_to_regain_access: 4 },
      { type: "instagram", call_count: 100, estimated_time_to_regain_access: 9 }
    ),
    null,
    at("12:09:00.000")
  ],
  [
    "Meta's minutes for a Page",
    "https://developers.facebook.com/docs/graph-api/overview/rate-limiting",
    usage({ type: "pages", estimated_time_to_regain_access: 19 }),
    null,
    at("12:19:00.000")
  ],
  [
    "nothing of Meta's limits for ads, nor of shares of an app's calls",
    "https://developers.facebook.com/docs/graph-api/overview/rate-limiting",
    {
      ...usage({ type: "ads_insights", estimated_time_to_regain_access: 19 }),
      "x-app-usage": JSON.stringify({ call_count: 100, total_time: 25, total_cputime: 25 })
    },
    null,
    null
  ],
  [
    "nothing of the end of a window in which calls are left, which comes with every answer",
    "https://docs.bsky.app/docs/advanced-guides/rate-limits",
    { "ratelimit-limit": "300", "ratelimit-remaining": "299", "ratelimit-reset": "1795348800" },
    { error: "InternalServerError" },
    null
  ],
  [
    "the body's where only another window has calls left",
    "https://docs.discord.com/developers/topics/rate-limits",
    { "x-ratelimit-remaining": "4", "x-ratelimit-reset-after": "600", "x-ratelimit-reset": "1795263000" },
    { message: "You are being rate limited.", retry_after: 2, global: true },
    at("12:00:02.000")
  ],
  [
    "the next one where the first cannot be read",
    "",
    { "retry-after": "soon" },
    { retry_after: 2 },
    at("12:00:02.000")
  ],
  ["now where the time has passed", "", { "retry-after": "Sat, 21 Nov 2026 11:00:00 GMT" }, null, noon],
  ["a day at most, of seconds", "", { "retry-after": "31536000" }, null, "2026-11-22T12:00:00.000Z"],
  [
    "a day at most, of a date",
    "",
    { "x-ratelimit-reset": "9999-12-31T00:00:00Z" },
    null,
    "2026-11-22T12:00:00.000Z"
  ],
  ["nothing of digits without end", "", { "retry-after": "9".repeat(400) }, null, null],
  [
    "a day at most, of minutes",
    "",
    usage({ estimated_time_to_regain_access: 1e300 }),
    null,
    "2026-11-22T12:00:00.000Z"
  ],
  ["a day at most, of a body", "", {}, { retry_after: 1e300 }, "2026-11-22T12:00:00.000Z"],
  ["nothing of a body that is no number", "", {}, { retry_after: "later" }, null],
  ["nothing of a negative one", "", {}, { retry_after: -5 }, null]
]

describe("the time of the next request", () => {
  it.effect.each(rows)("the time of the next request is %s (%s)", ([, , headers, body, expected]) =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse(noon))
      const found = yield* retryAfter(Headers.fromInput(headers), body)
      assert.strictEqual(Option.getOrNull(Option.map(found, DateTime.formatIso)), expected)
    })
  )

  it.each([
    // https://developers.google.com/youtube/v3/determine_quota_cost
    ["America/Los_Angeles", "2026-11-21T12:00:00.000Z", "2026-11-22T08:00:00.000Z"],
    ["America/Los_Angeles", "2026-11-01T08:30:00.000Z", "2026-11-02T08:00:00.000Z"],
    ["America/Los_Angeles", "2026-07-01T06:59:59.999Z", "2026-07-01T07:00:00.000Z"],
    // https://learn.microsoft.com/en-us/linkedin/shared/api-guide/concepts/rate-limits
    ["UTC", "2026-11-21T12:00:00.000Z", "2026-11-22T00:00:00.000Z"]
  ])(
    "the time of the next request is the next midnight of %s where a day is counted: from %s it is %s",
    (zone, now, expected) => {
      assert.strictEqual(DateTime.formatIso(nextMidnight(DateTime.makeUnsafe(now), zone)), expected)
    }
  )
})
