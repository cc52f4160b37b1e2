import type { CalendarPost } from "@carillon/sdk"
import type { ComponentProps } from "react"
import type { Accounts } from "../data/accounts.ts"
import { words } from "./en.ts"
import { postLabel } from "./postLabel.ts"
import { type PostState, stateOf } from "./PostState.ts"
import { stateColors } from "./stateColors.ts"
import { AccountAvatars } from "./AccountAvatars.tsx"
import { StateSign } from "./StateSign.tsx"
import type { Day } from "../time/days.ts"
import { ownClock, shownTime } from "../time/zone.ts"
import { Icon } from "../ui/Icon.tsx"

/** A line, closer or wider; with one line of text below, or two; on the clock of a week. */
export type Form = "line" | "row" | "low" | "high" | "clock"

const heights: Readonly<Record<Form, string>> = {
  line: "relative h-6",
  row: "relative h-line",
  low: "relative h-tile-low",
  high: "relative h-tile",
  clock: "absolute h-clock-tile"
}

const grounds: Readonly<Record<PostState, string>> = {
  planned: "border-transparent border-s-3 border-s-wait bg-wait-ground",
  going: "border-transparent border-s-3 border-s-wait bg-wait-ground",
  approval: "border-transparent border-s-3 border-s-brand bg-tint",
  blocked: "border-transparent border-s-3 border-s-bad bg-bad-tint",
  failed: "border-transparent border-s-3 border-s-bad bg-bad-tint",
  doubt: "border-transparent border-s-3 border-s-doubt bg-doubt-tint",
  sent: "border-hair bg-card text-soft",
  draft: "border-dashed border-edge bg-card"
}

const box = "@container flex w-full min-w-0 flex-none cursor-pointer select-none rounded-tile border px-1"
const content = "flex min-w-0 flex-1 flex-col justify-center text-start text-xs leading-4 @max-bit:-me-1"

/** What has no room beside the time is cut off whole. */
const first = "flex h-6 min-w-0 flex-none flex-wrap items-center gap-x-1 gap-y-6 overflow-hidden"

/** One avatar has room there. */
const oneWhereNarrow = "ms-auto flex-none @max-lane:*:*:not-first:hidden"
const oneInLine = "ms-auto flex-none @max-pair:*:*:not-first:hidden @max-lane:hidden"

interface Props extends ComponentProps<"div"> {
  readonly accounts: Accounts
  readonly zone: string
  readonly row: CalendarPost
  readonly day: Day
  readonly form: Form
}

/** A post on a day of the calendar. Where its day is narrow, it leaves out pictures and marks. */
export const Tile = ({ accounts, day, form, row, zone, ...rest }: Props) => {
  const state = stateOf(row)
  const isLine = form === "line" || form === "row"
  const text = row.excerpt || words.noText
  const isPictured = !isLine && row.thumbnail_url !== undefined
  return (
    <div
      {...rest}
      className={`${box} ${heights[form]} ${grounds[state]} data-lifted:opacity-50`}
      data-tile
      data-post={row.id}
      data-state={state}
      data-day={day}
    >
      <span className={isPictured ? `${content} me-1 pe-12 @max-lane:me-0 @max-lane:pe-0` : content}>
        <span className={first}>
          <time
            className={`flex-none font-semibold leading-6 ${stateColors[state]}`}
            dateTime={row.at}
            title={ownClock(row.at, zone)}
          >
            {shownTime(row.local)}
          </time>
          {state !== "planned" && <StateSign state={state} />}
          {isLine && (
            <span dir="auto" className="min-w-0 flex-1 truncate @max-bit:sr-only">
              {text}
            </span>
          )}
          {row.thread_count !== undefined && (
            <span
              className="inline-flex flex-none items-center text-soft @max-lane:hidden"
              aria-hidden="true"
            >
              <Icon name="comment" />
              {row.thread_count + 1}
            </span>
          )}
          <span className={isLine ? oneInLine : oneWhereNarrow}>
            <AccountAvatars accounts={accounts} ids={row.social_accounts} />
          </span>
        </span>
        {!isLine && (
          <span dir="auto" className={form === "low" ? "truncate" : "line-clamp-2 @max-bit:sr-only"}>
            {text}
          </span>
        )}
      </span>
      {isPictured && (
        <span className="absolute inset-y-1 end-1 w-12 @max-lane:hidden">
          <img
            className="size-full rounded-tile object-cover"
            src={row.thumbnail_url}
            alt=""
            loading="lazy"
            draggable={false}
          />
        </span>
      )}
      <span className="unseen">{postLabel(row, accounts)}</span>
    </div>
  )
}
