import { isDay, type Day } from "../time/days.ts"

export const views = ["month", "week", "agenda"] as const

export const statuses = ["scheduled", "published", "failed", "draft"] as const

export type Status = (typeof statuses)[number]

export type View = (typeof views)[number]

/** The search parameters of the calendar. Defaults: today, and the view that fits the screen. */
export interface CalendarSearch {
  readonly view?: View
  readonly date?: Day
  readonly account?: number
  readonly status?: Status
  /** Whether drafts without a day are shown. */
  readonly undated?: true
  /** The workspace, for members of several. */
  readonly w?: string
}

export const calendarSearch = (given: Record<string, unknown>): CalendarSearch => {
  const { account, date, status, undated, view, w } = given
  return {
    ...(views.includes(view as View) ? { view: view as View } : {}),
    ...(isDay(date) ? { date } : {}),
    ...(Number.isInteger(Number(account)) && account !== undefined ? { account: Number(account) } : {}),
    ...(statuses.includes(status as Status) ? { status: status as Status } : {}),
    ...(undated === true ? { undated } : {}),
    ...(typeof w === "string" ? { w } : {})
  }
}
