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

/** What the locale's weeks begin with; Monday where the browser does not say. */
export const firstWeekdayOf = (language: string): number => {
  const locale = new Intl.Locale(language) as Intl.Locale & {
    readonly getWeekInfo?: () => WeekInfo
    readonly weekInfo?: WeekInfo
  }
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1
}

export const isDay = (value: unknown): value is Day =>
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value) && ofUtcOrNone(value) === value

const ofUtcOrNone = (day: string) => {
  const date = asUtc(day)
  return Number.isNaN(date.getTime()) ? null : ofUtc(date)
}
