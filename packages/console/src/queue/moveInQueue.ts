import type { CalendarPost } from "@carillon/sdk"
import { carillon } from "../data/api.ts"
import { changeQueueWeeks } from "../data/calendar.ts"
import { queueChanged } from "../data/queue.ts"
import { type Act, act } from "../data/useAct.ts"
import { words as postWords } from "../post/en.ts"
import { moveConflict } from "../post/moveConflict.ts"
import { type Place, scheduledAt } from "../post/Place.ts"
import { textOf } from "../post/textOf.ts"
import { shortDay } from "../time/zone.ts"
import { words } from "./en.ts"
import { type QueuePlace, withPlaced } from "./withPlaced.ts"

export const whenOf = ({ day, time }: Place) => `${shortDay(day)}, ${time}`

interface Move {
  readonly row: CalendarPost
  readonly from: QueuePlace
  readonly to: QueuePlace
  /** The post at `to`, which moves to `from`. */
  readonly other: CalendarPost | null
  readonly zone: string
}

interface How {
  /** Whether it takes a move back. */
  readonly back?: boolean
  /** Whether it overwrites the changes of others. */
  readonly anyway?: boolean
}

const show = ({ from, other, row, to }: Move) =>
  changeQueueWeeks((page) =>
    withPlaced(
      page,
      [{ row, to }, ...(other === null ? [] : [{ row: other, to: from }])],
      other === null ? [from] : []
    )
  )

/** Puts a post back into the slot that it held. */
const retake = async (row: CalendarPost) => {
  if (row.queue_slot !== undefined)
    await carillon.posts.update(row.id, { use_queue: { slot: row.queue_slot } }, { ifMatch: row })
}

interface Moved {
  readonly there: CalendarPost
  readonly here: CalendarPost | null
}

const actOf = (move: Move, { anyway = false, back = false }: How = {}): Act<Moved> => {
  const { from, other, row, to, zone } = move
  const put = async (post: CalendarPost, place: Place, force = anyway): Promise<CalendarPost> => {
    const { version } = await carillon.posts.update(
      post.id,
      { scheduled_at: scheduledAt(place, zone) },
      force ? {} : { ifMatch: post }
    )
    return { ...post, version }
  }
  return {
    show: () => {
      show(move)
      return () => show({ ...move, from: to, to: from })
    },
    do: async () => {
      const there = await put(row, to)
      const here =
        other === null
          ? null
          : await put(other, from).catch(async (error: unknown) => {
              await put(there, from, false)
              throw error
            })
      // Both slots are free only now.
      if (back) for (const one of here === null ? [there] : [there, here]) await retake(one)
      return { there, here }
    },
    done: back
      ? postWords.movedBack
      : other === null
        ? words.moved(whenOf(to))
        : `${words.moved(whenOf(to))}. ${words.exchanged(textOf(other))}.`,
    ...(back
      ? {}
      : {
          undo: ({ here, there }) =>
            actOf({ row: there, from: to, to: from, other: here, zone }, { back: true }) as Act
        }),
    failed: postWords.notMoved,
    conflict: moveConflict(
      other === null ? [row] : [other, row],
      () => void act(actOf(move, { back, anyway: true }))
    ),
    changed: queueChanged
  }
}

/** Moves a post to another time of the queue, or swaps it with the post there. */
export const moveInQueue = (move: Move) => act(actOf(move))
