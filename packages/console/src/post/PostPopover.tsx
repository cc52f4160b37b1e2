import type { CalendarPost } from "@carillon/sdk"
import type { ReactNode } from "react"
import { Dialog, Heading } from "react-aria-components/Dialog"
import { Popover } from "react-aria-components/Popover"
import type { Day } from "../time/days.ts"
import { ownClock, shortDay, shownTime } from "../time/zone.ts"
import { words } from "./en.ts"
import { stateOf } from "./PostState.ts"
import { StateSign } from "./StateSign.tsx"

/** The card and its margins. */
const cardWidth = 340

/** A row of a list may leave none. */
const hasRoomBeside = (tile: HTMLElement) => {
  const { left, right } = tile.getBoundingClientRect()
  return Math.max(left, window.innerWidth - right) >= cardWidth
}

interface Props {
  readonly row: CalendarPost
  readonly zone: string
  /** Null for a draft without a day. */
  readonly day: Day | null
  /** The element that it points at. */
  readonly tile: HTMLElement
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The card of a post. */
export const PostPopover = ({ children, day, onClose, row, tile, zone }: Props) => {
  const state = stateOf(row)
  return (
    <Popover
      className="popover overflow-auto"
      triggerRef={{ current: tile }}
      isOpen
      onOpenChange={onClose}
      placement={hasRoomBeside(tile) ? "right top" : "bottom"}
    >
      <Dialog className="flex w-list max-w-full flex-col gap-3 p-4 text-sm outline-none">
        <Heading slot="title" level={2} className="flex items-center gap-2 text-sm">
          <StateSign state={state} />
          {words.states[state]}
          {day !== null && (
            <time
              dateTime={row.at}
              title={ownClock(row.at, zone)}
              className="ms-auto font-normal whitespace-nowrap text-soft"
            >
              {shortDay(day)}, {shownTime(row.local)}
            </time>
          )}
        </Heading>
        <p dir="auto">{row.excerpt || words.noText}</p>
        {row.thread_count !== undefined && <p className="text-soft">{words.thread(row.thread_count + 1)}</p>}
        {children}
      </Dialog>
    </Popover>
  )
}
