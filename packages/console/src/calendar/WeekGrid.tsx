import type { CalendarDay } from "@carillon/sdk"
import { longDay, offsetOf, shownTime, weekdayName } from "../time/zone.ts"
import { words } from "../post/en.ts"
import { quarterOf } from "../post/Place.ts"
import { FreeSlot } from "../post/Tile.tsx"
import { useCalendarContext } from "./CalendarContext.ts"
import { hourHeight, packLanes, tileHeight, topOf } from "./packLanes.ts"
import { PostTile } from "./PostTile.tsx"
import { useDropTarget } from "./useDropTarget.ts"
import "./WeekGrid.css"

/** The first hour in view before scrolling. */
const firstHourSeen = 7

const timeAt = (column: HTMLElement, clientY: number) =>
  quarterOf(((clientY - column.getBoundingClientRect().top) / hourHeight) * 60)

const DayColumn = ({ day }: { readonly day: CalendarDay }) => {
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
      className="column"
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
      {day.free_slots
        .filter(
          (time) =>
            !past && !day.posts.some((post) => Math.abs(topOf(post.local) - topOf(time)) < tileHeight / 2)
        )
        .map((time) => (
          <div key={time} className="at" style={{ top: topOf(time) }}>
            <FreeSlot day={day.date} time={time} onWrite={() => write(day.date, time)} />
          </div>
        ))}
      {packLanes(day.posts).map(({ group, lane, row }) => (
        <PostTile
          key={row.id}
          row={row}
          day={day.date}
          form={group.lanes > 1 ? "low" : "high"}
          style={{
            top: topOf(row.local),
            insetInlineStart: `calc(4px + (100% - 8px) * ${lane / group.lanes})`,
            width: `calc((100% - 8px) / ${group.lanes} - ${group.lanes > 1 ? 2 : 0}px)`
          }}
        />
      ))}
      {place !== null && (
        <span className="place" style={{ top: topOf(place) }}>
          {shownTime(place)}
        </span>
      )}
      {day.date === today && <span className="now" style={{ top: topOf(now) }} aria-hidden="true" />}
    </div>
  )
}

const scrollToMorning = (scroller: HTMLDivElement | null) => {
  if (scroller !== null) scroller.scrollTop = firstHourSeen * hourHeight - 12
}

export const WeekGrid = ({ days }: { readonly days: ReadonlyArray<CalendarDay> }) => {
  const { now, today, zone } = useCalendarContext()
  return (
    <div className="week-view" role="grid" aria-label={words.room} ref={scrollToMorning}>
      <div role="row" className="week-head">
        <span role="columnheader" className="offset">
          {offsetOf(new Date(), zone)}
        </span>
        {days.map((day) => (
          <span key={day.date} role="columnheader">
            {weekdayName(day.date)}{" "}
            <strong className={day.date === today ? "today" : undefined}>{Number(day.date.slice(8))}</strong>
            <span className="count" aria-hidden="true">
              {day.total}
            </span>
          </span>
        ))}
      </div>
      <div role="row" className="week-body">
        <div className="hours" role="presentation">
          {Array.from({ length: 23 }, (_, index) => {
            const hour = `${String(index + 1).padStart(2, "0")}:00`
            return (
              <span key={hour} style={{ top: topOf(hour) }}>
                {shownTime(hour)}
              </span>
            )
          })}
          {days.some(({ date }) => date === today) && (
            <strong style={{ top: topOf(now) }}>{shownTime(now)}</strong>
          )}
        </div>
        {days.map((day) => (
          <DayColumn key={day.date} day={day} />
        ))}
      </div>
    </div>
  )
}
