import type { CalendarPost } from "@carillon/sdk"
import { changeCalendars } from "../data/calendar.ts"
import { words } from "../post/en.ts"
import { movePosts } from "../post/movePosts.ts"
import type { Place } from "../post/Place.ts"
import { withMoved } from "../post/withMoved.ts"
import { shortDay } from "../time/zone.ts"

/** Moves a post to another time; `from` is null for a draft without a day. */
export const movePost = (row: CalendarPost, from: Place | null, to: Place, zone: string) =>
  movePosts<Place | null>([{ row, from, to }], {
    zone,
    show: ([move]) => move?.to && changeCalendars((page) => withMoved(page, [{ id: row.id, to: move.to! }])),
    done: (row.queue_slot === undefined ? words.moved : words.movedFromQueue)(shortDay(to.day), to.time)
  })
