import {
  type Calendar as CalendarPage,
  type CalendarPost,
  CarillonError,
  ConflictError,
  ConnectionError
} from "@carillon/sdk"
import { useMemo } from "react"
import { carillon, queries } from "../api.ts"
import { words as calendarWords } from "../calendar/en.ts"
import { scheduledAt } from "../calendar/moves.ts"
import { calendarKey } from "../calendar/useCalendar.ts"
import { shortDay } from "../time/zone.ts"
import { toast } from "../ui/toasts.tsx"
import { words } from "./en.ts"
import { type Place, withPlaced } from "./places.ts"
import { refreshQueue } from "./useQueue.ts"

export const textOf = ({ excerpt }: CalendarPost) => excerpt?.split("\n")[0] || calendarWords.noText

export const whenOf = ({ day, time }: Pick<Place, "day" | "time">) => `${shortDay(day)}, ${time}`

interface Move {
  readonly row: CalendarPost
  readonly from: Place
  readonly to: Place
  /** The post that is at `to`; it goes to `from`. */
  readonly other: CalendarPost | null
}

interface How {
  readonly back?: boolean
  readonly anyway?: boolean
}

/** Moves posts between times of the queue: at once on the screen, then at the service. */
export const useQueueMoves = (zone: string) =>
  useMemo(() => {
    const show = ({ from, other, row, to }: Move) =>
      queries.setQueriesData<CalendarPage>(
        { queryKey: [...calendarKey, "queue"] },
        (page) =>
          page &&
          withPlaced(
            page,
            [{ row, to }, ...(other === null ? [] : [{ row: other, to: from }])],
            other === null ? [from] : []
          )
      )

    const put = async (row: CalendarPost, to: Place, anyway = false): Promise<CalendarPost> => {
      const { version } = await carillon.posts.update(
        row.id,
        { scheduled_at: scheduledAt(to, zone) },
        anyway ? {} : { ifMatch: row }
      )
      return { ...row, version }
    }

    /** A post that held its time as a slot of the queue holds it again. */
    const retake = async (row: CalendarPost) => {
      if (row.queue_slot !== undefined)
        await carillon.posts.update(row.id, { use_queue: { slot: row.queue_slot } }, { ifMatch: row })
    }

    const move = async (given: Move, { anyway = false, back = false }: How = {}): Promise<void> => {
      const { from, other, row, to } = given
      show(given)
      try {
        const there = await put(row, to, anyway)
        const here =
          other === null
            ? null
            : await put(other, from, anyway).catch(async (error: unknown) => {
                await put(there, from)
                throw error
              })
        // Only now is nothing else at the times that they had.
        if (back) for (const one of here === null ? [there] : [there, here]) await retake(one)
        if (back) toast({ icon: "check", text: words.movedBack })
        else
          toast({
            icon: "check",
            text:
              other === null
                ? words.moved(whenOf(to))
                : `${words.moved(whenOf(to))}. ${words.exchanged(textOf(other))}.`,
            action: {
              label: words.undo,
              act: () => {
                void move({ row: there, from: to, to: from, other: here }, { back: true })
              }
            }
          })
      } catch (error) {
        const again = (label: string, how: How) => ({
          label,
          act: () => {
            void move(given, how)
          }
        })
        if (error instanceof ConflictError && error.code === "stale_version") {
          const { clashWith } = await import("../clash/clashWith.ts")
          toast({
            icon: "warning",
            text: calendarWords.notMovedBecause(await clashWith(other === null ? [row] : [other, row])),
            action: again(calendarWords.moveAnyway, { back, anyway: true })
          })
        } else if (error instanceof ConflictError) toast({ icon: "cross", text: calendarWords.underway })
        else if (error instanceof ConnectionError)
          toast({
            icon: "cross",
            text: calendarWords.notMoved,
            action: again(calendarWords.retry, { back, anyway })
          })
        else
          toast({
            icon: "cross",
            text: calendarWords.refused(error instanceof CarillonError ? error.message : String(error))
          })
        show({ row, from: to, to: from, other })
      }
      void refreshQueue()
    }
    return move
  }, [zone])
