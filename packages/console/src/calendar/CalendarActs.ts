import type { CalendarPost } from "@carillon/sdk"
import type { Place } from "../post/Place.ts"
import type { Day } from "../time/days.ts"

/** What a person can do in the calendar. The console and the page for hosts do it by different means. */
export interface CalendarActs {
  /** `from` is null for a draft without a day. */
  move(row: CalendarPost, from: Place | null, to: Place): void
  remove(row: CalendarPost): void
  /** Takes the last move back. */
  undoLast(): void
  /** Starts a post for a day or a time. */
  write(day?: Day, time?: string): void
  edit(post: string): void
  duplicate(post: string): void
}
