import { CalendarDate, dateAfter, daysOfZone, periodOf } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"

const hour = 3_600_000
const zones = {
  "Europe/Paris": [23, 24, 25],
  "America/New_York": [23, 24, 25],
  "Australia/Lord_Howe": [23.5, 24, 24.5],
  "Asia/Kolkata": [24],
  // The clocks skip midnight.
  "America/Santiago": [23, 24, 25],
  "Africa/Cairo": [23, 24, 25],
  // The clocks repeat midnight.
  "America/Havana": [23, 24, 25]
}
const dayNumber = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 62_000 }))
const instant = Schema.Int.check(
  Schema.isBetween({ minimum: Date.parse("2000-01-01"), maximum: Date.parse("2169-01-01") })
)
const length = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 62 }))
const share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 0.999_999 }))

describe("the days of a zone", () => {
  for (const [name, hours] of Object.entries(zones)) {
    const zone = DateTime.zoneMakeNamedUnsafe(name)
    const dateAt = (millis: number) =>
      DateTime.formatIsoDate(DateTime.makeZonedUnsafe(millis, { timeZone: zone }))

    it.prop(
      `${name}: follow one another without a gap, and every instant is of the day that its clocks show`,
      [dayNumber, length, share],
      ([number, count, at]) => {
        const from = dateAfter("2000-01-01", number)
        const days = daysOfZone(from, dateAfter(from, count - 1), zone)
        assert.lengthOf(days, count)
        for (const [index, { date, start, stop }] of days.entries()) {
          const [first, end] = [start.epochMilliseconds, stop.epochMilliseconds]
          assert.strictEqual(date, dateAfter(from, index))
          assert.include(hours, (end - first) / hour, date)
          assert.strictEqual(end, days[index + 1]?.start.epochMilliseconds ?? end)
          for (const instant of [first, first + Math.floor(at * (end - first)), end - 1]) {
            assert.strictEqual(dateAt(instant), date)
          }
        }
      }
    )

    it.prop(
      `${name}: asked for as dates, have every instant of theirs and none besides`,
      [instant],
      ([at]) => {
        const date = dateAt(at)
        const has = (from: string | undefined, to: string | undefined) => {
          const { start, stop } = periodOf(from, to, zone)
          return (start?.epochMilliseconds ?? at) <= at && at < (stop?.epochMilliseconds ?? Infinity)
        }
        const [before, after] = [dateAfter(date, -1), dateAfter(date, 1)]
        assert.deepStrictEqual(
          [has(date, date), has(date, undefined), has(undefined, date)],
          [true, true, true]
        )
        assert.deepStrictEqual([has(before, after), has(after, before)], [true, false])
        assert.deepStrictEqual([has(undefined, before), has(after, undefined)], [false, false])
      }
    )

    it(`${name}: have all their lengths within a year`, () => {
      const lengths = [0, 60, 120, 180, 240, 300, 360].flatMap((skipped) => {
        const from = dateAfter("2026-01-01", skipped)
        return daysOfZone(from, dateAfter(from, 59), zone).map(
          ({ start, stop }) => (stop.epochMilliseconds - start.epochMilliseconds) / hour
        )
      })
      assert.sameMembers([...new Set(lengths)], hours)
    })
  }

  it("the days of a zone are at most one more than a calendar has, and none backwards", () => {
    const zone = DateTime.zoneMakeNamedUnsafe("UTC")
    assert.lengthOf(daysOfZone("2026-01-01", "2099-12-31", zone), 63)
    assert.lengthOf(daysOfZone("2026-01-02", "2026-01-01", zone), 0)
  })

  it("the days of a zone are written as dates that there are", () => {
    const isDate = Schema.is(CalendarDate)
    for (const date of ["2026-12-24", "2028-02-29"]) assert.isTrue(isDate(date))
    for (const none of ["2026-02-29", "2026-13-01", "2026-1-1", "0001-01-01", "today"]) {
      assert.isFalse(isDate(none), none)
    }
  })
})
