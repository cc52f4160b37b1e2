import type { CalendarDay } from "@carillon/sdk"
import { useCallback, useState } from "react"
import { useCalendarContext } from "./CalendarContext.ts"
import { DayCell } from "./DayCell.tsx"
import { DayGrid } from "./DayGrid.tsx"
import { firstOf } from "./firstOf.ts"
import { formFor } from "./formFor.ts"

interface Props {
  readonly days: ReadonlyArray<CalendarDay>
  readonly month: string
}

/** A month as high as the screen: its days show what fits. */
export const MonthGrid = ({ days, month }: Props) => {
  const { today } = useCalendarContext()
  const [height, setHeight] = useState(0)
  const body = useCallback((element: HTMLDivElement) => {
    const observer = new ResizeObserver(([entry]) => setHeight(entry!.contentRect.height))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const weekHeight = Math.max(Math.floor(height / (days.length / 7)), 116)
  return (
    <DayGrid
      days={days}
      bodyRef={body}
      weekStyle={{ height: weekHeight }}
      renderDay={(day) => {
        const free = day.date < today ? [] : day.free_slots
        const { form, posts, slots } = formFor(weekHeight, day.total, free.length)
        return (
          <DayCell
            key={day.date}
            day={day}
            tiles={firstOf(day.posts, posts).map((row) => ({ row, form }))}
            slots={free.slice(0, slots)}
            outside={day.date.slice(0, 7) !== month.slice(0, 7)}
          />
        )
      }}
    />
  )
}
