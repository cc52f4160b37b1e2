import { draggable } from "@atlaskit/pragmatic-drag-and-drop/element/adapter"
import type { CalendarPost } from "@carillon/sdk"
import { useCallback } from "react"
import { words } from "../post/en.ts"
import { postLabel } from "../post/postLabel.ts"
import { stateOf } from "../post/PostState.ts"
import { AccountAvatars } from "../post/AccountAvatars.tsx"
import { StateSign } from "../post/StateSign.tsx"
import { useCalendarContext } from "./CalendarContext.ts"

const frame = "mb-3 flex-none rounded-card border border-line bg-card p-3"
const line = "flex min-h-touch w-full items-center gap-2 rounded-control border border-line"

const Row = ({ row }: { readonly row: CalendarPost }) => {
  const { accounts, open } = useCalendarContext()
  const ref = useCallback(
    (element: HTMLButtonElement) => draggable({ element, getInitialData: () => ({ row, day: null }) }),
    [row]
  )
  return (
    <li>
      <button
        ref={ref}
        type="button"
        className={`${line} bg-transparent px-2 text-start text-sm`}
        data-undated={row.id}
        aria-haspopup="dialog"
        onClick={(event) => open(row, null, event.currentTarget)}
      >
        <StateSign state={stateOf(row)} />
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {row.excerpt || words.noText}
        </span>
        <AccountAvatars accounts={accounts} ids={row.social_accounts} />
        <span className="unseen">{postLabel(row, accounts)}</span>
      </button>
    </li>
  )
}

interface Props {
  readonly rows: ReadonlyArray<CalendarPost>
  readonly total: number
  /** Whether drafts can be dragged onto days. */
  readonly isBesideDays: boolean
}

/** Drafts without a day. */
export const Undated = ({ isBesideDays, rows, total }: Props) => (
  <section
    id="undated"
    className={`${frame} max-sm:rounded-none max-sm:border-x-0`}
    aria-labelledby="undated-title"
  >
    <h2 id="undated-title" className="text-sm">
      {words.undated.title}
    </h2>
    <p className="pb-2 text-xs text-soft">{words.undated.hint[isBesideDays ? "grid" : "agenda"]}</p>
    <ul className="grid max-h-48 grid-cols-drafts gap-2 overflow-y-auto">
      {rows.map((row) => (
        <Row key={row.id} row={row} />
      ))}
    </ul>
    {total > rows.length && (
      <p className="pt-2 text-xs text-soft">{words.undated.more(total - rows.length)}</p>
    )}
  </section>
)
