import { createContext, useContext } from "react"
import type { SlotOfDay } from "./weekOfSlots.ts"

/** What the parts of the week share. */
export interface QueueRoom {
  /** The zone that the queue's times are in. */
  readonly zone: string
  /** The post that the keyboard carries, and where it is held. */
  readonly carried: { readonly from: SlotOfDay; readonly to: SlotOfDay } | null
  open(place: SlotOfDay, element: HTMLElement): void
  /** Puts the post of one place at another; what is there changes places with it. */
  place(from: SlotOfDay, to: SlotOfDay): void
  askMove(place: SlotOfDay): void
  askChange(place: SlotOfDay): void
  remove(place: SlotOfDay): void
}

export const QueueContext = createContext<QueueRoom | null>(null)

export const useQueueRoom = () => useContext(QueueContext)!
