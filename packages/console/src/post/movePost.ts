import { type CalendarPost, InvalidRequestError, type UpdatePost } from "@carillon/sdk"
import { carillon } from "../data/api.ts"
import { changeCalendars } from "../data/calendar.ts"
import { postsChanged } from "../data/posts.ts"
import { type Act, act } from "../data/useAct.ts"
import { shortDay } from "../time/zone.ts"
import { words } from "./en.ts"
import { moveConflict } from "./moveConflict.ts"
import { type Place, scheduledAt } from "./Place.ts"
import { withMoved, withRow } from "./withMoved.ts"

interface Move {
  readonly row: CalendarPost
  /** Null for a draft without a day. */
  readonly from: Place | null
  readonly to: Place | null
  readonly zone: string
}

interface How {
  /** Whether it takes a move back. */
  readonly back?: boolean
  /** Whether it overwrites the changes of others. */
  readonly anyway?: boolean
}

const actOf = (move: Move, { anyway = false, back = false }: How = {}): Act<CalendarPost> => {
  const { from, row, to, zone } = move
  const show = (at: Place | null) =>
    at && changeCalendars((page) => withMoved(page, [{ id: row.id, to: at }]))
  const put = (change: UpdatePost) => carillon.posts.update(row.id, change, anyway ? {} : { ifMatch: row })
  const putAtTime = () => put({ scheduled_at: to && scheduledAt(to, zone) })
  const putInSlot = (slot: string) =>
    put({ use_queue: { slot } }).catch((error: unknown) => {
      // The slot is gone, or another post took it.
      if (error instanceof InvalidRequestError) return putAtTime()
      throw error
    })
  return {
    show: () => {
      show(to)
      return () => show(from)
    },
    do: async () => {
      const { queue_slot, version } =
        back && row.queue_slot !== undefined ? await putInSlot(row.queue_slot) : await putAtTime()
      changeCalendars((page) => withRow(page, row.id, { version }))
      const { queue_slot: _, ...rest } = row
      return { ...rest, version, ...(queue_slot === undefined ? {} : { queue_slot }) }
    },
    done: ({ queue_slot }) =>
      back || to === null
        ? queue_slot === undefined
          ? words.movedBack
          : words.backInQueue
        : (row.queue_slot === undefined ? words.moved : words.movedFromQueue)(shortDay(to.day), to.time),
    ...(back || to === null
      ? {}
      : {
          undo: ({ version }) =>
            actOf({ row: { ...row, version }, from: to, to: from, zone }, { back: true }) as Act
        }),
    failed: words.notMoved,
    conflict: moveConflict([row], () => void act(actOf(move, { back, anyway: true }))),
    changed: postsChanged
  }
}

/** Moves a post to another time: at once on the screen, then at the service. */
export const movePost = (move: Move) => act(actOf(move))
