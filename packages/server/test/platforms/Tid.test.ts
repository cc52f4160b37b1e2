import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { tid } from "@carillon/server/platforms/bluesky/Tid"

const microseconds = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
const clockId = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1023 }))

describe("tid", () => {
  it("a TID is written as the specification's example of the first instant", () => {
    assert.strictEqual(tid(0, 0), "2222222222222")
  })

  it.prop("a TID has the form of the specification", [microseconds, clockId], ([time, clock]) => {
    assert.match(tid(time, clock), /^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/)
  })

  it.prop(
    "sorts like time, then clock",
    [microseconds, clockId, microseconds, clockId],
    ([time, clock, laterTime, laterClock]) => {
      const order = Math.sign(time - laterTime) || Math.sign(clock - laterClock)
      const [a, b] = [tid(time, clock), tid(laterTime, laterClock)]
      assert.strictEqual(a < b ? -1 : a > b ? 1 : 0, order)
    }
  )
})
