import type { CalendarPost } from "@carillon/sdk"
import { words } from "../post/en.ts"
import { stateOf } from "../post/PostState.ts"
import { stateColors } from "../post/stateColors.ts"
import { AccountAvatars } from "../post/AccountAvatars.tsx"
import { accountNames } from "../post/accountNames.ts"
import { StateSign } from "../post/StateSign.tsx"
import type { Day } from "../time/days.ts"
import { ownClock, shownTime } from "../time/zone.ts"
import { useCalendarContext } from "./CalendarContext.ts"

interface Props {
  readonly row: CalendarPost
  readonly day: Day
  readonly onOpen: (element: HTMLElement) => void
}

const line =
  "flex w-full cursor-pointer items-center gap-4 border-0 bg-transparent px-4 py-3 -outline-offset-2"

/** A post in a list. */
export const AgendaRow = ({ day, onOpen, row }: Props) => {
  const { accounts, zone } = useCalendarContext()
  const state = stateOf(row)
  return (
    <li className="border-hair not-first:border-t">
      <button
        type="button"
        className={`${line} text-start hover:bg-sunk/50`}
        data-post={row.id}
        data-state={state}
        data-day={day}
        aria-haspopup="dialog"
        onClick={(event) => onOpen(event.currentTarget)}
      >
        <span
          className={`flex w-when flex-none flex-col items-start gap-1 font-semibold ${stateColors[state]}`}
        >
          <time dateTime={row.at} title={ownClock(row.at, zone)}>
            {shownTime(row.local)}
          </time>
          {state !== "planned" && <StateSign state={state} />}
        </span>
        <span className="flex min-w-0 flex-1 flex-col gap-1">
          <span dir="auto" className="line-clamp-2">
            {row.excerpt || words.noText}
          </span>
          <span className="flex items-center gap-x-2 text-xs max-sm:flex-wrap">
            <AccountAvatars accounts={accounts} ids={row.social_accounts} />
            <span className="truncate text-soft" aria-hidden="true">
              {row.social_accounts.flatMap((id) => accounts.get(id)?.name ?? []).join(", ")}
            </span>
            <span className="unseen">{accountNames(row.social_accounts, accounts)}</span>
            <span className={`flex-none ${stateColors[state]}`}>
              {words.states[state]}
              {row.thread_count !== undefined && `, ${words.thread(row.thread_count + 1)}`}
            </span>
          </span>
        </span>
        {row.thumbnail_url !== undefined && (
          <img
            src={row.thumbnail_url}
            alt=""
            loading="lazy"
            className="size-12 flex-none rounded-control object-cover"
          />
        )}
      </button>
    </li>
  )
}
