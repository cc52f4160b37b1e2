import type { CalendarPost } from "@carillon/sdk"
import { Dialog, Heading } from "react-aria-components/Dialog"
import { Popover } from "react-aria-components/Popover"
import { words } from "../post/en.ts"
import type { Day } from "../time/days.ts"
import { useNarrow } from "../ui/useNarrow.ts"
import { AgendaRow } from "./AgendaRow.tsx"
import { blockName } from "./blockName.ts"

interface Props {
  readonly day: Day
  readonly rows: ReadonlyArray<CalendarPost>
  readonly block: HTMLElement
  readonly onOpen: (row: CalendarPost) => void
  readonly onClose: () => void
}

/** The posts that stand at one time of a week. */
export const HourPopover = ({ block, day, onClose, onOpen, rows }: Props) => {
  const isNarrow = useNarrow()
  return (
    <Popover
      className="popover"
      triggerRef={{ current: block }}
      isOpen
      onOpenChange={onClose}
      placement={isNarrow ? "bottom" : "right top"}
    >
      <Dialog className="flex max-h-96 w-popover max-w-full flex-col outline-none">
        <Heading slot="title" level={2} className="border-b border-hair px-4 py-3 text-sm">
          {words.posts(rows.length)} {blockName(rows)}
        </Heading>
        <ul className="min-h-0 overflow-y-auto">
          {rows.map((row) => (
            <AgendaRow key={row.id} row={row} day={day} onOpen={() => onOpen(row)} />
          ))}
        </ul>
      </Dialog>
    </Popover>
  )
}
