import type { Calendar, CalendarPost, PostStatus } from "@carillon/sdk"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { addDays, type Day } from "../time/days.ts"
import { carillon, queries } from "./api.ts"
import { whileGoing } from "./intervals.ts"
import { postsKey } from "./posts.ts"
import { undatedRow } from "./undatedRow.ts"

export interface Period {
  readonly first: Day
  readonly days: number
}

export interface CalendarFilters {
  readonly accounts: ReadonlyArray<number>
  readonly status: PostStatus | undefined
}

const calendarKey = [...postsKey, "calendar"] as const
const countsKey = [...postsKey, "counts"] as const
const undatedKey = [...postsKey, "undated"] as const

/** Changes every page of the calendar that is held, before the service has answered. */
export const changeCalendars = (change: (page: Calendar) => Calendar) =>
  queries.setQueriesData<Calendar>({ queryKey: calendarKey }, (page) => page && change(page))

/** The same for the weeks of the queue. */
export const changeQueueWeeks = (change: (page: Calendar) => Calendar) =>
  queries.setQueriesData<Calendar>({ queryKey: [...calendarKey, "queue"] }, (page) => page && change(page))

const ofAccounts = (accounts: ReadonlyArray<number>) =>
  accounts.length === 0 ? {} : { social_account_id: accounts }

/** A day of the month has room for so many tiles; a list shows more. */
const perDay = (days: number) => (days > 14 ? 6 : 50)

const readDays = (
  { days, first }: Period,
  { accounts, status }: CalendarFilters,
  per_day: number,
  signal: AbortSignal
) =>
  carillon.posts.calendar(
    {
      from: first,
      to: addDays(first, days - 1),
      per_day,
      ...ofAccounts(accounts),
      ...(status === undefined ? {} : { status })
    },
    { signal }
  )

export const useCalendar = (period: Period, filters: CalendarFilters) =>
  useQuery<Calendar>({
    queryKey: [...calendarKey, period, filters],
    queryFn: ({ signal }) => readDays(period, filters, perDay(period.days), signal),
    placeholderData: keepPreviousData
  })

/** How many posts days that are over have, how many of them are live, and how many failed. */
export const useDayCounts = (period: Period, accounts: ReadonlyArray<number>) =>
  useQuery({
    queryKey: [...countsKey, period, accounts],
    queryFn: async ({ signal }) => {
      const { days } = await readDays(period, { accounts, status: undefined }, 1, signal)
      const sumOf = (status: PostStatus) => days.reduce((sum, { by_status }) => sum + by_status[status], 0)
      return {
        total: days.reduce((sum, { total }) => sum + total, 0),
        published: sumOf("published"),
        failed: sumOf("failed")
      }
    },
    placeholderData: keepPreviousData
  })

/** More than a day of the queue has in any week that can be looked at. */
const ofAQueueDay = 100

/** A week of the queue, in its own zone. */
export const useQueueWeek = (first: Day, zone: string | undefined) =>
  useQuery<Calendar>({
    queryKey: [...calendarKey, "queue", first, zone],
    enabled: zone !== undefined,
    queryFn: ({ signal }) =>
      carillon.posts.calendar(
        { from: first, to: addDays(first, 6), per_day: ofAQueueDay, timezone: zone! },
        { signal }
      ),
    placeholderData: keepPreviousData
  })

/** A week back and a week on, in one answer; often while one of the posts is `goingOut`. */
export const useNearbyPosts = (today: Day, goingOut: (page: Calendar) => boolean) =>
  useQuery<Calendar>({
    queryKey: [...calendarKey, "nearby", today],
    queryFn: ({ signal }) =>
      carillon.posts.calendar({ from: addDays(today, -6), to: addDays(today, 7), per_day: 24 }, { signal }),
    refetchInterval: ({ state }) => state.data !== undefined && goingOut(state.data) && whileGoing
  })

const mostUndated = 50

/** The drafts without a day, the newest first, as the calendar has posts. */
export const useUndated = (accounts: ReadonlyArray<number>) =>
  useQuery<{ readonly rows: ReadonlyArray<CalendarPost>; readonly total: number }>({
    queryKey: [...undatedKey, accounts],
    queryFn: async ({ signal }) => {
      const { data, meta } = await carillon.posts.list(
        { undated: true, limit: mostUndated, ...ofAccounts(accounts) },
        { signal }
      )
      return { rows: data.map(undatedRow), total: meta.total }
    }
  })
