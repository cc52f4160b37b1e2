import type { CalendarDay, CalendarPost } from "@carillon/sdk"
import { type CSSProperties, useCallback, useState } from "react"
import { longDay, offsetOf, shownTime, weekdayName } from "../time/zone.ts"
import { words } from "../post/en.ts"
import { quarterOf } from "../post/Place.ts"
import { blockName } from "./blockName.ts"
import { useCalendarContext } from "./CalendarContext.ts"
import { FreeSlot } from "../post/FreeSlot.tsx"
import { freeOf, hourHeight, packLanes, topOf } from "./packLanes.ts"
import { PostTile } from "./PostTile.tsx"
import { statesOf } from "./restOf.ts"
import { Ticks } from "./Ticks.tsx"
import { todayBadge } from "../ui/todayBadge.ts"
import { useDropTarget } from "./useDropTarget.ts"
import { useStandIn } from "./useStandIn.ts"

/** The first hour in view before scrolling. */
const firstHourSeen = 7

/** The least width of a day with two lanes. */
const narrowest = 150

const timeAt = (column: HTMLElement, clientY: number) =>
  quarterOf(((clientY - column.getBoundingClientRect().top) / hourHeight) * 60)

interface HourProps {
  readonly day: string
  readonly rows: ReadonlyArray<CalendarPost>
  readonly style: CSSProperties
}

const hour =
  "@container absolute flex h-clock-tile cursor-pointer flex-col overflow-hidden rounded-tile border border-edge"

/** Beside a tile that keeps the room for its text. */
const sliverWidth = 32

/** Opens the posts that have no tile of their own. */
const HourButton = ({ day, rows, style }: HourProps) => {
  const { current, openHour } = useCalendarContext()
  const ref = useStandIn(rows, day)
  return (
    <button
      ref={ref}
      type="button"
      className={`${hour} bg-card p-1 text-start text-xs leading-4 hover:bg-sunk`}
      style={style}
      tabIndex={rows.some(({ id }) => id === current) ? 0 : -1}
      data-day={day}
      data-rest={rows[0]!.id}
      aria-haspopup="dialog"
      onClick={(event) => openHour(rows, day, event.currentTarget)}
    >
      <strong className="@max-bit:sr-only">{words.block.more(rows.length)}</strong>{" "}
      <strong className="hidden @max-bit:block" aria-hidden="true">
        +{rows.length}
      </strong>
      <span className="truncate @max-bit:sr-only">{blockName(rows)}</span>
      <Ticks rest={statesOf(rows)} />
    </button>
  )
}

const placed =
  "pointer-events-none absolute inset-x-1 z-1 h-clock-tile rounded-tile border-2 border-dashed border-brand"

interface DayProps {
  readonly day: CalendarDay
  /** Too narrow for two lanes of text. */
  readonly isNarrow: boolean
}

const DayColumn = ({ day, isNarrow }: DayProps) => {
  const { carried, current, now, today, write } = useCalendarContext()
  const { over, ref } = useDropTarget(day.date, timeAt)
  const past = day.date < today
  const place = over?.time ?? (carried?.to.day === day.date ? carried.to.time : null)
  return (
    // By keyboard, N writes for the focused day.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      ref={ref}
      role="gridcell"
      tabIndex={current === day.date ? 0 : -1}
      className="relative border-s border-hair -outline-offset-2 data-past:bg-paper/50"
      data-day={day.date}
      data-cell
      data-past={past || undefined}
      onClick={({ clientY, currentTarget, target }) => {
        if (past || target !== currentTarget) return
        const time = timeAt(currentTarget, clientY)
        write(day.date, day.date === today && time <= now ? undefined : time)
      }}
    >
      <span className="unseen">
        {longDay(day.date)}, {words.posts(day.total)}
      </span>
      {!past &&
        freeOf(day.free_slots, day.posts).map((time) => (
          <div key={time} className="absolute inset-x-1" style={{ top: topOf(time) }}>
            <FreeSlot day={day.date} time={time} onWrite={() => write(day.date, time)} />
          </div>
        ))}
      {packLanes(day.posts).map(({ group, lane, rows }) => {
        const row = rows[0]!
        const isSliver = isNarrow && lane === 1
        const second = isNarrow ? `${sliverWidth}px` : "(100% - 8px) / 2"
        const width = isSliver ? second : group.lanes === 1 ? "100% - 8px" : `100% - 8px - ${second}`
        const style = {
          top: topOf(row.local),
          [lane === 0 ? "insetInlineStart" : "insetInlineEnd"]: "4px",
          width: `calc(${width} - ${group.lanes - 1}px)`
        }
        return rows.length > 1 || isSliver ? (
          <HourButton key={row.id} day={day.date} rows={rows} style={style} />
        ) : (
          <PostTile key={row.id} row={row} day={day.date} form="clock" style={style} />
        )
      })}
      {place !== null && (
        <span
          className={`${placed} bg-tint/75 px-2 text-xs font-semibold text-brand`}
          style={{ top: topOf(place) }}
          data-place
        >
          {shownTime(place)}
        </span>
      )}
      {day.date === today && (
        <span
          className="pointer-events-none absolute inset-x-0 border-t-2 border-brand"
          style={{ top: topOf(now) }}
          aria-hidden="true"
        />
      )}
    </div>
  )
}

const frame = "min-h-0 flex-1 rounded-card border border-line bg-card"
const head = "sticky top-0 z-2 grid h-touch border-b border-line bg-card text-sm text-soft"
const name =
  "flex items-center gap-2 border-s border-hair px-2 max-md:flex-col max-md:justify-center max-md:gap-0 max-md:px-0"
const hourName = "absolute end-2 -translate-y-1/2 bg-card"

const hourLines = {
  height: 24 * hourHeight,
  background: `repeating-linear-gradient(to bottom, transparent 0 ${hourHeight - 1}px, var(--color-hair) ${hourHeight - 1}px ${hourHeight}px)`
}

/** The hours of some days, one beside the other. */
export const WeekGrid = ({ days }: { readonly days: ReadonlyArray<CalendarDay> }) => {
  const { now, today, zone } = useCalendarContext()
  const [width, setWidth] = useState(0)
  const ref = useCallback((scroller: HTMLDivElement) => {
    scroller.scrollTop = firstHourSeen * hourHeight - 12
    const observer = new ResizeObserver(() => setWidth(scroller.clientWidth))
    observer.observe(scroller)
    return () => observer.disconnect()
  }, [])
  const isNarrow = width / days.length < narrowest
  const columns = { gridTemplateColumns: `var(--spacing-hour) repeat(${days.length}, minmax(0, 1fr))` }
  return (
    <div
      className={`${frame} overflow-y-auto scrollbar-thin max-sm:rounded-none max-sm:border-x-0`}
      role="grid"
      aria-label={words.room}
      ref={ref}
      data-hours
    >
      <div role="row" className={head} style={columns}>
        <span role="columnheader" className="self-center ps-2 text-xs whitespace-nowrap">
          {offsetOf(new Date(`${days[0]!.date}T12:00Z`), zone)}
        </span>
        {days.map((day) => (
          <span key={day.date} role="columnheader" className={name}>
            {weekdayName(day.date)}{" "}
            <strong className={day.date === today ? todayBadge : "text-ink"}>
              {Number(day.date.slice(8))}
            </strong>
            <span className="ms-auto text-xs max-md:hidden" aria-hidden="true">
              {day.total}
            </span>
          </span>
        ))}
      </div>
      <div role="row" className="grid" style={{ ...columns, ...hourLines }}>
        <div className="relative text-xs text-soft tabular-nums" role="presentation">
          {Array.from({ length: 23 }, (_, index) => {
            const hour = `${String(index + 1).padStart(2, "0")}:00`
            return (
              <span key={hour} className={hourName} style={{ top: topOf(hour) }}>
                {shownTime(hour)}
              </span>
            )
          })}
          {days.some(({ date }) => date === today) && (
            <strong className={`${hourName} text-brand`} style={{ top: topOf(now) }}>
              {shownTime(now)}
            </strong>
          )}
        </div>
        {days.map((day) => (
          <DayColumn key={day.date} day={day} isNarrow={isNarrow} />
        ))}
      </div>
    </div>
  )
}
