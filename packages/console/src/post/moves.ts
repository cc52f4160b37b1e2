import { addDays, type Day } from "../time/days.ts"
import type { Calendar as CalendarPage, CalendarPost } from "@carillon/sdk"

/** A day and a clock time of the workspace's zone. */
export interface Place {
  readonly day: Day
  readonly time: string
}

/** What the service takes as `scheduled_at`: it knows the zone's rules, the browser converts nothing. */
export const scheduledAt = ({ day, time }: Place, zone: string) => `${day}T${time}[${zone}]`

const minutesOfDay = 24 * 60

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

const timeOf = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`

/** So many minutes later by the clock on the wall, on another day where the clock says so. */
export const laterBy = ({ day, time }: Place, minutes: number): Place => {
  const total = minutesOf(time) + minutes
  const days = Math.floor(total / minutesOfDay)
  return { day: addDays(day, days), time: timeOf(total - days * minutesOfDay) }
}

/** The place itself, or the next full hour where it has passed. */
export const notPast = (place: Place, { day, time }: Place): Place =>
  `${place.day}T${place.time}` > `${day}T${time}`
    ? place
    : laterBy({ day, time: `${time.slice(0, 2)}:00` }, 60)

/** The quarter of an hour that a point of the day belongs to. */
export const quarterOf = (minutes: number) =>
  timeOf(Math.min(Math.max(Math.round(minutes / 15) * 15, 0), minutesOfDay - 15))

export const minutesInto = minutesOf

const byTime = (one: CalendarPost, other: CalendarPost) =>
  one.local === other.local ? one.id.localeCompare(other.id) : one.local.localeCompare(other.local)

/** The page after a post was moved, as the service will show it. */
export const withMoved = (page: CalendarPage, id: string, place: Place): CalendarPage => {
  const found = page.days.flatMap(({ posts }) => posts).find((post) => post.id === id)
  if (found === undefined) return page
  const { queue_slot: _, ...row } = found
  return {
    ...page,
    days: page.days.map((day) => {
      const leaves = day.posts.some((post) => post.id === id)
      const arrives = day.date === place.day
      if (!leaves && !arrives) return day
      const others = day.posts.filter((post) => post.id !== id)
      return {
        ...day,
        total: day.total - Number(leaves) + Number(arrives),
        posts: arrives ? [...others, { ...row, local: place.time }].sort(byTime) : others
      }
    })
  }
}

/** The page with what the service answered about one post. */
export const withRow = (page: CalendarPage, id: string, change: Partial<CalendarPost>): CalendarPage => ({
  ...page,
  days: page.days.map((day) =>
    day.posts.some((post) => post.id === id)
      ? { ...day, posts: day.posts.map((post) => (post.id === id ? { ...post, ...change } : post)) }
      : day
  )
})
