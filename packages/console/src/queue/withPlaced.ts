import type { Calendar as CalendarPage, CalendarPost } from "@carillon/sdk"
import type { Place } from "../post/Place.ts"
import { withMoved } from "../post/withMoved.ts"

/** A place of the queue. */
export interface QueuePlace extends Place {
  readonly at: Date
}

/** Moves posts of a page, and takes and frees their slots, as the service will. */
export const withPlaced = (
  page: CalendarPage,
  placed: ReadonlyArray<{ readonly row: CalendarPost; readonly to: QueuePlace }>,
  left: ReadonlyArray<QueuePlace>
): CalendarPage => {
  const moved = withMoved(
    page,
    placed.map(({ row, to }) => ({ id: row.id, row, to }))
  )
  return {
    ...moved,
    days: moved.days.map((day) => {
      const times = (places: ReadonlyArray<QueuePlace>) =>
        places.filter((place) => place.day === day.date).map(({ time }) => time)
      const taken = times(placed.map(({ to }) => to))
      const free = new Set([...day.free_slots, ...times(left)])
      return { ...day, free_slots: [...free].filter((time) => !taken.includes(time)).sort() }
    })
  }
}
