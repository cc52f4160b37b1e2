import { followedCustoms } from "./customs.ts"
import type { Day } from "./days.ts"

/** Formatters are slow to make and made once. */
const kept = <Key extends string, A>(make: (key: Key) => A) => {
  const made = new Map<Key, A>()
  return (key: Key): A => {
    const found = made.get(key) ?? make(key)
    made.set(key, found)
    return found
  }
}

const wall = kept(
  (zone) =>
    new Intl.DateTimeFormat("en-CA", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit"
    })
)

/** The clock on the wall of a zone: `{ day: "2026-12-04", time: "18:00" }`. */
export const wallClock = (instant: Date, zone: string): { readonly day: Day; readonly time: string } => {
  const part = Object.fromEntries(
    wall(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value])
  )
  return {
    day: `${part["year"]}-${part["month"]}-${part["day"]}`,
    time: `${part["hour"]}:${part["minute"]}`
  }
}

const seconds = kept(
  (zone) =>
    new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      hourCycle: "h23",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit"
    })
)

/** A time of `HH:MM` as a person reads it: `18:00`, or `6:00 PM`. */
export const shownTime = (time: string) => {
  if (followedCustoms()?.hour12 !== true) return time
  const hour = Number(time.slice(0, 2))
  return `${hour % 12 || 12}${time.slice(2)} ${hour < 12 ? "AM" : "PM"}`
}

/** `18:00:41` */
export const secondsClock = (instant: Date, zone: string) => shownTime(seconds(zone).format(instant))

const offset = kept((zone) => new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "shortOffset" }))

/** `UTC+1` */
export const offsetOf = (instant: Date, zone: string) =>
  offset(zone)
    .formatToParts(instant)
    .find(({ type }) => type === "timeZoneName")!
    .value.replace("GMT", "UTC")

/** The place of a zone as people say it: `Paris` for Europe/Paris. */
export const placeOf = (zone: string) => zone.split("/").at(-1)!.replaceAll("_", " ")

const form = kept((key) => {
  const [language, options] = JSON.parse(key)
  return new Intl.DateTimeFormat(language, { timeZone: "UTC", ...options })
})

const languageOfDays = () => followedCustoms()?.language ?? "en-GB"

const shown = (day: Day, options: Intl.DateTimeFormatOptions) =>
  form(JSON.stringify([languageOfDays(), options])).format(new Date(`${day}T00:00:00Z`))

/** `December 2026` */
export const monthName = (day: Day) => shown(day, { month: "long", year: "numeric" })

/** `Fri 4 Dec` */
export const shortDay = (day: Day) =>
  shown(day, { weekday: "short", day: "numeric", month: "short" }).replace(",", "")

/** `Friday 4 December` */
export const longDay = (day: Day) =>
  shown(day, { weekday: "long", day: "numeric", month: "long" }).replace(",", "")

/** `4 December 2026` */
export const dayOfYear = (day: Day) => shown(day, { day: "numeric", month: "long", year: "numeric" })

/** `Fri` */
export const weekdayName = (day: Day) => shown(day, { weekday: "short" })

/** `4`, and `1 Jan` at the beginning of a month. */
export const dayNumber = (day: Day) =>
  day.endsWith("-01") ? shown(day, { day: "numeric", month: "short" }) : String(Number(day.slice(8)))

/** `30 Nov – 6 Dec` */
export const spanOfDays = (first: Day, last: Day) => {
  const whole = { day: "numeric", month: "short" } as const
  const short = first.slice(0, 7) === last.slice(0, 7) ? ({ day: "numeric" } as const) : whole
  const forms = languageOfDays() === "en-US" ? [whole, short] : [short, whole]
  return `${shown(first, forms[0]!)} – ${shown(last, forms[1]!)}`
}

/** The zone of this computer. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** What the clock of the person who looks shows at an instant, where that is something else: `09:00 in Berlin`. */
export const ownClock = (at: string, zone: string, own = ownZone): string | undefined => {
  const instant = new Date(at)
  const [here, there] = [wallClock(instant, own), wallClock(instant, zone)]
  if (here.time === there.time && here.day === there.day) return undefined
  const day = here.day === there.day ? "" : `${shortDay(here.day)}, `
  return `${day}${shownTime(here.time)} in ${placeOf(own)}`
}

/** Whether the clocks of two zones show the same in winter and in summer. */
export const sameClocks = (one: string, other: string, year = new Date().getUTCFullYear()) =>
  [0, 6].every((month) => {
    const instant = new Date(Date.UTC(year, month, 15))
    const [here, there] = [wallClock(instant, one), wallClock(instant, other)]
    return here.day === there.day && here.time === there.time
  })
