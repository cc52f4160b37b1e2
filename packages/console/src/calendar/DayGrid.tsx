import type { CalendarDay } from "@carillon/sdk"
import type { CSSProperties, ReactNode, Ref } from "react"
import { words } from "../post/en.ts"
import { daysFrom } from "../time/days.ts"
import { weekdayName } from "../time/zone.ts"

interface Props {
  readonly days: ReadonlyArray<CalendarDay>
  readonly bodyRef?: Ref<HTMLDivElement>
  readonly weekStyle?: CSSProperties
  readonly renderDay: (day: CalendarDay) => ReactNode
}

const frame = "flex min-h-0 flex-1 flex-col overflow-hidden rounded-card border border-line bg-card"

/** Weeks, one below the other. */
export const DayGrid = ({ bodyRef, days, renderDay, weekStyle }: Props) => (
  <div className={`${frame} max-sm:rounded-none max-sm:border-x-0`} role="grid" aria-label={words.room}>
    <div role="row" className="grid flex-none grid-cols-7 border-b border-hair text-xs text-soft">
      {daysFrom(days[0]!.date, 7).map((day) => (
        <span key={day} role="columnheader" className="px-2 py-1">
          {weekdayName(day)}
        </span>
      ))}
    </div>
    <div className="grid min-h-0 flex-1 overflow-y-auto scrollbar-thin" role="rowgroup" ref={bodyRef}>
      {Array.from({ length: days.length / 7 }, (_, week) => (
        <div
          key={days[week * 7]!.date}
          role="row"
          className="grid grid-cols-7 border-hair not-first:border-t"
          style={weekStyle}
        >
          {days.slice(week * 7, week * 7 + 7).map(renderDay)}
        </div>
      ))}
    </div>
  </div>
)
