import { type CalendarPost, InvalidRequestError, type UpdatePost } from "@carillon/sdk"
import { carillon } from "../data/api.ts"
import { changeCalendars } from "../data/calendar.ts"
import { queueChanged } from "../data/queue.ts"
import { type Act, act } from "../data/useAct.ts"
import { words } from "./en.ts"
import { moveConflict } from "./moveConflict.ts"
import { type Place, scheduledAt } from "./Place.ts"
import { withRow } from "./withMoved.ts"

export interface Move<To = Place> {
  readonly row: CalendarPost
  readonly from: To
  readonly to: To
}

interface Given<To> {
  readonly zone: string
  /** Shows the moves before the service answers. */
  readonly show: (moves: ReadonlyArray<Move<To>>) => void
  readonly done: string
}

interface How {
  /** Whether it takes moves back. */
  readonly back?: boolean
  /** Whether it overwrites the changes of others. */
  readonly anyway?: boolean
}

const reversed = <To>({ from, row, to }: Move<To>): Move<To> => ({ row, from: to, to: from })

const put = async (row: CalendarPost, change: UpdatePost, anyway = false): Promise<CalendarPost> => {
  const { version } = await carillon.posts.update(row.id, change, anyway ? {} : { ifMatch: row })
  changeCalendars((page) => withRow(page, row.id, { version }))
  return { ...row, version }
}

/** Puts a post back into the slot that it held, unless that is gone or another post took it. */
const retake = async (row: CalendarPost): Promise<CalendarPost> => {
  const { queue_slot: slot, ...rest } = row
  if (slot === undefined) return row
  return put(row, { use_queue: { slot } }).catch((error: unknown) => {
    if (error instanceof InvalidRequestError) return rest
    throw error
  })
}

const actOf = <To extends Place | null>(
  moves: ReadonlyArray<Move<To>>,
  given: Given<To>,
  { anyway = false, back = false }: How = {}
): Act<ReadonlyArray<CalendarPost>> => {
  const putAt = (row: CalendarPost, to: To, force?: boolean) =>
    put(row, { scheduled_at: to && scheduledAt(to, given.zone) }, force)
  return {
    show: () => {
      given.show(moves)
      return () => given.show(moves.map(reversed))
    },
    do: async () => {
      const moved: Array<CalendarPost> = []
      try {
        for (const { row, to } of moves) moved.push(await putAt(row, to, anyway))
      } catch (error) {
        for (const [index, row] of moved.entries()) await putAt(row, moves[index]!.from)
        throw error
      }
      if (!back) return moved
      // Their slots are free only now.
      const retaken: Array<CalendarPost> = []
      for (const row of moved) retaken.push(await retake(row))
      return retaken
    },
    done: (rows) =>
      back
        ? rows.some(({ queue_slot }) => queue_slot !== undefined)
          ? words.backInQueue
          : words.movedBack
        : given.done,
    ...(back
      ? {}
      : {
          undo: (rows) =>
            actOf(
              moves.map((move, index) => ({ ...reversed(move), row: rows[index]! })),
              given,
              { back: true }
            ) as Act
        }),
    failed: words.notMoved,
    // A post that was put back is not the one that somebody else changed.
    conflict: moveConflict(
      moves.map(({ row }) => row).toReversed(),
      () => void act(actOf(moves, given, { back, anyway: true }))
    ),
    changed: queueChanged
  }
}

/** Moves posts to other times: at once on the screen, then at the service, all of them or none. */
export const movePosts = <To extends Place | null>(moves: ReadonlyArray<Move<To>>, given: Given<To>) =>
  act(actOf(moves, given))
