import type { Calendar as CalendarPage, CalendarPost } from "@carillon/sdk"
import type { Place } from "./Place.ts"

interface Move {
  readonly id: string
  readonly to: Place & { readonly at?: Date }
  /** The post itself, if the page shows it even where it did not have it before. */
  readonly row?: CalendarPost
}

const byTime = (one: CalendarPost, other: CalendarPost) =>
  one.local === other.local ? one.id.localeCompare(other.id) : one.local.localeCompare(other.local)

/** Moves posts of a page as the service will show them. Others are left out: a filter may exclude them. */
export const withMoved = (page: CalendarPage, moves: ReadonlyArray<Move>): CalendarPage => {
  const rows = new Map<string, CalendarPost>([
    ...moves.flatMap(({ id, row }) => (row === undefined ? [] : [[id, row] as const])),
    ...page.days.flatMap(({ posts }) => posts.map((row) => [row.id, row] as const))
  ])
  const moved = moves.filter(({ id }) => rows.has(id))
  if (moved.length === 0) return page
  return {
    ...page,
    days: page.days.map((day) => {
      const stay = day.posts.filter((post) => !moved.some(({ id }) => id === post.id))
      const come = moved.flatMap(({ id, to }) => {
        if (to.day !== day.date) return []
        const { queue_slot: _, ...row } = rows.get(id)!
        return { ...row, local: to.time, ...(to.at && { at: to.at.toISOString() }) }
      })
      return {
        ...day,
        total: day.total - day.posts.length + stay.length + come.length,
        posts: [...stay, ...come].sort(byTime)
      }
    })
  }
}

/** Changes a post of a page. */
export const withRow = (page: CalendarPage, id: string, change: Partial<CalendarPost>): CalendarPage => ({
  ...page,
  days: page.days.map((day) =>
    day.posts.some((post) => post.id === id)
      ? { ...day, posts: day.posts.map((post) => (post.id === id ? { ...post, ...change } : post)) }
      : day
  )
})
