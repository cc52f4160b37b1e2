import { parseScheduledAt } from "@carillon/domain"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result, Schema } from "effect"

const instantOf = (text: string, zone = "UTC") => {
  const parsed = parseScheduledAt(text, zone)
  assert.isTrue(Result.isSuccess(parsed), String(Result.getFailure(parsed)))
  return DateTime.formatIso(Result.getOrThrow(parsed).instant)
}
const warningsOf = (text: string, zone = "UTC") => Result.getOrThrow(parseScheduledAt(text, zone)).warnings
const refusalOf = (text: string, zone = "UTC") => {
  const parsed = parseScheduledAt(text, zone)
  return Result.isFailure(parsed) ? parsed.failure : assert.fail(`${text} was accepted`)
}

describe("scheduled_at", () => {
  it("takes the offset that it names before any time zone", () => {
    assert.strictEqual(instantOf("2026-11-21T09:00:00+01:00", "America/New_York"), "2026-11-21T08:00:00.000Z")
    assert.strictEqual(instantOf("2026-11-21T09:00:00Z", "Asia/Tokyo"), "2026-11-21T09:00:00.000Z")
    assert.strictEqual(instantOf("2026-11-21T09:00:00-0330"), "2026-11-21T12:30:00.000Z")
  })

  it("takes the zone in brackets before the profile's", () => {
    assert.strictEqual(
      instantOf("2026-07-01T09:00[Europe/Paris]", "America/New_York"),
      "2026-07-01T07:00:00.000Z"
    )
    assert.strictEqual(instantOf("2026-07-01T09:00+02:00[Europe/Paris]"), "2026-07-01T07:00:00.000Z")
    assert.strictEqual(instantOf("2026-07-01T07:00Z[Europe/Paris][u-ca=gregory]"), "2026-07-01T07:00:00.000Z")
  })

  it("takes the profile's zone when it names none, and UTC when the profile has none", () => {
    assert.strictEqual(instantOf("2026-11-21T09:00", "America/New_York"), "2026-11-21T14:00:00.000Z")
    assert.strictEqual(instantOf("2026-11-21 09:00:30.5"), "2026-11-21T09:00:30.500Z")
  })

  it("moves a local time that the clocks skip forward by the gap, and says so", () => {
    for (const [text, expected] of [
      ["2026-03-29T02:30[Europe/Berlin]", "2026-03-29T01:30:00.000Z"],
      ["2026-03-08T02:30[America/New_York]", "2026-03-08T07:30:00.000Z"],
      // Half an hour only.
      ["2026-10-04T02:15[Australia/Lord_Howe]", "2026-10-03T15:45:00.000Z"],
      // The gap is at midnight.
      ["2026-09-06T00:30[America/Santiago]", "2026-09-06T04:30:00.000Z"]
    ] as const) {
      assert.strictEqual(instantOf(text), expected)
      assert.match(warningsOf(text)[0]!, /does not exist/)
    }
  })

  it("takes the first of two equal local times, and says so", () => {
    assert.strictEqual(instantOf("2026-10-25T02:30[Europe/Berlin]"), "2026-10-25T00:30:00.000Z")
    assert.match(warningsOf("2026-10-25T02:30[Europe/Berlin]")[0]!, /happens twice/)
    assert.deepStrictEqual(warningsOf("2026-10-25T03:30[Europe/Berlin]"), [])
  })

  it("knows leap days, the turn of the year and the far future", () => {
    assert.strictEqual(instantOf("2028-02-29T12:00Z"), "2028-02-29T12:00:00.000Z")
    assert.strictEqual(instantOf("2026-12-31T23:30[America/New_York]"), "2027-01-01T04:30:00.000Z")
    assert.strictEqual(instantOf("2199-01-01T00:00:00Z"), "2199-01-01T00:00:00.000Z")
    assert.match(refusalOf("2026-02-29T12:00Z"), /no such date/)
  })

  it("refuses what is no point in time, with the value and what to write instead", () => {
    for (const text of [
      "",
      "tomorrow",
      "2026-11-21",
      "09:00",
      "2026-13-01T00:00Z",
      "2026-11-21T25:00Z",
      "2026-11-21T09:61Z"
    ]) {
      assert.include(refusalOf(text), JSON.stringify(text))
    }
    assert.match(refusalOf("2026-11-21T09:00[Mars/Olympus]"), /not an IANA time zone/)
    assert.match(refusalOf("2026-11-21T09:00+05:00[Europe/Paris]"), /offset does not match/)
    assert.match(refusalOf("2026-11-21T09:00[!x-unknown=1]"), /critical/)
    assert.match(refusalOf("2026-11-21T09:00[Europe/Paris][Asia/Tokyo]"), /more than one time zone/)
  })

  it("takes the spellings of an offset that ISO 8601 and databases have", () => {
    for (const text of [
      "2026-11-21T08:00:00Z",
      "2026-11-21t08:00:00z",
      " 2026-11-21 08:00Z ",
      "2026-11-21 09:00:00 +0100",
      "2026-11-21 09:00:00+01",
      "2026-11-21T09:00:00,000+01:00",
      "2026-11-21T08:00:00-00:00",
      // -00:00 is UTC and names no place, so the zone contradicts nothing.
      "2026-11-21T08:00:00-00:00[Europe/Paris]",
      "2026-11-21T09:00[+01:00]",
      "2026-11-21T09:00[europe/paris][!u-ca=gregory]"
    ]) {
      assert.strictEqual(instantOf(text, "Asia/Tokyo"), "2026-11-21T08:00:00.000Z", text)
    }
    assert.match(refusalOf("2026-11-21T09:00+19:00"), /offset is out of range/)
    assert.match(refusalOf("2026-11-21T09:00+01:60"), /offset is out of range/)
    assert.match(refusalOf("2026-11-21T08:00+00:00[Europe/Paris]"), /offset does not match/)
  })

  it("tells the two equal local times apart by their offsets", () => {
    assert.strictEqual(instantOf("2026-10-25T02:30+02:00[Europe/Berlin]"), "2026-10-25T00:30:00.000Z")
    assert.strictEqual(instantOf("2026-10-25T02:30+01:00[Europe/Berlin]"), "2026-10-25T01:30:00.000Z")
    assert.match(refusalOf("2026-03-29T02:30+01:00[Europe/Berlin]"), /offset does not match/)
  })

  it("cuts off what is finer than a millisecond", () => {
    assert.strictEqual(instantOf("2026-11-21T08:00:00.1Z"), "2026-11-21T08:00:00.100Z")
    assert.strictEqual(instantOf("2026-11-21T08:00:00.069999Z"), "2026-11-21T08:00:00.069Z")
    assert.strictEqual(instantOf("2026-11-21T08:00:59.999999999999Z"), "2026-11-21T08:00:59.999Z")
  })

  it("refuses leap seconds, 24:00, days that are not there and years far away, each in its own words", () => {
    assert.match(refusalOf("2026-12-31T23:59:60Z"), /leap seconds are not supported/)
    assert.match(refusalOf("2026-12-31T24:00:00Z"), /00:00 of the next/)
    assert.match(refusalOf("2026-02-30T09:00Z"), /no such date/)
    assert.match(refusalOf("2026-04-31T09:00Z"), /no such date/)
    assert.match(refusalOf("2026-00-10T09:00Z"), /no such date/)
    assert.match(refusalOf("2026-11-21T09:00:61Z"), /no such date/)
    assert.match(refusalOf("2100-02-29T09:00Z"), /no such date/)
    assert.match(refusalOf("2200-01-01T00:00Z"), /until the end of the year 2199/)
    assert.match(refusalOf(`2026-11-21T09:00[${"x".repeat(1000)}]`), /has 1018 characters/)
    // Long gone is not wrong, only past, which is for the caller to say.
    assert.strictEqual(instantOf("0026-11-21T09:00Z"), "0026-11-21T09:00:00.000Z")
  })

  const everyZone = Intl.supportedValuesOf("timeZone")

  it.prop(
    "reads back every instant that is written in any zone",
    [
      Schema.Int.check(Schema.isBetween({ minimum: 946_684_800_000, maximum: 7_257_945_600_000 })),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: everyZone.length - 1 }))
    ],
    ([millis, index]) => {
      const zoned = DateTime.makeZonedUnsafe(millis, { timeZone: everyZone[index]! })
      for (const text of [DateTime.formatIsoZoned(zoned), DateTime.formatIsoOffset(zoned)]) {
        const parsed = Result.getOrThrow(parseScheduledAt(text, "Asia/Kathmandu"))
        assert.strictEqual(parsed.instant.epochMilliseconds, millis, text)
        assert.deepStrictEqual(parsed.warnings, [])
      }
    },
    { arbitrary: { runs: 500 } }
  )

  it.prop(
    "reads back every instant that is written in UTC",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 4_102_444_800_000 }))],
    ([millis]) => {
      const text = new Date(millis).toISOString()
      assert.strictEqual(instantOf(text, "Asia/Kathmandu"), text)
    }
  )

  const zones = [
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "America/Santiago",
    "Asia/Kathmandu"
  ]

  it.prop(
    "gives a local time back unchanged unless it warns that the clocks skip it",
    [
      Schema.Int.check(Schema.isBetween({ minimum: 1_767_225_600, maximum: 1_924_992_000 })),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: zones.length - 1 }))
    ],
    ([seconds, index]) => {
      const local = new Date(seconds * 1000).toISOString().slice(0, 19)
      const zone = zones[index]!
      const { instant, warnings } = Result.getOrThrow(parseScheduledAt(local, zone))
      const shown = DateTime.formatIsoZoned(DateTime.setZoneNamedUnsafe(instant, zone)).slice(0, 19)
      assert.strictEqual(shown === local, !warnings.some((warning) => warning.includes("does not exist")))
    }
  )
})
