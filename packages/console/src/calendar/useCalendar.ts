import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { carillon } from "../api.ts"
import type { Status } from "./search.ts"
import { addDays } from "../time/days.ts"
import type { Period } from "./periods.ts"
import type { Calendar as CalendarPage } from "@carillon/sdk"

export interface Filters {
  readonly account: number | undefined
  readonly status: Status | undefined
}

/** Every page of the calendar that is held begins so. */
export const calendarKey = ["calendar"] as const

/** A day of the month has room for so many tiles; a list shows more. */
const perDay = (period: Period) => (period.days > 14 ? 6 : 50)

export const useCalendar = (period: Period, { account, status }: Filters) =>
  useQuery<CalendarPage>({
    queryKey: [...calendarKey, period.first, period.days, account ?? null, status ?? null],
    queryFn: ({ signal }) =>
      carillon.posts.calendar(
        {
          from: period.first,
          to: addDays(period.first, period.days - 1),
          per_day: perDay(period),
          ...(account === undefined ? {} : { social_account_id: account }),
          ...(status === undefined ? {} : { status })
        },
        { signal }
      ),
    placeholderData: keepPreviousData
  })
