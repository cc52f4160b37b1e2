import { restOf, ticksOf } from "@carillon/console/calendar/restOf"
import { tilesOf } from "@carillon/console/calendar/tilesOf"
import type { CalendarDay, CalendarPost } from "@carillon/sdk"
import { describe, expect, it } from "@effect/vitest"

const post = (id: number, status: CalendarPost["status"] = "scheduled", thumbnail_url?: string) =>
  ({
    id: String(id),
    status,
    progress: { total: 1, ...(status === "failed" ? { failed: 1 } : {}) },
    ...(thumbnail_url === undefined ? {} : { thumbnail_url })
  }) as CalendarPost

const day = (
  posts: ReadonlyArray<CalendarPost>,
  {
    free_slots = [],
    ...counts
  }: Partial<CalendarDay["by_status"]> & { free_slots?: ReadonlyArray<string> } = {}
) => {
  const by_status = { scheduled: 0, published: 0, failed: 0, draft: 0, ...counts }
  const counted = by_status.scheduled + by_status.published + by_status.failed + by_status.draft
  return {
    date: "2026-12-04",
    posts,
    total: Math.max(counted, posts.length),
    by_status,
    free_slots
  } as unknown as CalendarDay
}

const posts = (count: number) => Array.from({ length: count }, (_, index) => post(index))

describe("a day of four weeks", () => {
  const forms = (given: CalendarDay, isPast = false) => {
    const { slots, tiles } = tilesOf(given, isPast)
    return [...tiles.map(({ form }) => form), ...slots].join(" ")
  }

  it("shows five posts as lines, and of more the first four", () => {
    expect(forms(day(posts(5)))).toBe("row row row row row")
    expect(forms(day(posts(6)))).toBe("row row row row")
  })

  it("shows what failed late in the day before what is only planned, in the order of times", () => {
    const late = day([...posts(11), post(11, "failed")])
    expect(tilesOf(late, false).tiles.map(({ row }) => row.id)).toEqual(["0", "1", "2", "11"])
  })

  it("gives its first post with a picture the room of two lines", () => {
    const pictured = [post(1), post(2, "scheduled", "/2"), post(3, "scheduled", "/3"), post(4)]
    expect(forms(day(pictured))).toBe("row high row row")
    expect(forms(day([...pictured, post(5)]))).toBe("row high row")
  })

  it("shows free slots where there is room, and none that are over", () => {
    const slots = ["11:00", "16:00"]
    expect(forms(day(posts(4), { free_slots: slots }))).toBe("row row row row 11:00")
    expect(forms(day(posts(1), { free_slots: slots }), true)).toBe("row")
    expect(forms(day(posts(6), { free_slots: slots }))).toBe("row row row row")
  })
})

describe("what a day leaves out", () => {
  it("is counted by state, and what failed among twelve is the last tick", () => {
    const [first, second] = [post(1), post(2, "failed")]
    const rest = restOf(day([first, second], { scheduled: 9, draft: 2, failed: 1 }), [first])
    expect(rest).toEqual([
      { state: "planned", count: 8 },
      { state: "draft", count: 2 },
      { state: "failed", count: 1 }
    ])
    expect(ticksOf(rest).at(-1)).toBe("failed")
  })

  it("has a tick of each state, however many there are", () => {
    const ticks = ticksOf(restOf(day([], { scheduled: 800, draft: 2, failed: 1 }), []))
    expect(ticks.length).toBe(8)
    expect(new Set(ticks)).toEqual(new Set(["planned", "draft", "failed"]))
  })

  it("is as many as the day has, while a move is not counted yet", () => {
    const given = { ...day(posts(2), { scheduled: 2 }), total: 3 }
    expect(restOf(given, given.posts)).toEqual([{ state: "planned", count: 1 }])
  })
})
