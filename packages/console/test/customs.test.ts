import { customsOf, followCustoms } from "@carillon/console/time/customs"
import { firstWeekdayOf } from "@carillon/console/time/days"
import { longDay, shortDay, shownTime, spanOfDays } from "@carillon/console/time/zone"
import { describe, expect, it } from "@effect/vitest"

const ofBerlin = { language: "en-GB", hour12: false, firstWeekday: 1 }
const ofNewYork = { language: "en-US", hour12: true, firstWeekday: 7 }
const ofTokyo = { language: "en-US", hour12: false, firstWeekday: 7 }
const ofCairo = { language: "en-GB", hour12: true, firstWeekday: 6 }

const places = [
  ["en-US", "Europe/Berlin", ofBerlin],
  ["en-GB", "Europe/Berlin", ofBerlin],
  ["de", "Europe/Berlin", ofBerlin],
  [undefined, "Europe/Berlin", ofBerlin],
  ["not a language", "Europe/Berlin", ofBerlin],
  ["en-US", "America/New_York", ofNewYork],
  ["de", "America/New_York", ofNewYork],
  ["ja", "Asia/Tokyo", ofTokyo],
  ["en-US", "Asia/Tokyo", ofTokyo],
  ["ar-EG", "Africa/Cairo", ofCairo],
  ["de", "Africa/Cairo", ofCairo],
  ["en-US", "Europe/London", ofBerlin],
  ["en-US", "Asia/Kolkata", { language: "en-GB", hour12: true, firstWeekday: 7 }],
  ["en-US", "Asia/Calcutta", { language: "en-GB", hour12: true, firstWeekday: 7 }],
  ["en-US", "Europe/Kyiv", ofBerlin],
  // Two languages of one region write the time differently.
  ["en-CA", "America/Toronto", ofNewYork],
  ["fr-CA", "America/Toronto", ofTokyo],
  // It is of no region.
  ["en-US", "UTC", ofNewYork],
  ["de", "Etc/GMT-3", ofBerlin],
  [undefined, "UTC", ofBerlin]
] as const

/** As in a browser that tells neither the zones nor the week of a region. */
const silently = (work: () => void) => {
  const { prototype } = Intl.Locale as any
  const { getTimeZones, getWeekInfo } = prototype
  try {
    delete prototype.getTimeZones
    delete prototype.getWeekInfo
    work()
  } finally {
    Object.assign(prototype, { getTimeZones, getWeekInfo })
  }
}

describe("the customs of a calendar", () => {
  it("the customs of a calendar are those of its zone, and of the language where people of the zone speak it", () => {
    for (const [language, zone, customs] of places)
      expect(customsOf(language, zone), `${language}, ${zone}`).toEqual(customs)
  })

  it("the customs of a calendar are the same in a browser that tells nothing of regions", () => {
    silently(() => {
      for (const [language, zone, customs] of places)
        expect(customsOf(language, zone), `${language}, ${zone}`).toEqual(customs)
    })
  })

  it("the customs of a calendar have the same first day of the week for every region where the browser does not tell it", () => {
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    const locales = letters
      .flatMap((first) => letters.map((second) => new Intl.Locale(`und-${first}${second}`) as any))
      .filter((locale) => (locale.getTimeZones() ?? []).length > 0)
    expect(locales.length).toBeGreaterThan(200)
    const told = locales.map((locale) => [`${locale}`, firstWeekdayOf(`${locale}`)])
    silently(() => {
      // One week in the world begins on Friday, that of the Maldives.
      for (const [locale, first] of told.filter(([, first]) => first !== 5))
        expect(firstWeekdayOf(locale as string), locale as string).toBe(first)
    })
  })

  it("the customs of a calendar decide how days and times are said", () => {
    const said = () => [
      ...["00:05", "08:30", "12:00", "18:30", "18:30:41"].map(shownTime),
      shortDay("2026-12-04"),
      longDay("2026-12-04"),
      spanOfDays("2026-11-30", "2026-12-06"),
      spanOfDays("2026-12-07", "2026-12-13")
    ]
    const before = said()
    try {
      followCustoms(ofNewYork as any)
      expect(said()).toEqual([
        "12:05 AM",
        "8:30 AM",
        "12:00 PM",
        "6:30 PM",
        "6:30:41 PM",
        "Fri Dec 4",
        "Friday December 4",
        "Nov 30 – Dec 6",
        "Dec 7 – 13"
      ])
    } finally {
      followCustoms(undefined)
    }
    expect(said()).toEqual(before)
    expect(before.slice(0, 5)).toEqual(["00:05", "08:30", "12:00", "18:30", "18:30:41"])
  })
})
