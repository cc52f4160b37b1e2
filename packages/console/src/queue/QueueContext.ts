import type { Slot } from "@carillon/sdk"
import { createContext, useContext } from "react"
import type { Accounts } from "../data/accounts.ts"
import type { FocusMap } from "../post/makeFocusMap.ts"
import type { useKeyboardDrag } from "../post/useKeyboardDrag.ts"
import type { SlotOfDay } from "./weekOfSlots.ts"
import type { WeeklyTime } from "./WeeklyTime.ts"

export type OpenDialog =
  | { readonly dialog: "card"; readonly place: SlotOfDay; readonly element: HTMLElement }
  | { readonly dialog: "move" | "delete"; readonly place: SlotOfDay }
  /** `before` without a time is a new slot. */
  | { readonly dialog: "time"; readonly before: WeeklyTime }

/** What the parts of the week share. */
interface QueueValue {
  readonly accounts: Accounts
  /** The zone of the queue. */
  readonly zone: string
  readonly slots: ReadonlyArray<Slot>
  readonly drag: ReturnType<typeof useKeyboardDrag<SlotOfDay>>
  readonly focusMap: FocusMap
  open(dialog: OpenDialog): void
  /** Moves a post to another place, and swaps it with the post there. */
  move(from: SlotOfDay, to: SlotOfDay): void
}

/** The key of a post at a place in the focus map. */
export const placeKey = (post: string, { at }: SlotOfDay) => `${post} ${at.getTime()}`

export const QueueContext = createContext<QueueValue | null>(null)

export const useQueueContext = () => useContext(QueueContext)!
