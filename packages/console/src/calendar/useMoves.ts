import {
  CarillonError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  type UpdatePost
} from "@carillon/sdk"
import { useCallback, useRef } from "react"
import { carillon, queries } from "../api.ts"
import { shortDay } from "../time/zone.ts"
import { toast } from "../ui/toasts.tsx"
import { words } from "./en.ts"
import { type Place, scheduledAt, withMoved, withRow } from "./moves.ts"
import type { Calendar as CalendarPage, CalendarPost } from "@carillon/sdk"
import { calendarKey } from "./useCalendar.ts"

const change = (update: (page: CalendarPage) => CalendarPage) =>
  queries.setQueriesData<CalendarPage>({ queryKey: calendarKey }, (page) =>
    // The drafts without a day have none to be moved on.
    page && "days" in page ? update(page) : page
  )

const refresh = () => queries.invalidateQueries({ queryKey: calendarKey })

/** Moves posts at once on the screen, then at the service, and takes back what it refuses. */
export const useMoves = (zone: string) => {
  /** Carries out the undo of the last move. */
  const undo = useRef<(() => void) | null>(null)

  const move = useCallback(
    async (
      row: CalendarPost,
      from: Place | null,
      to: Place | null,
      { back = false, anyway = false } = {}
    ) => {
      undo.current = null
      const show = (at: Place | null) => at && change((page) => withMoved(page, row.id, at))
      show(to)
      const announce = (text: string, label: string, act: () => void) => {
        toast({ icon: "check", text, action: { label, act } })
        undo.current = act
      }
      try {
        const put = (change: UpdatePost) =>
          carillon.posts.update(row.id, change, anyway ? {} : { ifMatch: row })
        const atItsTime = { scheduled_at: to && scheduledAt(to, zone) }
        const post =
          back && row.queue_slot !== undefined
            ? await put({ use_queue: { slot: row.queue_slot } }).catch((error: unknown) => {
                // The slot is gone, or another post took it.
                if (error instanceof InvalidRequestError) return put(atItsTime)
                throw error
              })
            : await put(atItsTime)
        change((page) => withRow(page, row.id, { version: post.version }))
        if (back || to === null)
          toast({
            icon: "check",
            text: post.queue_slot === undefined ? words.movedBack : words.backInQueue
          })
        else
          announce(
            (row.queue_slot === undefined ? words.moved : words.movedFromQueue)(shortDay(to.day), to.time),
            words.undo,
            () => {
              void move({ ...row, version: post.version }, to, from, { back: true })
            }
          )
        void refresh()
      } catch (error) {
        show(from)
        const again = (label: string, anyhow: boolean) => ({
          label,
          act: () => {
            void move(row, from, to, { back, anyway: anyhow })
          }
        })
        if (error instanceof ConflictError && error.code === "stale_version") {
          const { clashWith } = await import("../clash/clashWith.ts")
          toast({
            icon: "warning",
            text: words.notMovedBecause(await clashWith([row])),
            action: again(words.moveAnyway, true)
          })
        } else if (error instanceof ConflictError) toast({ icon: "cross", text: words.underway })
        else if (error instanceof ConnectionError)
          toast({ icon: "cross", text: words.notMoved, action: again(words.retry, false) })
        else
          toast({
            icon: "cross",
            text: words.refused(error instanceof CarillonError ? error.message : String(error))
          })
        void refresh()
      }
    },
    [zone]
  )

  const undoLast = useCallback(() => {
    undo.current?.()
    undo.current = null
  }, [])

  const remove = useCallback(async (row: CalendarPost) => {
    try {
      await carillon.posts.delete(row.id, { ifMatch: row })
      toast({ icon: "check", text: words.deleted })
    } catch (error) {
      toast({ icon: "cross", text: error instanceof CarillonError ? error.message : String(error) })
    }
    void refresh()
  }, [])

  return { move, undoLast, remove }
}
