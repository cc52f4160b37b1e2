import type { CalendarDay, CalendarPost } from "@carillon/sdk"
import { words } from "../post/en.ts"
import { stateOf } from "../post/PostState.ts"
import { AccountAvatars } from "../post/AccountAvatars.tsx"
import { accountNames } from "../post/accountNames.ts"
import { StateSign } from "../post/Tile.tsx"
import { addDays } from "../time/days.ts"
import { longDay, ownClock, shortDay, shownTime } from "../time/zone.ts"
import { Icon } from "../ui/Icon.tsx"
import { useCalendarContext } from "./CalendarContext.ts"
import { runsOf } from "./runsOf.ts"
import "./Agenda.css"

const Row = ({ day, row }: { readonly row: CalendarPost; readonly day: string }) => {
  const { accounts, open, zone } = useCalendarContext()
  const state = stateOf(row)
  return (
    <li>
      <button
        type="button"
        className={`agenda-row ${state}`}
        data-post={row.id}
        data-day={day}
        aria-haspopup="dialog"
        onClick={(event) => open(row, day, event.currentTarget)}
      >
        <span className="when">
          <time dateTime={row.at} title={ownClock(row.at, zone)}>
            {shownTime(row.local)}
          </time>
          <StateSign state={state} />
        </span>
        <span className="what">
          <span className="text">{row.excerpt || words.noText}</span>
          <span className="below">
            <AccountAvatars accounts={accounts} ids={row.social_accounts} />
            <span className="names" aria-hidden="true">
              {row.social_accounts.flatMap((id) => accounts.get(id)?.name ?? []).join(", ")}
            </span>
            <span className="unseen">{accountNames(row.social_accounts, accounts)}</span>
            <span className="state">
              {words.states[state]}
              {row.thread_count !== undefined && `, ${words.thread(row.thread_count + 1)}`}
            </span>
          </span>
        </span>
        {row.thumbnail_url !== undefined && <img src={row.thumbnail_url} alt="" loading="lazy" />}
      </button>
    </li>
  )
}

interface DayProps {
  readonly day: CalendarDay
  /** `Today` or `Tomorrow`. */
  readonly name: string | undefined
}

const Day = ({ day, name }: DayProps) => {
  const { today, write } = useCalendarContext()
  const isPast = day.date < today
  return (
    <section aria-labelledby={`day-${day.date}`}>
      <h2 id={`day-${day.date}`}>
        {name !== undefined && <strong>{name}</strong>} {longDay(day.date)}
        <span className="count">{words.posts(day.total)}</span>
        {!isPast && (
          <button
            type="button"
            className="write-on"
            aria-label={words.writeOn(longDay(day.date))}
            onClick={() => write(day.date)}
          >
            <Icon name="plus" />
          </button>
        )}
      </h2>
      <ul>
        {day.posts.map((row) => (
          <Row key={row.id} row={row} day={day.date} />
        ))}
        {!isPast &&
          day.free_slots.map((time) => (
            <li key={time}>
              <button type="button" className="agenda-slot" onClick={() => write(day.date, time)}>
                <time>{shownTime(time)}</time> {words.freeSlot}
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
  if (last < today) return <p className="empty-days">{words.empties(span, true)}</p>
  return (
    <button type="button" className="empty-days" onClick={() => write(first)}>
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
    <div className="agenda">
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
