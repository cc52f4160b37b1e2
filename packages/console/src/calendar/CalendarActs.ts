import type { CalendarPost } from "@carillon/sdk"
import type { Place } from "../post/Place.ts"
import type { Day } from "../time/days.ts"

/** What a person does in the calendar. A host has other means for it than the console. */
export interface CalendarActs {
  /** `from` is null for a draft without a day. */
  move(row: CalendarPost, from: Place | null, to: Place): void
  remove(row: CalendarPost): void
  /** Takes the last move back. */
  undoLast(): void
  /** Begins a post for a day, or for a time of it. */
  write(day?: Day, time?: string): void
  edit(post: string): void
  duplicate(post: string): void
}
