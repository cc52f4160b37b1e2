import type { Calendar as CalendarPage, CalendarPost } from "@carillon/sdk"
import type { Day } from "../time/days.ts"

/** A time of the queue that a post can be at. */
export interface Place {
  readonly day: Day
  readonly time: string
  readonly at: Date
}

const byTime = (one: CalendarPost, other: CalendarPost) => one.at.localeCompare(other.at)

/** The page with posts at other times of the queue, as the service will show it. */
export const withPlaced = (
  page: CalendarPage,
  placed: ReadonlyArray<{ readonly row: CalendarPost; readonly to: Place }>,
  left: ReadonlyArray<Place>
): CalendarPage => {
  const ids = new Set(placed.map(({ row }) => row.id))
  const ofDay = <A extends { readonly day: Day }>(all: ReadonlyArray<A>, date: Day) =>
    all.filter(({ day }) => day === date)
  const taken = placed.map(({ to }) => to)
  return {
    ...page,
    days: page.days.map((day) => {
      const stay = day.posts.filter(({ id }) => !ids.has(id))
      const come = placed
        .filter(({ to }) => to.day === day.date)
        .map(({ row: { queue_slot: _, ...row }, to }) => ({
          ...row,
          local: to.time,
          at: to.at.toISOString()
        }))
      const gone = new Set(ofDay(taken, day.date).map(({ time }) => time))
      const free = new Set(ofDay(left, day.date).map(({ time }) => time))
      return {
        ...day,
        total: day.total - (day.posts.length - stay.length) + come.length,
        free_slots: [...new Set([...day.free_slots, ...free])].filter((time) => !gone.has(time)).sort(),
        posts: [...stay, ...come].sort(byTime)
      }
    })
  }
}
