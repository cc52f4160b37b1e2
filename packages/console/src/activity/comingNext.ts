import type { CalendarDay, CalendarPost } from "@carillon/sdk"
import type { Day } from "../time/days.ts"

const isAhead = ({ at, status }: CalendarPost, now: number) => status === "scheduled" && Date.parse(at) > now

const isDraft = ({ status }: CalendarPost) => status === "draft"

/** The days up to today that have posts; days and posts newest first. */
export const pastDays = (days: ReadonlyArray<CalendarDay>, today: Day, now: number) =>
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
        // A post that has been due for longer waits for something other than the clock.
        (status === "scheduled" && Date.parse(at) <= now && now - Date.parse(at) < 20_000)
    )

export const comingNext = (days: ReadonlyArray<CalendarDay>, now: number, most: number) =>
  days
    .flatMap(({ posts }) => posts)
    .filter((post) => isAhead(post, now))
    .slice(0, most)
