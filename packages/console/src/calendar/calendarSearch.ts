import { isDay, type Day } from "../time/days.ts"

/** `weeks` are four, `days` three. */
const everyView = ["weeks", "month", "week", "agenda", "day", "days"] as const

export const statuses = ["scheduled", "published", "failed", "draft"] as const

export type Status = (typeof statuses)[number]

export type View = (typeof everyView)[number]

/** The views of a wide screen and of a phone; the first one is the default. */
export const wideViews = ["weeks", "month", "week", "agenda"] as const satisfies ReadonlyArray<View>
export const narrowViews = ["agenda", "day", "days", "month"] as const satisfies ReadonlyArray<View>

/** The search parameters of the calendar. Defaults: today, and the view that fits the screen. */
export interface CalendarSearch {
  readonly view?: View
  readonly date?: Day
  /** Ids with commas between them. */
  readonly account?: number | string
  readonly status?: Status
  /** Whether the weeks before these four are shown. */
  readonly past?: true
  /** Whether drafts without a day are shown. */
  readonly undated?: true
  /** The workspace, for members of several. */
  readonly w?: string
}

export const calendarSearch = (given: Record<string, unknown>): CalendarSearch => {
  const { account, date, past, status, undated, view, w } = given
  return {
    ...(everyView.includes(view as View) ? { view: view as View } : {}),
    ...(isDay(date) ? { date } : {}),
    ...(/^\d+(,\d+)*$/.test(String(account)) ? { account: account as number | string } : {}),
    ...(statuses.includes(status as Status) ? { status: status as Status } : {}),
    ...(past === true ? { past } : {}),
    ...(undated === true ? { undated } : {}),
    ...(typeof w === "string" ? { w } : {})
  }
}

export const accountsIn = ({ account }: CalendarSearch): ReadonlyArray<number> =>
  account === undefined ? [] : [...new Set(String(account).split(",").map(Number))]

/** One alone is a number: the address has text that looks like one in quotes. */
export const accountParameter = (ids: ReadonlyArray<number>) => (ids.length > 1 ? ids.join(",") : ids[0])

/** The view itself, or the one that shows the same on this screen. */
export const viewOn = (isNarrow: boolean, view: View | undefined): View => {
  const views: ReadonlyArray<View> = isNarrow ? narrowViews : wideViews
  if (view === undefined || views.includes(view)) return view ?? views[0]!
  return view === "weeks" ? "agenda" : isNarrow ? "days" : "week"
}
