import { describe, expect, it } from "@effect/vitest"
import { matchingZones, zoneOf } from "@carillon/console/settings/zones"
import { ownClock, sameClocks } from "@carillon/console/time/zone"

const zones = [
  "Europe/Paris",
  "America/Indiana/Vevay",
  "America/New_York",
  "America/Sao_Paulo",
  "Asia/Yerevan",
  "UTC"
].map(zoneOf)

const found = (typed: string) => matchingZones(zones, typed, 10).map(({ place }) => place)

describe("a list of time zones", () => {
  it("a time zone is found by the place, by the part of the world, and without accents", () => {
    expect(found("par")).toEqual(["Paris"])
    expect(found("new york")).toEqual(["New York"])
    expect(found("são pau")).toEqual(["Sao Paulo"])
    expect(found("america")).toEqual(["New York", "Sao Paulo", "Vevay"])
    expect(found("Europe/Paris")).toEqual(["Paris"])
    expect(found("nowhere")).toEqual([])
  })

  it("the time zones that are found are first those that begin so", () => {
    expect(found("y")).toEqual(["Yerevan", "New York", "Vevay"])
  })
})

describe("the clock of the person who looks", () => {
  it("the clock of the person who looks is told where it is another, with the day where that is another", () => {
    const at = "2026-12-04T17:00:00.000Z"
    expect(ownClock(at, "Europe/Paris", "Europe/Berlin")).toBe(undefined)
    expect(ownClock(at, "Europe/Paris", "America/New_York")).toBe("12:00 in New York")
    expect(ownClock(at, "Europe/Paris", "Asia/Tokyo")).toBe("Sat 5 Dec, 02:00 in Tokyo")
  })

  it("the clock of the person who looks is the same where it is so in winter and in summer", () => {
    expect(sameClocks("Europe/Paris", "Europe/Berlin", 2026)).toBe(true)
    expect(sameClocks("UTC", "Europe/London", 2026)).toBe(false)
    expect(sameClocks("UTC", "Etc/UTC", 2026)).toBe(true)
  })
})
