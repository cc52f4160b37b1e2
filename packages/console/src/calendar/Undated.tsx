import { draggable } from "@atlaskit/pragmatic-drag-and-drop/element/adapter"
import type { CalendarPost } from "@carillon/sdk"
import { useCallback } from "react"
import { words } from "../post/en.ts"
import { postLabel } from "../post/postLabel.ts"
import { stateOf } from "../post/PostState.ts"
import { AccountAvatars } from "../post/AccountAvatars.tsx"
import { StateSign } from "../post/Tile.tsx"
import { useCalendarContext } from "./CalendarContext.ts"
import "./Undated.css"

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
        data-undated={row.id}
        aria-haspopup="dialog"
        onClick={(event) => open(row, null, event.currentTarget)}
      >
        <StateSign state={stateOf(row)} />
        <span className="text">{row.excerpt || words.noText}</span>
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
  <section id="undated" className="undated" aria-labelledby="undated-title">
    <h2 id="undated-title">{words.undated.title}</h2>
    <p className="soft">{words.undated.hint[isBesideDays ? "grid" : "agenda"]}</p>
    <ul>
      {rows.map((row) => (
        <Row key={row.id} row={row} />
      ))}
    </ul>
    {total > rows.length && <p className="soft">{words.undated.more(total - rows.length)}</p>}
  </section>
)
