import { inWeekOrder, parseScheduledAt, type Slot, slotInstants, Weekday } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { Array, DateTime, Result, Schema } from "effect"

const day = 86_400_000
const instant = (text: string) => DateTime.makeUnsafe(text).epochMilliseconds

/** The slots between two instants as the clocks of the zone show them. */
const shown = (slots: ReadonlyArray<Slot>, zone: string, after: string, until: string) =>
  [...slotInstants(slots, DateTime.zoneMakeNamedUnsafe(zone), instant(after), instant(until))].map(({ at }) =>
    DateTime.formatIsoOffset(at).replace(":00.000", "")
  )
const daily = (...times: ReadonlyArray<string>): ReadonlyArray<Slot> =>
  Weekday.literals.flatMap((weekday) => times.map((time) => ({ day: weekday, time })))

describe("the slots of a queue", () => {
  it("begin after an instant, not at it, and end at another", () => {
    const slots: ReadonlyArray<Slot> = [
      { day: "wed", time: "17:30" },
      { day: "mon", time: "09:00" }
    ]
    assert.deepStrictEqual(shown(slots, "UTC", "2026-11-23T09:00:00Z", "2026-11-30T09:00:00Z"), [
      "2026-11-25T17:30+00:00",
      "2026-11-30T09:00+00:00"
    ])
    assert.deepStrictEqual(Array.sort(slots, inWeekOrder), slots.toReversed())
    assert.deepStrictEqual(shown([], "UTC", "2026-11-23T09:00:00Z", "2027-11-30T09:00:00Z"), [])
  })

  it("stay at their wall-clock time when the clocks change", () => {
    assert.deepStrictEqual(
      shown(daily("09:00"), "Europe/Berlin", "2026-10-24T00:00:00Z", "2026-10-26T12:00:00Z"),
      ["2026-10-24T09:00+02:00", "2026-10-25T09:00+01:00", "2026-10-26T09:00+01:00"]
    )
    assert.deepStrictEqual(
      shown(daily("09:00"), "America/New_York", "2027-03-13T00:00:00Z", "2027-03-15T00:00:00Z"),
      ["2027-03-13T09:00-05:00", "2027-03-14T09:00-04:00"]
    )
    // Ramadan: an hour back, and forward again after it.
    assert.deepStrictEqual(
      shown(daily("09:00"), "Africa/Casablanca", "2026-02-14T00:00:00Z", "2026-02-16T00:00:00Z"),
      ["2026-02-14T09:00+01:00", "2026-02-15T09:00+00:00"]
    )
    assert.deepStrictEqual(
      shown(daily("09:00"), "Africa/Casablanca", "2026-03-21T00:00:00Z", "2026-03-23T00:00:00Z"),
      ["2026-03-21T09:00+00:00", "2026-03-22T09:00+01:00"]
    )
  })

  it("move forward by the gap where the clocks skip them, and are one where that meets another", () => {
    assert.deepStrictEqual(
      shown(
        daily("01:59", "02:00", "02:30", "03:30"),
        "Europe/Berlin",
        "2027-03-28T00:00:00Z",
        "2027-03-28T12:00:00Z"
      ),
      ["2027-03-28T01:59+01:00", "2027-03-28T03:00+02:00", "2027-03-28T03:30+02:00"]
    )
    // Half an hour only.
    assert.deepStrictEqual(
      shown(daily("02:15"), "Australia/Lord_Howe", "2026-10-03T00:00:00Z", "2026-10-04T00:00:00Z"),
      ["2026-10-04T02:45+11:00"]
    )
    // At midnight: the day begins at 01:00, and keeps its slot.
    assert.deepStrictEqual(
      shown(
        [{ day: "sun", time: "00:00" }],
        "America/Santiago",
        "2026-09-05T00:00:00Z",
        "2026-09-13T12:00:00Z"
      ),
      ["2026-09-06T01:00-03:00", "2026-09-13T00:00-03:00"]
    )
  })

  it("the slots of a queue are the first where the clocks repeat them, once", () => {
    assert.deepStrictEqual(
      shown(daily("02:30"), "Europe/Berlin", "2026-10-25T00:00:00Z", "2026-10-26T00:00:00Z"),
      ["2026-10-25T02:30+02:00"]
    )
    // The last hour of Saturday comes twice.
    assert.deepStrictEqual(
      shown(daily("23:30", "00:00"), "America/Santiago", "2027-04-03T12:00:00Z", "2027-04-04T12:00:00Z"),
      ["2027-04-03T23:30-03:00", "2027-04-04T00:00-04:00"]
    )
  })

  it("the slots of a queue that have passed in the first of two equal hours do not come back in the second", () => {
    assert.deepStrictEqual(
      shown(daily("02:30"), "Europe/Berlin", "2026-10-25T00:45:00Z", "2026-10-25T23:00:00Z"),
      []
    )
  })

  const zones = Intl.supportedValuesOf("timeZone")
  const window = 400 * day
  const [first, last] = [instant("2026-01-01T00:00:00Z"), instant("2031-01-01T00:00:00Z") - window]
  const minutes = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1439 }))

  it.prop(
    "come in order, each once a week, at the time on the clocks unless these skip it, in every zone for five years",
    [
      Schema.NonEmptyArray(Schema.Tuple([Weekday, minutes])).check(Schema.isMaxLength(3)),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: zones.length - 1 })),
      Schema.Int.check(Schema.isBetween({ minimum: first, maximum: last }))
    ],
    ([pairs, index, after]) => {
      const zone = zones[index]!
      const slots = pairs.map(([weekday, minute]): Slot => ({ day: weekday, time: timeOf(minute) }))
      const until = after + window
      const found = [...slotInstants(slots, DateTime.zoneMakeNamedUnsafe(zone), after, until)]
      const names = new Set(slots.map((slot) => `${slot.day} ${slot.time}`))
      const clock = clockOf(zone)
      for (const { at, moved } of found) {
        const name = clock.format(at.epochMilliseconds).toLowerCase().replace(",", "")
        assert.isTrue(moved || names.has(name), `${zone} ${name}`)
      }
      assert.deepStrictEqual(
        found.map(({ at }) => at.epochMilliseconds),
        oneByOne(slots, zone, after, until)
      )
    },
    { arbitrary: { runs: 200 } }
  )

  it("agree with scheduled_at about a time that the clocks skip or repeat", () => {
    for (const [zone, date] of [
      ["Europe/Berlin", "2027-03-28"],
      ["America/New_York", "2026-11-01"],
      ["Australia/Lord_Howe", "2026-10-04"],
      ["Africa/Casablanca", "2026-03-22"],
      ["America/Santiago", "2026-09-06"]
    ] as const) {
      for (const time of ["00:00", "00:30", "01:30", "02:00", "02:15", "02:30", "03:00"]) {
        const weekday = Weekday.literals[(new Date(date).getUTCDay() + 6) % 7]!
        const { instant: expected } = Result.getOrThrow(parseScheduledAt(`${date}T${time}`, zone))
        const midnight = instant(`${date}T00:00:00Z`)
        const [slot] = slotInstants(
          [{ day: weekday, time }],
          DateTime.zoneMakeNamedUnsafe(zone),
          midnight - day,
          midnight + 2 * day
        )
        assert.strictEqual(slot?.at.epochMilliseconds, expected.epochMilliseconds, `${date} ${time} ${zone}`)
      }
    }
  })
})

const timeOf = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`

const clockOf = (timeZone: string) =>
  new Intl.DateTimeFormat("en-GB", {
    timeZone,
    weekday: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23"
  })

/** The same, slot by slot and date by date, as somebody would schedule them by hand. */
const oneByOne = (slots: ReadonlyArray<Slot>, zone: string, after: number, until: number) => {
  const found = new Set<number>()
  for (let date = Math.floor(after / day - 2) * day; date < until + 2 * day; date += day) {
    const weekday = Weekday.literals[(new Date(date).getUTCDay() + 6) % 7]!
    for (const slot of slots.filter((one) => one.day === weekday)) {
      const text = `${new Date(date).toISOString().slice(0, 10)}T${slot.time}`
      const at = Result.getOrThrow(parseScheduledAt(text, zone)).instant.epochMilliseconds
      if (at > after && at <= until) found.add(at)
    }
  }
  return [...found].toSorted((a, b) => a - b)
}
