import { draggable } from "@atlaskit/pragmatic-drag-and-drop/element/adapter"
import type { CalendarPost } from "@carillon/sdk"
import { useEffect, useRef } from "react"
import { useRoom } from "../post/CalendarRoom.ts"
import { words } from "../post/en.ts"
import { stateOf } from "../post/PostState.ts"
import { Marks, StateSign } from "../post/Tile.tsx"
import "./Undated.css"

const Row = ({ row }: { readonly row: CalendarPost }) => {
  const { accounts, open } = useRoom()
  const element = useRef<HTMLButtonElement>(null)
  const state = stateOf(row)
  useEffect(() => draggable({ element: element.current!, getInitialData: () => ({ row, day: null }) }), [row])
  return (
    <li>
      <button
        ref={element}
        type="button"
        data-undated={row.id}
        aria-haspopup="dialog"
        onClick={() => open(row, null, element.current!)}
      >
        <StateSign state={state} />
        <span className="text">{row.excerpt || words.noText}</span>
        <Marks row={row} most={3} />
        <span className="unseen">
          {[words.states[state], ...row.social_accounts.flatMap((id) => accounts.get(id)?.name ?? [])].join(
            ", "
          )}
        </span>
      </button>
    </li>
  )
}

interface Props {
  readonly rows: ReadonlyArray<CalendarPost>
  readonly total: number
  /** Whether there are days beside it to be drawn onto. */
  readonly isBesideDays: boolean
}

/** Drafts that no day of the calendar has: each is opened, or drawn onto a day. */
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
