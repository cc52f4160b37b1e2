import { describe, expect, it } from "@effect/vitest"
import { parseScheduledAt } from "@carillon/domain"
import { DateTime, Result } from "effect"
import { fromNow } from "@carillon/console/queue/fromNow"
import { nextPlace } from "@carillon/console/queue/nextPlace"
import { withPlaced } from "@carillon/console/queue/withPlaced"
import { daysOf, none, removedBy, withTime } from "@carillon/console/queue/WeeklyTime"
import { weekOfSlots, weekThatComes } from "@carillon/console/queue/weekOfSlots"
import { instantOf, instantsOf } from "@carillon/console/time/instantOf"
import type { Calendar as CalendarPage, CalendarDay, CalendarPost, Slot } from "@carillon/sdk"

const row = (id: string, at: string, status = "scheduled", queue_slot?: string) =>
  ({
    id,
    at,
    status,
    version: "1",
    excerpt: id,
    ...(queue_slot && { queue_slot })
  }) as unknown as CalendarPost

const day = (date: string, free_slots: ReadonlyArray<string>, posts: ReadonlyArray<CalendarPost> = []) =>
  ({ date, free_slots, posts, total: posts.length }) as unknown as CalendarDay

const before = Date.parse("2026-12-01T00:00:00Z")

/** `Mon 09:00 free`, or with the post that is there. */
const said = (
  days: ReadonlyArray<CalendarDay>,
  slots: ReadonlyArray<Slot>,
  { now = before, zone = "Europe/Paris" } = {}
) =>
  weekOfSlots(days, slots, zone, now).flatMap((one) =>
    one.slots.map(({ row: post, state, time }) => `${one.day} ${time} ${state}${post ? ` ${post.id}` : ""}`)
  )

describe("an instant", () => {
  const iso = (date: string, time: string, zone: string) => instantOf(date, time, zone).toISOString()

  it("an instant is what the clock of a zone says, before and after a change of the clocks", () => {
    expect(iso("2026-12-04", "18:00", "Europe/Paris")).toBe("2026-12-04T17:00:00.000Z")
    expect(iso("2026-03-29", "01:59", "Europe/Paris")).toBe("2026-03-29T00:59:00.000Z")
    expect(iso("2026-03-29", "03:00", "Europe/Paris")).toBe("2026-03-29T01:00:00.000Z")
    expect(iso("2026-11-01", "09:00", "America/New_York")).toBe("2026-11-01T14:00:00.000Z")
    expect(iso("2026-07-01", "00:15", "Asia/Kolkata")).toBe("2026-06-30T18:45:00.000Z")
  })

  it("an instant that the clocks skip is later by the gap, and of two it is the first", () => {
    expect(iso("2026-03-29", "02:30", "Europe/Paris")).toBe("2026-03-29T01:30:00.000Z")
    expect(iso("2026-10-25", "02:30", "Europe/Paris")).toBe("2026-10-25T00:30:00.000Z")
    // Half an hour, on Lord Howe Island.
    expect(iso("2026-10-04", "02:15", "Australia/Lord_Howe")).toBe("2026-10-03T15:45:00.000Z")
    expect(iso("2026-04-05", "01:45", "Australia/Lord_Howe")).toBe("2026-04-04T14:45:00.000Z")
  })

  it.each(["Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Pacific/Apia"])(
    "an instant is the one that the service reads from the same clock in %s, around each change",
    (zone) => {
      for (const date of ["2026-03-08", "2026-03-29", "2026-04-05", "2026-10-04", "2026-10-25", "2026-11-01"])
        for (let minute = 0; minute < 5 * 60; minute += 15) {
          const time = new Date(minute * 60_000).toISOString().slice(11, 16)
          const read = Result.getOrThrow(parseScheduledAt(`${date}T${time}`, zone))
          expect(iso(date, time, zone)).toBe(DateTime.formatIso(read.instant))
          expect(instantsOf(date, time, zone).length === 1).toBe(read.warnings.length === 0)
        }
    }
  )
})

describe("the week of a queue", () => {
  const nine: Slot = { day: "mon", time: "09:00" }
  const six: Slot = { day: "mon", time: "18:00" }

  it("the week of a queue has each time on its day, free or with the post that goes out then", () => {
    expect(
      said(
        [
          day(
            "2026-12-07",
            ["09:00"],
            [row("bells", "2026-12-07T17:00:00.000Z"), row("a draft", "2026-12-07T08:00:00.000Z", "draft")]
          ),
          day("2026-12-08", [])
        ],
        [six, nine]
      )
    ).toEqual(["2026-12-07 09:00 free", "2026-12-07 18:00 taken bells"])
  })

  it("the week of a queue has a post in the slot that it holds, whenever it goes out, and none that only is near", () => {
    const late = row("late", "2026-12-07T08:06:20.000Z", "scheduled", "2026-12-07T08:00:00.000Z")
    expect(said([day("2026-12-07", [], [late])], [nine, { day: "mon", time: "09:05" }])).toEqual([
      "2026-12-07 09:00 taken late",
      "2026-12-07 09:05 taken"
    ])
    const near = row("near", "2026-12-07T08:06:20.000Z")
    expect(said([day("2026-12-07", ["09:00"], [near])], [nine])).toEqual(["2026-12-07 09:00 free"])
    expect(said([day("2026-12-07", [], [near])], [nine])).toEqual(["2026-12-07 09:00 taken"])
  })

  it("leaves what is past", () => {
    expect(
      said(
        [day("2026-12-07", ["18:00"], [row("sent", "2026-12-07T08:00:00.000Z", "published")])],
        [nine, six],
        {
          now: Date.parse("2026-12-07T12:00:00Z")
        }
      )
    ).toEqual(["2026-12-07 09:00 past sent", "2026-12-07 18:00 free"])
  })

  it("the week of a queue is free where the service does not look so far ahead", () => {
    expect(said([day("2026-12-07", [])], [nine], { now: Date.parse("2026-01-01T00:00:00Z") })).toEqual([
      "2026-12-07 09:00 free"
    ])
    expect(said([day("2026-12-07", [])], [nine])).toEqual(["2026-12-07 09:00 taken"])
  })

  it("the week of a queue has a time that the clocks skip once, where the clock then is", () => {
    const night: ReadonlyArray<Slot> = [
      { day: "sun", time: "02:30" },
      { day: "sun", time: "03:30" }
    ]
    const now = Date.parse("2026-03-20T00:00:00Z")
    expect(said([day("2026-03-29", ["03:30"])], night.slice(0, 1), { now })).toEqual([
      "2026-03-29 03:30 free"
    ])
    const [both] = weekOfSlots([day("2026-03-29", ["03:30"])], night, "Europe/Paris", now)
    expect(both!.slots.map(({ slot, time }) => [slot.time, time])).toEqual([["03:30", "03:30"]])
    expect(
      said([day("2026-10-25", ["02:30"])], night.slice(0, 1), { now: Date.parse("2026-10-20") })
    ).toEqual(["2026-10-25 02:30 free"])
  })
})

describe("the week that is shown first", () => {
  const weekdayMornings: ReadonlyArray<Slot> = [{ day: "fri", time: "09:00" }]
  const shown = (now: string, slots = weekdayMornings) =>
    weekThatComes(slots, "Europe/Paris", Date.parse(now), 1)

  it("the week that is shown first is this one, and the next once all its times are past", () => {
    expect(shown("2026-12-11T07:59:00Z")).toBe("2026-12-07")
    expect(shown("2026-12-11T08:00:00Z")).toBe("2026-12-14")
    expect(shown("2026-12-13T23:30:00Z")).toBe("2026-12-14")
    expect(shown("2026-12-13T12:00:00Z", [])).toBe("2026-12-07")
  })
})

describe("the times of a queue", () => {
  const slots: ReadonlyArray<Slot> = [
    { day: "mon", time: "09:00" },
    { day: "mon", time: "18:00" },
    { day: "thu", time: "09:00" }
  ]

  it("get a new one in the order of the week, each once", () => {
    expect(withTime(slots, none, { time: "12:00", days: ["thu", "mon"] })).toEqual([
      { day: "mon", time: "09:00" },
      { day: "mon", time: "12:00" },
      { day: "mon", time: "18:00" },
      { day: "thu", time: "09:00" },
      { day: "thu", time: "12:00" }
    ])
    expect(withTime(slots, none, { time: "09:00", days: ["mon"] })).toEqual(slots)
  })

  it("change on all of their days, and can be on others then", () => {
    const nines = { time: "09:00", days: daysOf(slots, "09:00") }
    expect(nines.days).toEqual(["mon", "thu"])
    const after = withTime(slots, nines, { time: "08:30", days: ["thu", "sun"] })
    expect(after).toEqual([
      { day: "mon", time: "18:00" },
      { day: "thu", time: "08:30" },
      { day: "sun", time: "08:30" }
    ])
    expect(removedBy(slots, after)).toEqual([
      { day: "mon", time: "09:00" },
      { day: "thu", time: "09:00" }
    ])
  })

  it("go from one day only", () => {
    expect(withTime(slots, { time: "09:00", days: ["mon"] }, none)).toEqual(slots.slice(1))
  })
})

describe("a post that moves in the queue", () => {
  const place = (date: string, time: string) => ({
    day: date,
    time,
    at: instantOf(date, time, "Europe/Paris")
  })
  const monday = place("2026-12-07", "09:00")
  const friday = place("2026-12-11", "12:00")
  const rye = row("rye", monday.at.toISOString())
  const bells = row("bells", friday.at.toISOString())
  const page = (posts: ReadonlyArray<CalendarPost>, free: ReadonlyArray<string>, onMonday = rye) =>
    ({
      timezone: "Europe/Paris",
      days: [day("2026-12-07", [], [onMonday]), day("2026-12-11", free, posts)]
    }) as CalendarPage
  const shown = ({ days }: CalendarPage) =>
    days.map(({ free_slots, posts, total }) => [
      total,
      free_slots,
      posts.map(({ id, local }) => `${local} ${id}`)
    ])

  it("fills a free time and leaves one", () => {
    expect(shown(withPlaced(page([], ["12:00"]), [{ row: rye, to: friday }], [monday]))).toEqual([
      [0, ["09:00"], []],
      [1, [], ["12:00 rye"]]
    ])
  })

  it("leaves its slot, wherever it goes", () => {
    const queued = row("queued", monday.at.toISOString(), "scheduled", monday.at.toISOString())
    const { days } = withPlaced(page([], ["12:00"], queued), [{ row: queued, to: friday }], [monday])
    expect(days[1]!.posts.map(({ queue_slot }) => queue_slot)).toEqual([undefined])
  })

  it("changes places with the one that is there", () => {
    const placed = [
      { row: rye, to: friday },
      { row: bells, to: monday }
    ]
    expect(shown(withPlaced(page([bells], []), placed, []))).toEqual([
      [1, [], ["09:00 bells"]],
      [1, [], ["12:00 rye"]]
    ])
  })
})

describe("how far off a time is", () => {
  it("the distance of a time is said in hours and minutes, and in days", () => {
    expect([20_000, 60_000 * 340, 60_000 * 120, 86_400_000, 86_400_000 * 2.5].map(fromNow)).toEqual([
      "in 1 min",
      "in 5 h 40 min",
      "in 2 h",
      "in 1 d",
      "in 2 d 12 h"
    ])
  })
})

describe("a post that the keyboard carries through the queue", () => {
  const at = (date: string, time: string) => instantOf(date, time, "Europe/Paris").toISOString()
  const sent = row("sent", at("2026-12-11", "09:00"), "published")
  const week = weekOfSlots(
    [
      day("2026-12-07", ["09:00", "18:00"]),
      day("2026-12-08", []),
      day("2026-12-09", ["12:00"]),
      day("2026-12-11", ["18:00"], [{ ...sent, progress: {} } as CalendarPost])
    ],
    [
      { day: "mon", time: "09:00" },
      { day: "mon", time: "18:00" },
      { day: "wed", time: "12:00" },
      { day: "fri", time: "09:00" },
      { day: "fri", time: "18:00" }
    ],
    "Europe/Paris",
    before
  )
  const places = week.flatMap(({ slots }) => slots)
  const from = (date: string, time: string, key: string) => {
    const here = places.find((one) => one.day === date && one.time === time)!
    const next = nextPlace(week, here, key)
    return next && `${next.day} ${next.time}`
  }

  it("goes on over the days, past what has gone out", () => {
    expect(from("2026-12-07", "09:00", "ArrowDown")).toBe("2026-12-07 18:00")
    expect(from("2026-12-07", "18:00", "ArrowDown")).toBe("2026-12-09 12:00")
    expect(from("2026-12-09", "12:00", "ArrowDown")).toBe("2026-12-11 18:00")
    expect(from("2026-12-11", "18:00", "ArrowUp")).toBe("2026-12-09 12:00")
  })

  it("goes to the like place of the next day that has any", () => {
    expect(from("2026-12-07", "18:00", "ArrowRight")).toBe("2026-12-09 12:00")
    expect(from("2026-12-11", "18:00", "ArrowLeft")).toBe("2026-12-09 12:00")
  })

  it("stays at the ends of the week", () => {
    expect(from("2026-12-07", "09:00", "ArrowUp")).toBeUndefined()
    expect(from("2026-12-07", "09:00", "ArrowLeft")).toBeUndefined()
    expect(from("2026-12-11", "18:00", "ArrowDown")).toBeUndefined()
    expect(from("2026-12-11", "18:00", "ArrowRight")).toBeUndefined()
  })
})
