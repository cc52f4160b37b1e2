import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine"
import { dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter"
import type { CalendarPost } from "@carillon/sdk"
import { useCallback, useState } from "react"
import type { Day } from "../time/days.ts"
import { useCalendarContext } from "./CalendarContext.ts"

interface Dragged {
  readonly row: CalendarPost
  /** Null for a draft without a day. */
  readonly day: Day | null
  /** The distance from its upper edge to the pointer. */
  readonly grabbed?: number
}

/** A post that is dragged over a day. */
interface Over {
  readonly row: CalendarPost
  readonly from: Day | null
  /** The time it would get. */
  readonly time: string
}

type TimeAt = (day: HTMLElement, clientY: number) => string

/** Makes a day take dropped posts. Without `timeAt` they keep their time. */
export const useDropTarget = (day: Day, timeAt?: TimeAt) => {
  const { drop, focusMap, today } = useCalendarContext()
  const [over, setOver] = useState<Over | null>(null)
  const isPast = day < today

  const ref = useCallback(
    (element: HTMLDivElement) => {
      const forget = focusMap.register(day, element)
      if (isPast) return forget
      const overOf = (
        { data }: { readonly data: object },
        { clientY }: { readonly clientY: number }
      ): Over => {
        const { day: from, grabbed = 0, row } = data as Dragged
        return { row, from, time: timeAt?.(element, clientY - grabbed) ?? row.local }
      }
      return combine(
        forget,
        dropTargetForElements({
          element,
          canDrop: ({ source }) => "row" in source.data,
          onDrag: ({ location, source }) => {
            const next = overOf(source, location.current.input)
            setOver((before) => (before?.row === next.row && before.time === next.time ? before : next))
          },
          onDragLeave: () => setOver(null),
          onDrop: ({ location, source }) => {
            setOver(null)
            const { from, row, time } = overOf(source, location.current.input)
            if (from !== day || time !== row.local)
              drop(row, from === null ? null : { day: from, time: row.local }, { day, time })
          }
        })
      )
    },
    [day, drop, focusMap, isPast, timeAt]
  )
  return { ref, over }
}
