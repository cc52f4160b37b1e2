import type { CalendarPost } from "@carillon/sdk"
import { changeQueueWeeks } from "../data/calendar.ts"
import { movePosts } from "../post/movePosts.ts"
import type { Place } from "../post/Place.ts"
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

/** Moves a post to another time of the queue, or swaps it with the post there. */
export const moveInQueue = ({ from, other, row, to, zone }: Move) => {
  const move = { row, from, to }
  return movePosts(other === null ? [move] : [move, { row: other, from: to, to: from }], {
    zone,
    show: (moves) =>
      changeQueueWeeks((page) => withPlaced(page, moves, other === null ? moves.map((one) => one.from) : [])),
    done:
      other === null
        ? words.moved(whenOf(to))
        : `${words.moved(whenOf(to))}. ${words.exchanged(textOf(other))}.`
  })
}
