import type { CalendarDay, CalendarPost } from "@carillon/sdk"
import { useQuery } from "@tanstack/react-query"
import { carillon } from "../api.ts"
import { calendarKey } from "../calendar/useCalendar.ts"
import { addDays, type Day } from "../time/days.ts"

/** A week back and a week on: what happened, what comes next, and this week's numbers, in one answer. */
export const useHappened = (today: Day) =>
  useQuery({
    queryKey: [...calendarKey, "activity", today],
    queryFn: ({ signal }) =>
      carillon.posts.calendar({ from: addDays(today, -6), to: addDays(today, 7), per_day: 24 }, { signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && goingOut(state.data.days, Date.now()).length > 0 ? 1_500 : 30_000
  })

/** A post that still waits for its time. */
const isAhead = ({ at, status }: CalendarPost, now: number) => status === "scheduled" && Date.parse(at) > now

const isDraft = ({ status }: CalendarPost) => status === "draft"

/** The days up to today that have something, newest first, as their posts are. */
export const happened = (days: ReadonlyArray<CalendarDay>, today: Day, now: number) =>
  days
    .filter(({ date }) => date <= today)
    .map(({ date, posts, total }) => {
      const shown = posts.filter((post) => !isDraft(post) && !isAhead(post, now)).toReversed()
      return { date, posts: shown, more: total - posts.length }
    })
    .filter(({ posts }) => posts.length > 0)
    .toReversed()

export const goingOut = (days: ReadonlyArray<CalendarDay>, now: number) =>
  days
    .flatMap(({ posts }) => posts)
    .filter(
      ({ at, progress, status }) =>
        (progress.publishing ?? 0) > 0 ||
        // What is due and has waited for longer waits for something else.
        (status === "scheduled" && Date.parse(at) <= now && now - Date.parse(at) < 20_000)
    )

export const comingNext = (days: ReadonlyArray<CalendarDay>, now: number, most: number) =>
  days
    .flatMap(({ posts }) => posts)
    .filter((post) => isAhead(post, now))
    .slice(0, most)
