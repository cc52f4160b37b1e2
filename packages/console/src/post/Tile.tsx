import type { CalendarPost } from "@carillon/sdk"
import type { ComponentProps } from "react"
import type { Accounts } from "../data/accounts.ts"
import type { Day } from "../time/days.ts"
import { longDay, ownClock, shownTime } from "../time/zone.ts"
import { Icon } from "../ui/Icon.tsx"
import { AccountAvatars } from "./AccountAvatars.tsx"
import { words } from "./en.ts"
import { type PostState, signs, stateOf } from "./PostState.ts"
import { postLabel } from "./postLabel.ts"
import "./Tile.css"

export const StateSign = ({ state }: { readonly state: PostState }) => {
  const icon = signs[state]
  return (
    <span className={`sign ${state}`} aria-hidden="true">
      {icon && <Icon name={icon} />}
    </span>
  )
}

/** How many posts a thread has. */
const ThreadSign = ({ row: { thread_count } }: { readonly row: CalendarPost }) =>
  thread_count !== undefined && (
    <span className="thread-sign" aria-hidden="true">
      <Icon name="comment" />
      {thread_count + 1}
    </span>
  )

interface TileProps extends ComponentProps<"div"> {
  readonly accounts: Accounts
  readonly zone: string
  readonly row: CalendarPost
  readonly day: Day
  readonly form: "line" | "low" | "high"
}

/** A post on a day of the calendar. */
export const Tile = ({ accounts, day, form, row, zone, ...rest }: TileProps) => {
  const state = stateOf(row)
  return (
    <div {...rest} className={`tile ${form} ${state}`} data-post={row.id} data-day={day}>
      <span className="facts">
        <StateSign state={state} />
        <time dateTime={row.at} title={ownClock(row.at, zone)}>
          {shownTime(row.local)}
        </time>
        {form === "line" && <span className="text">{row.excerpt || words.noText}</span>}
        <ThreadSign row={row} />
        <AccountAvatars accounts={accounts} ids={row.social_accounts} />
      </span>
      {form !== "line" && <span className="text">{row.excerpt || words.noText}</span>}
      {form !== "line" && row.thumbnail_url !== undefined && (
        <img src={row.thumbnail_url} alt="" loading="lazy" draggable={false} />
      )}
      <span className="unseen">{postLabel(row, accounts)}</span>
    </div>
  )
}

interface FreeSlotProps {
  readonly day: Day
  readonly time: string
  readonly onWrite?: () => void
}

/** A free slot of the queue. */
export const FreeSlot = ({ day, onWrite, time }: FreeSlotProps) => (
  <button type="button" className="tile line slot" tabIndex={-1} onClick={onWrite}>
    <span className="facts">
      <span className="sign slot" aria-hidden="true" />
      <time>{shownTime(time)}</time>
      <span className="text">{words.freeSlot}</span>
    </span>
    <span className="unseen">{words.writeAt(longDay(day), shownTime(time))}</span>
  </button>
)
