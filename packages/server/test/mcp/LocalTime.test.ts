import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { localTime, zoneOf } from "@carillon/server/mcp/tools/LocalTime"

const noon = DateTime.makeUnsafe("2026-12-24T12:00:00Z")

describe("the zone of an answer", () => {
  for (const [scheduled_at, shown] of [
    ["2026-12-24T21:00[Asia/Tokyo]", "2026-12-24T21:00:00.000+09:00[Asia/Tokyo]"],
    ["2026-12-24T21:00+09:00", "2026-12-24T21:00:00.000+09:00"],
    ["2026-12-24T21:00:00+0900", "2026-12-24T21:00:00.000+09:00"],
    ["2026-12-24T07:00-05", "2026-12-24T07:00:00.000-05:00"],
    // The offset of the user's own zone, which has a name.
    ["2026-12-24T13:00+01:00", "2026-12-24T13:00:00.000+01:00[Europe/Berlin]"],
    ["2026-12-24T12:00Z", "2026-12-24T13:00:00.000+01:00[Europe/Berlin]"],
    ["2026-12-24T13:00", "2026-12-24T13:00:00.000+01:00[Europe/Berlin]"],
    ["2026-12-24", "2026-12-24T13:00:00.000+01:00[Europe/Berlin]"],
    ["2026-12-24T13:00[Nowhere/Else]", "2026-12-24T13:00:00.000+01:00[Europe/Berlin]"]
  ] as const) {
    it(`the zone of an answer is that of the request, else the profile's: ${scheduled_at}`, () =>
      assert.strictEqual(localTime(noon, zoneOf({ scheduled_at }, "Europe/Berlin")), shown))
  }
})
