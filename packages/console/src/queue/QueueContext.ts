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
  /** One without a clock time is a new one. */
  | { readonly dialog: "time"; readonly before: WeeklyTime }

/** What the parts of the week share. */
interface QueueValue {
  readonly accounts: Accounts
  /** The zone that the queue's times are in. */
  readonly zone: string
  readonly slots: ReadonlyArray<Slot>
  readonly drag: ReturnType<typeof useKeyboardDrag<SlotOfDay>>
  readonly focusMap: FocusMap
  open(dialog: OpenDialog): void
  /** Moves the post of one place to another; what is there changes places with it. */
  move(from: SlotOfDay, to: SlotOfDay): void
}

/** The post at a place, in the focus map. */
export const placeKey = (post: string, { at }: SlotOfDay) => `${post} ${at.getTime()}`

export const QueueContext = createContext<QueueValue | null>(null)

export const useQueueContext = () => useContext(QueueContext)!
