import { TokenBuckets } from "@carillon/server/http/TokenBucket"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const within = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const Quota = Schema.Struct({ requests: within(1, 5000), windowSeconds: within(1, 3600) })
/** Milliseconds between requests: mostly bursts, sometimes a clock that is set back. */
const Pauses = Schema.Array(Schema.Union([within(0, 3), within(0, 2000), within(-90_000, 90_000)])).check(
  Schema.isBetweenLength(1, 200)
)

describe("a token bucket", () => {
  it.prop(
    "never tells a negative number, and a request after the time it tells is allowed",
    [Quota, Pauses],
    ([quota, pauses]) => {
      const buckets = new TokenBuckets(quota)
      let now = Date.UTC(2026, 10, 21)
      for (const pause of pauses) {
        now += pause
        const before = buckets.look("key", now)
        const taken = buckets.take("key", now)
        assert.strictEqual(taken.allowed, before.allowed)
        assert.strictEqual(taken.allowed, before.remaining > 0)
        assert.strictEqual(taken.remaining, taken.allowed ? before.remaining - 1 : 0)
        assert.isAtLeast(taken.remaining, 0)
        assert.isBelow(taken.remaining, quota.requests)
        assert.isTrue(Number.isInteger(taken.resetSeconds))
        assert.isAtLeast(taken.resetSeconds, 1)
        assert.isAtMost(taken.resetSeconds, quota.windowSeconds)
        const later = buckets.look("key", now + taken.resetSeconds * 1000)
        assert.isTrue(later.allowed)
        if (taken.remaining > 0) assert.strictEqual(later.remaining, quota.requests)
        // A second less would have been a lie, or at least too little for it to be true of every instant.
        if (!taken.allowed && taken.resetSeconds > 1) {
          assert.isFalse(buckets.look("key", now + (taken.resetSeconds - 1) * 1000).allowed)
        }
      }
    }
  )

  it.prop("allows no more than twice the quota in any window", [Quota, Pauses], ([quota, pauses]) => {
    const buckets = new TokenBuckets(quota)
    let now = 0
    const allowed: Array<number> = []
    for (const pause of pauses) {
      now += Math.abs(pause)
      for (let index = 0; index < 20; index++) if (buckets.take("key", now).allowed) allowed.push(now)
    }
    for (const [index, start] of allowed.entries()) {
      const end = start + quota.windowSeconds * 1000
      const inWindow = allowed.slice(index).filter((at) => at < end).length
      assert.isAtMost(inWindow, 2 * quota.requests + 1)
    }
  })

  it("keeps keys apart and forgets the buckets that are full again", () => {
    const buckets = new TokenBuckets({ requests: 1, windowSeconds: 1 })
    for (let index = 0; index < 5000; index++) {
      assert.isTrue(buckets.take(`key-${index}`, index * 100).allowed)
      assert.isFalse(buckets.take(`key-${index}`, index * 100).allowed)
    }
    assert.isBelow(buckets.size, 2000)
  })

  it("keeps a bounded number of buckets however many addresses there are", () => {
    const buckets = new TokenBuckets({ requests: 10, windowSeconds: 3600 })
    for (let index = 0; index < 450_000; index++) buckets.take(`address-${index}`, 0)
    assert.isAtMost(buckets.size, 200_000)
  })
})
