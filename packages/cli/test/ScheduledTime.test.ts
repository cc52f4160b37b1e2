import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { Unusable } from "@carillon/domain/plan"
import { describeInstant, parseDayOrTime, parseScheduledTime } from "@carillon/cli/ScheduledTime"

const now = new Date("2026-11-21T12:00:00Z")
const read = (text: string, zone = "Europe/Paris") =>
  parseScheduledTime(text, zone, now).instant.toISOString()

describe("the time of --at", () => {
  it.each([
    ["2026-12-24T09:00:00Z", "2026-12-24T09:00:00.000Z"],
    ["2026-12-24T09:00:00+02:00", "2026-12-24T07:00:00.000Z"],
    ["2026-12-24T09:00[America/New_York]", "2026-12-24T14:00:00.000Z"],
    ["2026-12-24T09:00", "2026-12-24T08:00:00.000Z"],
    ["2026-12-24 09:00", "2026-12-24T08:00:00.000Z"],
    ["+10s", "2026-11-21T12:00:10.000Z"],
    ["+5m", "2026-11-21T12:05:00.000Z"],
    ["+1h30m", "2026-11-21T13:30:00.000Z"],
    ["+1d", "2026-11-22T12:00:00.000Z"],
    ["in 10 seconds", "2026-11-21T12:00:10.000Z"],
    ["in an hour", "2026-11-21T13:00:00.000Z"],
    ["tomorrow 09:00", "2026-11-22T08:00:00.000Z"],
    ["  tomorrow at 9am ", "2026-11-22T08:00:00.000Z"],
    ["tomorrow 09:00 America/New_York", "2026-11-22T14:00:00.000Z"],
    ["tomorrow 09:00 UTC", "2026-11-22T09:00:00.000Z"],
    ["friday 17:30", "2026-11-27T16:30:00.000Z"],
    ["24 dec 9:00", "2026-12-24T08:00:00.000Z"],
    ["18:30", "2026-11-21T17:30:00.000Z"],
    ["09:00", "2026-11-22T08:00:00.000Z"]
  ])("reads %s in the profile's time zone where it names none", (text, instant) => {
    assert.strictEqual(read(text), instant)
  })

  it.each([
    ["someday", "not a recognized time"],
    ["tomorrow 09:00 or so", "not a recognized time"],
    ["monday to friday", "not a recognized time"],
    ["tomorrow 25:00", "not a recognized time"],
    ["", "not a recognized time"],
    ["tomorrow", "the time of day is missing"],
    ["tomorrow morning", "the time of day is missing"],
    ["12/11/2026 09:00", "day and month are ambiguous"],
    ["tomorrow 09:00 PST", "full name, such as Europe/Paris"],
    ["tomorrow 09:00 Europe/Pariss", "Europe/Pariss is not an IANA time zone"],
    ["2026-02-30T09:00", "no such date"],
    ["2026-11-20T09:00Z", "is in the past"],
    ["2 days ago", "is in the past"],
    ["now", "is in the past"]
  ])("refuses %j, because: %s", (text, why) => {
    assert.throws(() => read(text), Unusable, why)
  })

  it("counts from the moment of asking only where the words do", () => {
    const relative = (text: string) => parseScheduledTime(text, "UTC", now).relative
    assert.deepStrictEqual(["+10s", "in 2 hours", "tomorrow 09:00", "2026-12-24T09:00Z"].map(relative), [
      true,
      true,
      false,
      false
    ])
  })

  it("says that the clocks skip a time", () => {
    const { instant, warnings } = parseScheduledTime("28 march 2027 02:30", "Europe/Paris", now)
    assert.strictEqual(instant.toISOString(), "2027-03-28T01:30:00.000Z")
    assert.match(warnings.join(), /does not exist in Europe\/Paris/)
  })

  it("the time of --at is shown as the exact instant and in its zone", () => {
    assert.strictEqual(
      describeInstant(new Date("2026-11-22T08:00:00.000Z"), "Europe/Paris"),
      "2026-11-22 09:00:00 Europe/Paris (2026-11-22T08:00:00.000Z)"
    )
  })

  const zones = [
    "UTC",
    "Europe/Paris",
    "America/Los_Angeles",
    "Asia/Kathmandu",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago"
  ] as const
  const minutes = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 525_600 }))

  it.prop(
    "the time of --at is nine o'clock of the day after in any zone, whenever one asks for it",
    [Schema.Literals(zones), minutes],
    ([zone, later]) => {
      const asked = new Date(now.getTime() + later * 60_000)
      const local = (instant: Date) => DateTime.toPartsUtc(DateTime.makeUnsafe(shift(instant, zone)))
      const { instant } = parseScheduledTime("tomorrow 09:00", zone, asked)
      const tomorrow = DateTime.toPartsUtc(DateTime.add(DateTime.makeUnsafe(shift(asked, zone)), { days: 1 }))
      const { year, month, day, hour, minute } = local(instant)
      assert.deepStrictEqual(
        { year, month, day, hour, minute },
        {
          year: tomorrow.year,
          month: tomorrow.month,
          day: tomorrow.day,
          hour: 9,
          minute: 0
        }
      )
    }
  )
})

/** The wall clock of a zone as if it were UTC. */
const shift = (instant: Date, zone: string): number =>
  instant.getTime() + DateTime.zonedOffset(DateTime.makeZonedUnsafe(instant, { timeZone: zone }))

describe("the day of --from", () => {
  // In Auckland it is the 22nd already.
  it.each([
    ["2026-12-24", "Europe/Paris", "2026-12-24"],
    ["2026-12-24T09:00", "Europe/Paris", "2026-12-24T08:00:00.000Z"],
    ["2020-01-01T00:00:00Z", "Europe/Paris", "2020-01-01T00:00:00.000Z"],
    ["today", "Europe/Paris", "2026-11-21"],
    ["today", "Pacific/Auckland", "2026-11-22"],
    ["tomorrow", "Pacific/Auckland", "2026-11-23"],
    ["yesterday", "Europe/Paris", "2026-11-20"],
    ["3 days ago", "Europe/Paris", "2026-11-18"],
    ["in 2 weeks", "Europe/Paris", "2026-12-05"],
    ["24 dec", "Europe/Paris", "2026-12-24"],
    ["tomorrow 09:00", "Europe/Paris", "2026-11-22T08:00:00.000Z"],
    ["tomorrow 09:00 UTC", "Europe/Paris", "2026-11-22T09:00:00.000Z"],
    ["2 hours ago", "Europe/Paris", "2026-11-21T10:00:00.000Z"],
    ["now", "Europe/Paris", "2026-11-21T12:00:00.000Z"]
  ])("reads %s in %s", (text, zone, read) => {
    assert.strictEqual(parseDayOrTime(text, zone, now), read)
  })

  it.each([
    ["someday", "not a recognized time"],
    ["monday to friday", "not a recognized time"],
    ["monday", "give its date"],
    ["tomorrow UTC", "give a time"],
    ["12/11/2026", "day and month are ambiguous"],
    ["2026-02-30T09:00", "no such date"]
  ])("refuses %j, because: %s", (text, why) => {
    assert.throws(() => parseDayOrTime(text, "Europe/Paris", now), why)
  })
})
