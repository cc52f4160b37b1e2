import type { CalendarDay } from "@carillon/sdk"
import { useCallback, useState } from "react"
import { daysFrom } from "../time/days.ts"
import { dayNumber, longDay, shownTime, weekdayName } from "../time/zone.ts"
import { Icon } from "../ui/Icon.tsx"
import { words } from "../post/en.ts"
import { FreeSlot } from "../post/Tile.tsx"
import { useCalendarContext } from "./CalendarContext.ts"
import { formFor } from "./formFor.ts"
import { PostTile } from "./PostTile.tsx"
import { useDropTarget } from "./useDropTarget.ts"
import "./MonthGrid.css"

interface DayProps {
  readonly day: CalendarDay
  readonly height: number
  readonly outside: boolean
}

const DayCell = ({ day, height, outside }: DayProps) => {
  const { carried, current, showDay, today, write } = useCalendarContext()
  const { over, ref } = useDropTarget(day.date)
  const past = day.date < today
  const shown = formFor(height, day.total, past ? 0 : day.free_slots.length)
  const posts = day.posts.slice(0, shown.posts)
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
      className="day"
      data-day={day.date}
      data-cell
      data-past={past || undefined}
      data-outside={outside || undefined}
      data-over={arrivingAt !== null || undefined}
      onClick={({ currentTarget, target }) => {
        if (!past && target === currentTarget) write(day.date)
      }}
    >
      <span className="number">
        <span className={isToday ? "today" : undefined} aria-hidden="true">
          {dayNumber(day.date)}
        </span>
        {isToday && <span className="today-word">{words.today}</span>}
        <span className="unseen">
          {longDay(day.date)}, {words.posts(day.total)}
        </span>
      </span>
      {posts.map((row) => (
        <PostTile key={row.id} row={row} day={day.date} form={shown.form} />
      ))}
      {arrivingAt !== null && <span className="place">{shownTime(arrivingAt)}</span>}
      {day.total > posts.length && (
        <button
          type="button"
          className="rest"
          tabIndex={-1}
          data-day={day.date}
          onClick={() => showDay(day.date)}
        >
          <span aria-hidden="true">{words.more(day.total - posts.length)}</span>
          <span className="unseen">{words.moreOf(day.total - posts.length, longDay(day.date))}</span>
        </button>
      )}
      {!past && (
        <button
          type="button"
          className="write-here"
          tabIndex={-1}
          aria-label={words.writeOn(longDay(day.date))}
          onClick={() => write(day.date)}
        >
          <Icon name="plus" />
          {words.write}
        </button>
      )}
      {shown.slots > 0 &&
        day.free_slots.map((time) => (
          <FreeSlot key={time} day={day.date} time={time} onWrite={() => write(day.date, time)} />
        ))}
    </div>
  )
}

interface Props {
  readonly days: ReadonlyArray<CalendarDay>
  readonly month: string
}

export const MonthGrid = ({ days, month }: Props) => {
  const [height, setHeight] = useState(0)
  const weeks = days.length / 7

  const body = useCallback((element: HTMLDivElement) => {
    const observer = new ResizeObserver(([entry]) => setHeight(entry!.contentRect.height))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const rowHeight = Math.max(Math.floor(height / weeks), 112)
  return (
    <div className="month" role="grid" aria-label={words.room}>
      <div role="row" className="weekdays">
        {daysFrom(days[0]!.date, 7).map((day) => (
          <span key={day} role="columnheader">
            {weekdayName(day)}
          </span>
        ))}
      </div>
      <div className="weeks" role="rowgroup" ref={body}>
        {Array.from({ length: weeks }, (_, week) => (
          <div key={days[week * 7]!.date} role="row" className="week" style={{ height: rowHeight }}>
            {days.slice(week * 7, week * 7 + 7).map((day) => (
              <DayCell
                key={day.date}
                day={day}
                height={rowHeight}
                outside={day.date.slice(0, 7) !== month.slice(0, 7)}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
