import { createContext, useContext } from "react"
import type { Day } from "../time/days.ts"
import type { Place } from "./moves.ts"
import type { CalendarPost } from "@carillon/sdk"
import type { Accounts } from "../data/accounts.ts"

/** A post that the keyboard carries. */
export interface Carried {
  readonly row: CalendarPost
  readonly from: Place
  readonly to: Place
}

/** What the views of the calendar share. */
export interface CalendarRoom {
  readonly zone: string
  readonly today: Day
  readonly now: string
  readonly accounts: Accounts
  readonly carried: Carried | null
  /** The post or day that the keyboard is at: the one tab stop. */
  readonly current: string | null
  /** Without a day, for a draft that has none. */
  open(row: CalendarPost, day: Day | null, element: HTMLElement): void
  showDay(day: Day): void
  /** Begins a post for a day, or for a time of it. */
  write(day: Day, time?: string): void
  drop(row: CalendarPost, from: Place | null, to: Place): void
}

export const RoomContext = createContext<CalendarRoom | null>(null)

export const useRoom = () => useContext(RoomContext)!
