import { type Attempt, judge, maximumAttempts } from "@carillon/server/webhooks/DeliveryPolicy"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"

const now = DateTime.makeUnsafe("2026-11-21T12:00:00Z")
const answer = (response_status: number | null, retry_at: DateTime.Utc | null = null): Attempt => ({
  response_status,
  response_excerpt: null,
  error: null,
  retry_at
})
const unit = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

const pause = (attempt: Attempt, attempts: number, random: number) => {
  const verdict = judge(attempt, attempts, now, random)
  assert.strictEqual(verdict._tag, "again")
  return verdict._tag === "again" ? verdict.at.epochMilliseconds - now.epochMilliseconds : Number.NaN
}

describe("a try of a delivery", () => {
  it("is a success with any 2xx, the end with 410, and made again with anything else", () => {
    for (const status of [200, 201, 202, 204, 299]) {
      assert.strictEqual(judge(answer(status), 1, now, 0)._tag, "delivered")
    }
    assert.strictEqual(judge(answer(410), 1, now, 0)._tag, "gone")
    for (const status of [null, 199, 300, 301, 307, 400, 401, 404, 418, 429, 500, 503]) {
      assert.strictEqual(judge(answer(status), 1, now, 0)._tag, "again", String(status))
    }
  })

  it.prop(
    "a try of a delivery is the last of eight, spread over about 27 hours, each pause longer than the one before",
    [unit],
    ([random]) => {
      const pauses = Array.from({ length: maximumAttempts - 1 }, (_, index) =>
        pause(answer(500), index + 1, random)
      )
      assert.strictEqual(maximumAttempts, 8)
      assert.strictEqual(judge(answer(500), maximumAttempts, now, random)._tag, "given_up")
      assert.deepStrictEqual(
        pauses,
        pauses.toSorted((a, b) => a - b)
      )
      const hours = pauses.reduce((sum, one) => sum + one, 0) / 3_600_000
      assert.isAbove(hours, 24)
      assert.isBelow(hours, 31)
    }
  )

  it("waits for as long as a 429 or 503 asks, never less than otherwise and never more than ten hours", () => {
    const inMinutes = (minutes: number) => DateTime.add(now, { minutes })
    assert.strictEqual(pause(answer(429, inMinutes(60)), 1, 0.5), 3_600_000)
    assert.strictEqual(pause(answer(503, inMinutes(60)), 1, 0.5), 3_600_000)
    assert.strictEqual(pause(answer(429, inMinutes(1)), 2, 0.5), 300_000)
    assert.strictEqual(pause(answer(429, inMinutes(100_000)), 1, 0.5), 36_000_000)
    assert.strictEqual(pause(answer(500, inMinutes(60)), 1, 0.5), 5_000)
  })
})
