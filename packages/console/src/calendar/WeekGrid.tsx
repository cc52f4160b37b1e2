import { dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter"
import { useEffect, useRef, useState } from "react"
import { longDay, offsetOf, shownTime, weekdayName } from "../time/zone.ts"
import { useRoom } from "../post/CalendarRoom.ts"
import { words } from "../post/en.ts"
import { hourHeight, lanes, tileHeight, topOf } from "./lanes.ts"
import { quarterOf } from "../post/moves.ts"
import type { CalendarDay, CalendarPost } from "@carillon/sdk"
import { FreeSlot, Tile } from "../post/Tile.tsx"
import "./WeekGrid.css"

/** The view begins here; earlier hours are above. */
const firstHourSeen = 7

const timeAt = (column: HTMLElement, clientY: number, grabbed: number) =>
  quarterOf(((clientY - grabbed - column.getBoundingClientRect().top) / hourHeight) * 60)

const DayColumn = ({ day }: { readonly day: CalendarDay }) => {
  const { carried, current, drop, now, today, write } = useRoom()
  const column = useRef<HTMLDivElement>(null)
  const [over, setOver] = useState<string | null>(null)
  const past = day.date < today

  useEffect(() => {
    if (past) return
    const grabbedAt = (data: Record<string | symbol, unknown>) => (data["grabbed"] as number | undefined) ?? 0
    return dropTargetForElements({
      element: column.current!,
      canDrop: ({ source }) => "row" in source.data,
      onDrag: ({ location, source }) =>
        setOver(timeAt(column.current!, location.current.input.clientY, grabbedAt(source.data))),
      onDragLeave: () => setOver(null),
      onDrop: ({ location, source }) => {
        setOver(null)
        const { day: from, row } = source.data as unknown as { row: CalendarPost; day: string | null }
        const time = timeAt(column.current!, location.current.input.clientY, grabbedAt(source.data))
        if (from !== day.date || time !== row.local)
          drop(row, from === null ? null : { day: from, time: row.local }, { day: day.date, time })
      }
    })
  }, [day.date, drop, past])

  const place = over ?? (carried?.to.day === day.date ? carried.to.time : null)
  return (
    <div
      ref={column}
      role="gridcell"
      tabIndex={current === day.date ? 0 : -1}
      className="column"
      data-day={day.date}
      data-cell
      data-past={past || undefined}
      onClick={({ clientY, target }) => {
        if (past || target !== column.current) return
        const time = timeAt(column.current, clientY, 0)
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
            <FreeSlot day={day.date} time={time} />
          </div>
        ))}
      {lanes(day.posts).map(({ group, lane, row }) => (
        <Tile
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

export const WeekGrid = ({ days }: { readonly days: ReadonlyArray<CalendarDay> }) => {
  const { now, today, zone } = useRoom()
  const scroller = useRef<HTMLDivElement>(null)

  useEffect(() => {
    scroller.current!.scrollTop = firstHourSeen * hourHeight - 12
  }, [])

  return (
    <div className="week-view" role="grid" aria-label={words.room} ref={scroller}>
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
