import { firstWeekdayOf } from "./days.ts"

/** How people write dates and times, and what their weeks begin with. The words stay English ones. */
export interface Customs {
  /** `1 May` or `May 1` */
  readonly language: "en-GB" | "en-US"
  /** `6:30 PM` instead of `18:30` */
  readonly hour12: boolean
  /** 1 for Monday to 7 for Sunday */
  readonly firstWeekday: number
}

/** Where neither the zone nor the language has a region that is known. */
const most: Customs = { language: "en-GB", hour12: false, firstWeekday: 1 }

/** The large zones whose people do otherwise than most, for browsers that do not tell a region's zones (Firefox). */
const largeZones: Readonly<Record<string, string>> = {
  AE: "Asia/Dubai",
  AU: "Australia/Sydney Australia/Melbourne Australia/Brisbane Australia/Perth Australia/Adelaide",
  BD: "Asia/Dhaka",
  BR: "America/Sao_Paulo America/Bahia America/Fortaleza America/Manaus America/Recife",
  CA: "America/Toronto America/Vancouver America/Edmonton America/Winnipeg America/Halifax America/St_Johns",
  CN: "Asia/Shanghai",
  CO: "America/Bogota",
  EG: "Africa/Cairo",
  HK: "Asia/Hong_Kong",
  ID: "Asia/Jakarta",
  IL: "Asia/Jerusalem",
  IN: "Asia/Kolkata Asia/Calcutta",
  IR: "Asia/Tehran",
  JP: "Asia/Tokyo",
  KE: "Africa/Nairobi",
  KR: "Asia/Seoul",
  MX: "America/Mexico_City America/Monterrey America/Tijuana",
  NZ: "Pacific/Auckland",
  PE: "America/Lima",
  PH: "Asia/Manila",
  PK: "Asia/Karachi",
  PT: "Europe/Lisbon",
  SA: "Asia/Riyadh",
  SG: "Asia/Singapore",
  TH: "Asia/Bangkok",
  TW: "Asia/Taipei",
  US: "America/New_York America/Chicago America/Denver America/Los_Angeles America/Phoenix America/Detroit America/Anchorage Pacific/Honolulu",
  ZA: "Africa/Johannesburg"
}

const zonesOf = (region: string): ReadonlyArray<string> => {
  const locale = new Intl.Locale(`und-${region}`) as Intl.Locale & {
    readonly getTimeZones?: () => ReadonlyArray<string> | undefined
  }
  return locale.getTimeZones?.() ?? largeZones[region]?.split(" ") ?? []
}

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]

/** The large ones first: to ask for the zones of all takes a tenth of a second. */
const regions = [
  ...Object.keys(largeZones),
  "DE",
  "FR",
  "GB",
  ...letters.flatMap((first) => letters.map((second) => first + second))
]

/** A browser may know a zone only by its older or its newer name. */
const namesOf = (zone: string) => {
  try {
    return [zone, new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone]
  } catch {
    return [zone]
  }
}

const localeOf = (language: string | undefined) => {
  try {
    return language === undefined ? undefined : new Intl.Locale(language).maximize()
  } catch {
    return undefined
  }
}

const customsOfLocale = (locale: string): Customs => {
  const form = new Intl.DateTimeFormat(locale, { day: "numeric", month: "numeric", hour: "numeric" })
  const parts = form.formatToParts(0).map(({ type }) => type)
  return {
    language: parts.indexOf("month") < parts.indexOf("day") ? "en-US" : "en-GB",
    hour12: form.resolvedOptions().hour12 === true,
    firstWeekday: firstWeekdayOf(locale)
  }
}

/** The customs of a language where people with that language live in the zone, and else those of the zone's region. */
export const customsOf = (language: string | undefined, zone: string): Customs => {
  const own = localeOf(language)
  const names = namesOf(zone)
  const has = (region: string) => zonesOf(region).some((one) => names.includes(one))
  // UTC is of no region.
  const region = names.some((name) => /^(UTC|GMT|Etc\/.*)$/.test(name))
    ? own?.region
    : [...(own?.region === undefined ? [] : [own.region]), ...regions].find(has)
  if (region === undefined) return most
  const { language: spoken } = region === own?.region ? own : new Intl.Locale(`und-${region}`).maximize()
  // A script beside it would hide what is written of the region.
  return customsOfLocale(`${spoken}-${region}`)
}

let followed: Customs | undefined

/** Says all dates and times by these from here on; undefined: as the console does. */
export const followCustoms = (customs: Customs | undefined) => {
  followed = customs
}

export const followedCustoms = () => followed
