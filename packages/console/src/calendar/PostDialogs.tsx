import type { CalendarPost } from "@carillon/sdk"
import { type ReactNode, Suspense, useEffect } from "react"
import type { Place } from "../post/Place.ts"
import { addDays, type Day } from "../time/days.ts"
import type { TimeField } from "./MoveDialog.tsx"
import { later } from "../ui/later.ts"

/** Loaded after the posts, so that they open without a connection. */
const PostPopover = later(() => import("../post/PostPopover.tsx"), "PostPopover")
const MoveDialog = later(() => import("./MoveDialog.tsx"), "MoveDialog")
const RemoveDialog = later(() => import("../post/RemoveDialog.tsx"), "RemoveDialog")

/** The post whose card or dialog is open. */
export interface OpenPost {
  readonly dialog: "card" | "move" | "remove"
  readonly row: CalendarPost
  /** Null for a draft without a day. */
  readonly day: Day | null
  /** The tile that the card stands beside. */
  readonly element: HTMLElement
}

export interface CardAsks {
  readonly onMove: () => void
  readonly onRemove: () => void
  readonly onClose: () => void
}

interface Props {
  readonly post: OpenPost | null
  /** Whether the posts are loaded. */
  readonly isReady: boolean
  readonly now: Place
  readonly timeField: TimeField | undefined
  readonly zone: string
  readonly renderActions: (row: CalendarPost, asks: CardAsks) => ReactNode
  readonly onOpen: (post: OpenPost | null) => void
  readonly onMove: (post: OpenPost, to: Place) => void
  readonly onRemove: (row: CalendarPost) => void
}

/** The card of a post, and its dialogs. */
export const PostDialogs = (props: Props) => {
  const { isReady, now, onMove, onOpen, onRemove, post, renderActions, timeField, zone } = props
  useEffect(
    () => void (isReady && [PostPopover, MoveDialog, RemoveDialog].forEach((part) => part.preload())),
    [isReady]
  )
  if (post === null) return null
  const { day, dialog, element, row } = post
  const onClose = () => onOpen(null)
  return (
    <Suspense>
      {dialog === "card" && (
        <PostPopover row={row} zone={zone} day={day} tile={element} onClose={onClose}>
          {renderActions(row, {
            onClose,
            onMove: () => onOpen({ ...post, dialog: "move" }),
            onRemove: () => onOpen({ ...post, dialog: "remove" })
          })}
        </PostPopover>
      )}
      {dialog === "move" && (
        <MoveDialog
          field={timeField}
          from={{ day: day ?? addDays(now.day, 1), time: row.local }}
          now={now}
          zone={zone}
          onClose={onClose}
          onMove={(to) => {
            onClose()
            onMove(post, to)
          }}
        />
      )}
      {dialog === "remove" && (
        <RemoveDialog
          onClose={onClose}
          onRemove={() => {
            onClose()
            onRemove(row)
          }}
        />
      )}
    </Suspense>
  )
}
