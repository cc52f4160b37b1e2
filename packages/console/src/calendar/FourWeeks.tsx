import type { CalendarDay } from "@carillon/sdk"
import { useCalendarContext } from "./CalendarContext.ts"
import { DayCell } from "./DayCell.tsx"
import { DayGrid } from "./DayGrid.tsx"
import { tilesOf } from "./tilesOf.ts"

/** Weeks as high as what they hold. */
export const FourWeeks = ({ days }: { readonly days: ReadonlyArray<CalendarDay> }) => {
  const { today } = useCalendarContext()
  return (
    <DayGrid
      days={days}
      renderDay={(day) => <DayCell key={day.date} day={day} {...tilesOf(day, day.date < today)} />}
    />
  )
}
