import { isMovable, stateOf } from "@carillon/console/post/PostState"
import type { CalendarPost } from "@carillon/sdk"
import { expect, it } from "@effect/vitest"

const post = (
  blocked_by: number | undefined,
  progress: Partial<CalendarPost["progress"]> = {},
  status: CalendarPost["status"] = "scheduled"
) =>
  ({
    ...(blocked_by === undefined ? {} : { blocked_by }),
    status,
    progress: { failed: 0, unconfirmed: 0, publishing: 0, ...progress }
  }) as CalendarPost

it("a planned post says that one of its accounts has to be connected again, and can still be moved", () => {
  expect(stateOf(post(undefined))).toBe("planned")
  expect(stateOf(post(7))).toBe("blocked")
  expect(isMovable(post(7))).toBe(true)
})

it("what failed and was repaired everywhere is sent, and not before", () => {
  expect(stateOf(post(undefined, { total: 1, repaired: 1 }, "failed"))).toBe("sent")
  expect(stateOf(post(undefined, { total: 2, failed: 1, repaired: 1 }, "failed"))).toBe("failed")
  expect(stateOf(post(undefined, { total: 2, unconfirmed: 1, repaired: 1 }, "failed"))).toBe("doubt")
  expect(stateOf(post(undefined, { total: 2, published: 1, repaired: 1 }, "published"))).toBe("sent")
  expect(stateOf(post(undefined, { total: 2 }, "failed"))).not.toBe("sent")
})

it("what has begun, or is only a draft, says that first", () => {
  expect(stateOf(post(7, { publishing: 1 }))).toBe("going")
  expect(stateOf(post(7, { failed: 1 }))).toBe("failed")
  expect(stateOf(post(undefined, { published: 1, failed_items: 1 }, "published"))).toBe("failed")
  expect(stateOf(post(7, {}, "draft"))).toBe("draft")
})
