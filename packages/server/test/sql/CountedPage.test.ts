import { countedPage } from "@carillon/server/sql/CountedPage"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const within = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

describe("the total of a list", () => {
  it.prop(
    "the total of a list is exact up to what is counted and on the last page, else no more than there is and more than was shown",
    [within(0, 60), within(1, 20), within(0, 80), within(1, 30), Schema.Boolean],
    ([there, limit, offset, countedTo, complete]) => {
      const rows = Array.from({ length: there }, (_, index) => index).slice(offset, offset + limit + 1)
      const counted = Math.min(there, countedTo + 1)
      const { data, total, total_relation } = countedPage(
        { limit, offset },
        rows,
        counted,
        countedTo,
        complete
      )
      assert.deepStrictEqual(data, rows.slice(0, limit))
      const last = rows.length > 0 && rows.length <= limit
      assert.strictEqual(total_relation, complete && (there <= countedTo || last) ? "exact" : "at_least")
      if (total_relation === "exact") assert.strictEqual(total, there)
      assert.isAtMost(total, there)
      assert.strictEqual(offset + limit < total, rows.length > limit)
    }
  )
})
