import type { CalendarDay, CalendarPost } from "@carillon/sdk"
import { words } from "../post/en.ts"
import type { Day } from "../time/days.ts"
import { dayNumber, longDay, shownTime } from "../time/zone.ts"
import { Icon } from "../ui/Icon.tsx"
import { useCalendarContext } from "./CalendarContext.ts"
import { FreeSlot } from "../post/FreeSlot.tsx"
import { PostTile } from "./PostTile.tsx"
import { todayBadge } from "../ui/todayBadge.ts"
import { type Rest, restOf } from "./restOf.ts"
import { Ticks } from "./Ticks.tsx"
import type { Tiles } from "./tilesOf.ts"
import { useDropTarget } from "./useDropTarget.ts"
import { useStandIn } from "./useStandIn.ts"

interface RestProps {
  readonly date: Day
  /** The posts that are not shown, as far as they are known. */
  readonly hidden: ReadonlyArray<CalendarPost>
  readonly count: number
  readonly rest: Rest
}

const others =
  "flex min-h-6 w-full flex-none cursor-pointer items-center justify-between rounded-tile border-0 bg-transparent px-1"

/** Leads to all posts of a day. */
const RestButton = ({ count, date, hidden, rest }: RestProps) => {
  const { current, showDay } = useCalendarContext()
  const ref = useStandIn(hidden, date)
  return (
    <button
      ref={ref}
      type="button"
      className={`${others} gap-1 text-xs whitespace-nowrap text-soft hover:bg-sunk`}
      tabIndex={hidden.some(({ id }) => id === current) ? 0 : -1}
      data-day={date}
      data-rest={hidden[0]?.id}
      onClick={() => showDay(date)}
    >
      <span aria-hidden="true">
        +{count} <span className="max-sm:hidden">{words.more}</span>
      </span>
      <span className="unseen">{words.moreOf(count, longDay(date))}</span>
      <Ticks rest={rest} />
    </button>
  )
}

interface Props extends Tiles {
  readonly day: CalendarDay
  readonly outside?: boolean
}

const cell =
  "group relative flex min-h-week min-w-0 flex-col gap-1 border-hair p-1 -outline-offset-2 not-first:border-s"
const marked = "data-outside:bg-paper data-over:bg-tint data-over:inset-ring-2 data-over:inset-ring-brand"
const writing =
  "absolute end-1 top-1 hidden min-h-6 cursor-pointer items-center rounded-tile border-0 bg-transparent px-1"

/** A day of a month or of four weeks. */
export const DayCell = ({ day, outside, slots, tiles }: Props) => {
  const { carried, current, today, write } = useCalendarContext()
  const { over, ref } = useDropTarget(day.date)
  const past = day.date < today
  const shown = tiles.map(({ row }) => row)
  const arrivingAt =
    over !== null && over.from !== day.date
      ? over.time
      : carried?.to.day === day.date && carried.from.day !== day.date
        ? carried.to.time
        : null
  const isToday = day.date === today
  return (
    // By keyboard, N writes for the focused day.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      ref={ref}
      role="gridcell"
      tabIndex={current === day.date ? 0 : -1}
      className={`${cell} data-past:bg-paper/50 ${marked}`}
      data-day={day.date}
      data-cell
      data-today={isToday || undefined}
      data-past={past || undefined}
      data-outside={outside || undefined}
      data-over={arrivingAt !== null || undefined}
      onClick={({ currentTarget, target }) => {
        if (!past && target === currentTarget) write(day.date)
      }}
    >
      <span className="flex h-room flex-none items-center gap-2 ps-1 text-xs">
        <span className={isToday ? todayBadge : undefined} aria-hidden="true">
          {dayNumber(day.date)}
        </span>
        {isToday && <span className="font-semibold text-brand max-sm:hidden">{words.today}</span>}
        <span className="unseen">
          {longDay(day.date)}, {words.posts(day.total)}
        </span>
      </span>
      {tiles.map(({ form, row }) => (
        <PostTile key={row.id} row={row} day={day.date} form={form} />
      ))}
      {arrivingAt !== null && (
        <span
          className="h-6 flex-none rounded-tile border border-dashed border-brand px-1 text-xs font-semibold text-brand"
          data-place
        >
          {shownTime(arrivingAt)}
        </span>
      )}
      {day.total > shown.length && (
        <RestButton
          date={day.date}
          hidden={day.posts.filter((row) => !shown.includes(row))}
          count={day.total - shown.length}
          rest={restOf(day, shown)}
        />
      )}
      {!past && (
        <button
          type="button"
          className={`${writing} text-xs font-semibold text-brand group-hover:inline-flex hover:bg-tint`}
          tabIndex={-1}
          aria-label={words.writeOn(longDay(day.date))}
          onClick={() => write(day.date)}
        >
          <Icon name="plus" />
          {words.write}
        </button>
      )}
      {slots.map((time) => (
        <FreeSlot key={time} day={day.date} time={time} onWrite={() => write(day.date, time)} />
      ))}
    </div>
  )
}
