import { numbersOf } from "@carillon/console/activity/numbersOf"
import type { CalendarDay, CalendarPost } from "@carillon/sdk"
import { expect, it } from "@effect/vitest"

const post = (status: CalendarPost["status"], progress: CalendarPost["progress"]) =>
  ({ status, progress }) as CalendarPost

const day = (date: string, posts: ReadonlyArray<CalendarPost>, total = posts.length) => {
  const of = (status: CalendarPost["status"]) => posts.filter((one) => one.status === status).length
  const by_status = {
    scheduled: of("scheduled"),
    published: of("published"),
    failed: of("failed"),
    draft: of("draft")
  }
  return { date, posts, total, by_status } as unknown as CalendarDay
}

it("the week counts what became of a post on each of its accounts", () => {
  const days = [
    day("2026-11-29", [post("published", { total: 9, published: 9 })]),
    // Live on two of five, refused by one, unheard by one, and one that waits for its account.
    day("2026-11-30", [
      post("scheduled", { total: 5, published: 2, failed: 1, unconfirmed: 1, waiting: 1 }),
      post("failed", { total: 2, failed: 2 })
    ]),
    day("2026-12-06", [post("scheduled", { total: 3, waiting: 3 }), post("draft", { total: 4, waiting: 4 })]),
    day("2026-12-07", [post("failed", { total: 1, failed: 1 })])
  ]
  expect(numbersOf(days, "2026-11-30")).toEqual({ sent: 2, failed: 3, planned: 4, posts: 0, atLeast: false })
})

it("a failure beside what is live is counted, and a day that has more than it shows counts at least what it shows", () => {
  const half = post("published", { total: 2, published: 1, failed: 1 })
  expect(numbersOf([day("2026-11-30", [half], 25)], "2026-11-30")).toEqual({
    sent: 1,
    failed: 1,
    planned: 0,
    posts: 1,
    atLeast: true
  })
})
