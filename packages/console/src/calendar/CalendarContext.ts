import type { CalendarPost } from "@carillon/sdk"
import { createContext, useContext } from "react"
import type { Accounts } from "../data/accounts.ts"
import type { FocusMap } from "../post/makeFocusMap.ts"
import type { Place } from "../post/Place.ts"
import type { KeyboardDrag } from "../post/useKeyboardDrag.ts"
import type { Day } from "../time/days.ts"

/** What the views of the calendar share. */
interface CalendarValue {
  readonly zone: string
  readonly today: Day
  readonly now: string
  readonly accounts: Accounts
  readonly carried: KeyboardDrag<Place> | null
  /** The post or day that is the one tab stop. */
  readonly current: string | null
  /** Days by their date, posts by `postKey`. */
  readonly focusMap: FocusMap
  /** `day` is null for a draft that has none. */
  open(row: CalendarPost, day: Day | null, element: HTMLElement): void
  /** Opens the posts behind a block of a week. */
  openHour(rows: ReadonlyArray<CalendarPost>, day: Day, element: HTMLElement): void
  showDay(day: Day): void
  /** Starts a post for a day or a time. */
  write(day: Day, time?: string): void
  drop(row: CalendarPost, from: Place | null, to: Place): void
}

/** The key of a post in the focus map. */
export const postKey = (id: string, day: Day) => `${id} ${day}`

export const CalendarContext = createContext<CalendarValue | null>(null)

export const useCalendarContext = () => useContext(CalendarContext)!
