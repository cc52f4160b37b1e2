/** A day of the calendar as `2026-12-04`: no instant, no zone. */
export type Day = string

const asUtc = (day: Day) => new Date(`${day}T00:00:00Z`)

const ofUtc = (date: Date): Day => date.toISOString().slice(0, 10)

export const addDays = (day: Day, count: number): Day => {
  const date = asUtc(day)
  date.setUTCDate(date.getUTCDate() + count)
  return ofUtc(date)
}

/** The same day of another month, or its last one where it has no such day. */
export const addMonths = (day: Day, count: number): Day => {
  const date = asUtc(day)
  const dayOfMonth = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + count)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(dayOfMonth, last))
  return ofUtc(date)
}

/** How many days later `to` is. */
export const daysBetween = (from: Day, to: Day) =>
  Math.round((asUtc(to).getTime() - asUtc(from).getTime()) / 86_400_000)

export const daysFrom = (first: Day, count: number): ReadonlyArray<Day> =>
  Array.from({ length: count }, (_, index) => addDays(first, index))

/** 1 for Monday to 7 for Sunday. */
export const weekday = (day: Day) => asUtc(day).getUTCDay() || 7

export const weekOf = (day: Day, firstWeekday: number): Day =>
  addDays(day, -((weekday(day) - firstWeekday + 7) % 7))

export const monthOf = (day: Day): Day => `${day.slice(0, 8)}01`

/** The whole weeks that show a month: five of them, or as many as it needs. */
export const weeksOfMonth = (day: Day, firstWeekday: number) => {
  const first = weekOf(monthOf(day), firstWeekday)
  const last = addDays(addMonths(monthOf(day), 1), -1)
  return { first, weeks: Math.ceil((daysBetween(first, last) + 1) / 7) }
}

interface WeekInfo {
  readonly firstDay: number
}

/** The regions whose weeks begin on Sunday and on Saturday, for browsers that do not say (Firefox). */
const sundays =
  "AG AS BD BR BS BT BW BZ CA CO DM DO ET GT GU HK HN ID IL IN IS JM JP KE KH KR LA MH MM MO MT MX MZ NI NP PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW"
const saturdays = "AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY"

/** What the locale's weeks begin with. */
export const firstWeekdayOf = (language: string): number => {
  const locale = new Intl.Locale(language) as Intl.Locale & {
    readonly getWeekInfo?: () => WeekInfo
    readonly weekInfo?: WeekInfo
  }
  const said = (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay
  if (said !== undefined) return said
  const { region = "" } = locale.maximize()
  const isOf = (regions: string) => regions.split(" ").includes(region)
  return isOf(sundays) ? 7 : isOf(saturdays) ? 6 : 1
}

export const isDay = (value: unknown): value is Day =>
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value) && ofUtcOrNone(value) === value

const ofUtcOrNone = (day: string) => {
  const date = asUtc(day)
  return Number.isNaN(date.getTime()) ? null : ofUtc(date)
}
