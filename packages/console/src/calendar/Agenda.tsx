import { addDays } from "../time/days.ts"
import { longDay, ownClock } from "../time/zone.ts"
import { useRoom } from "./CalendarRoom.ts"
import { words } from "./en.ts"
import type { CalendarDay, CalendarPost } from "@carillon/sdk"
import { stateOf } from "./PostState.ts"
import { Marks, StateSign } from "./Tile.tsx"

const Row = ({ day, row }: { readonly row: CalendarPost; readonly day: string }) => {
  const { accounts, open, zone } = useRoom()
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
            {row.local}
          </time>
          <StateSign state={state} />
        </span>
        <span className="what">
          <span className="text">{row.excerpt || words.noText}</span>
          <span className="below">
            <Marks row={row} most={5} />
            <span className="names">
              {row.social_accounts.flatMap((id) => accounts.get(id)?.name ?? []).join(", ")}
            </span>
            <span className="state">
              {words.states[state]}
              {row.thread_count !== undefined && `, ${words.chain(row.thread_count + 1)}`}
            </span>
          </span>
        </span>
        {row.thumbnail_url !== undefined && <img src={row.thumbnail_url} alt="" loading="lazy" />}
      </button>
    </li>
  )
}

export const Agenda = ({ days }: { readonly days: ReadonlyArray<CalendarDay> }) => {
  const { today, write } = useRoom()
  const named = new Map([
    [today, words.today],
    [addDays(today, 1), words.tomorrow]
  ])
  return (
    <div className="agenda">
      {days
        .filter(({ date, posts, free_slots }) => posts.length > 0 || date === today || free_slots.length > 0)
        .map((day) => (
          <section key={day.date} aria-labelledby={`day-${day.date}`}>
            <h2 id={`day-${day.date}`}>
              {named.has(day.date) && <strong>{named.get(day.date)}</strong>} {longDay(day.date)}
              <span className="count">{words.posts(day.total)}</span>
            </h2>
            <ul>
              {day.posts.map((row) => (
                <Row key={row.id} row={row} day={day.date} />
              ))}
              {day.date >= today &&
                day.free_slots.map((time) => (
                  <li key={time}>
                    <button type="button" className="agenda-slot" onClick={() => write(day.date, time)}>
                      <time>{time}</time> {words.freeSlot}
                    </button>
                  </li>
                ))}
            </ul>
          </section>
        ))}
    </div>
  )
}
