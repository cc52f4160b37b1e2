import type { CalendarDay } from "@carillon/sdk"
import { words } from "../post/en.ts"
import { addDays } from "../time/days.ts"
import { longDay, shortDay, shownTime } from "../time/zone.ts"
import { Icon } from "../ui/Icon.tsx"
import { AgendaRow } from "./AgendaRow.tsx"
import { useCalendarContext } from "./CalendarContext.ts"
import { runsOf } from "./runsOf.ts"

const heading = "sticky top-0 z-1 flex items-center gap-2 bg-paper px-1 pt-3 pb-2"
const writing = "grid size-6 cursor-pointer place-items-center rounded-control border-0 bg-transparent"
const list =
  "overflow-clip rounded-card border border-line bg-card empty:hidden max-sm:rounded-none max-sm:border-x-0"
const item = "border-hair not-first:border-t"
const slot =
  "flex min-h-touch w-full cursor-pointer items-center gap-4 border-0 bg-transparent px-4 -outline-offset-2"
const empty =
  "flex min-h-8 w-full items-center justify-between gap-2 rounded-control border-0 bg-transparent px-1 text-sm"

interface DayProps {
  readonly day: CalendarDay
  /** `Today` or `Tomorrow`. */
  readonly name: string | undefined
}

const Day = ({ day, name }: DayProps) => {
  const { open, today, write } = useCalendarContext()
  const isPast = day.date < today
  return (
    <section aria-labelledby={`day-${day.date}`}>
      <h2 id={`day-${day.date}`} className={`${heading} text-sm font-normal text-soft max-sm:px-4`}>
        {name !== undefined && <strong className="whitespace-nowrap text-ink">{name}</strong>}{" "}
        {longDay(day.date)}
        <span className="ms-auto whitespace-nowrap">{words.posts(day.total)}</span>
        {!isPast && (
          <button
            type="button"
            className={`${writing} text-soft hover:bg-sunk hover:text-ink`}
            aria-label={words.writeOn(longDay(day.date))}
            onClick={() => write(day.date)}
          >
            <Icon name="plus" />
          </button>
        )}
      </h2>
      <ul className={list}>
        {day.posts.map((row) => (
          <AgendaRow
            key={row.id}
            row={row}
            day={day.date}
            onOpen={(element) => open(row, day.date, element)}
          />
        ))}
        {!isPast &&
          day.free_slots.map((time) => (
            <li key={time} className={item}>
              <button
                type="button"
                className={`${slot} text-start text-sm text-soft hover:bg-sunk`}
                onClick={() => write(day.date, time)}
              >
                <time className="inline-block w-when flex-none font-semibold">{shownTime(time)}</time>
                {words.freeSlot}
              </button>
            </li>
          ))}
      </ul>
    </section>
  )
}

/** A run of days without posts. */
const EmptyDays = ({ days }: { readonly days: ReadonlyArray<CalendarDay> }) => {
  const { today, write } = useCalendarContext()
  const [first, last] = [days[0]!.date, days.at(-1)!.date]
  const span = first === last ? shortDay(first) : `${shortDay(first)} – ${shortDay(last)}`
  if (last < today) return <p className={`${empty} text-soft max-sm:px-4`}>{words.empties(span, true)}</p>
  return (
    <button
      type="button"
      className={`${empty} cursor-pointer text-start text-soft hover:bg-sunk max-sm:px-4`}
      onClick={() => write(first)}
    >
      {words.empties(span, false)}
      <span className="unseen">{`. ${words.writeOn(longDay(first))}`}</span>
      <Icon name="plus" />
    </button>
  )
}

interface Props {
  readonly days: ReadonlyArray<CalendarDay>
  /** Whether to show runs of days without posts. */
  readonly tellsEmpty: boolean
}

export const Agenda = ({ days, tellsEmpty }: Props) => {
  const { today } = useCalendarContext()
  const named = new Map([
    [today, words.today],
    [addDays(today, 1), words.tomorrow]
  ])
  return (
    <div className="mx-auto min-h-0 w-full max-w-agenda flex-1 overflow-y-auto scrollbar-thin" data-agenda>
      {runsOf(days, today).map((run) =>
        run.kind === "day" ? (
          <Day key={run.day.date} day={run.day} name={named.get(run.day.date)} />
        ) : (
          tellsEmpty && <EmptyDays key={run.days[0]!.date} days={run.days} />
        )
      )}
    </div>
  )
}
