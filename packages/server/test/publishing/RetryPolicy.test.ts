import { ErrorClass } from "@carillon/domain"
import { backoff, decide, maximumAttempts } from "@carillon/server/engine/RetryPolicy"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Schema } from "effect"

const now = DateTime.makeUnsafe("2026-11-21T12:00:00Z")
const deadline = DateTime.add(now, { hours: 24 })
const later = DateTime.add(now, { minutes: 7 })
const random = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
const attempts = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 }))

describe("the retry policy", () => {
  it("fails at once what can never pass", () => {
    for (const kind of ["invalid", "media_rejected", "forbidden", "config", "missed"] as const) {
      assert.deepStrictEqual(decide({ class: kind }, 1, now, deadline, 0.5), { _tag: "fail" })
    }
  })

  it("lets the whole account wait until the time that the platform gave", () => {
    for (const kind of ["rate_limited", "quota_exhausted"] as const) {
      const decision = decide({ class: kind, retry_at: later }, 1, now, deadline, 0.5)
      assert.deepStrictEqual(decision, { _tag: "pause", until: later })
      assert.strictEqual(decide({ class: kind }, 1, now, deadline, 0.5)._tag, "pause")
      assert.strictEqual(decide({ class: kind, retry_at: deadline }, 1, now, deadline, 0.5)._tag, "fail")
    }
  })

  it("waits for a person where the access is gone", () => {
    assert.deepStrictEqual(decide({ class: "reconnect" }, 1, now, deadline, 0.5), {
      _tag: "reconnect",
      at: deadline
    })
  })

  it("never tries sooner than the platform asked for", () => {
    const decision = decide({ class: "transient", retry_at: later }, 1, now, deadline, 0)
    assert.deepStrictEqual(decision, { _tag: "retry", at: later, counted: true })
  })

  it.prop(
    "grows its pauses and keeps them between a second and a quarter of an hour",
    [attempts, random],
    ([n, r]) => {
      const pause = Duration.toMillis(backoff(n, r))
      assert.isAtLeast(pause, 1000)
      assert.isAtMost(pause, 15 * 60_000)
      assert.isAtLeast(Duration.toMillis(backoff(n + 1, r)), pause)
    }
  )

  it.prop(
    "always ends: whatever fails, nothing is planned at or after the deadline, and tries are bounded",
    [ErrorClass, attempts, random, Schema.Int.check(Schema.isBetween({ minimum: -3600, maximum: 90_000 }))],
    ([kind, n, r, seconds]) => {
      const at = DateTime.add(now, { seconds })
      const decision = decide({ class: kind }, n, at, deadline, r)
      const planned =
        decision._tag === "retry" ? decision.at : decision._tag === "pause" ? decision.until : now
      assert.isTrue(DateTime.isLessThan(planned, deadline))
      assert.isFalse(decision._tag === "retry" && n >= maximumAttempts)
    }
  )
})
