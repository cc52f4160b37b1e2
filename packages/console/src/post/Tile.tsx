import { draggable } from "@atlaskit/pragmatic-drag-and-drop/element/adapter"
import { type CSSProperties, useEffect, useRef, useState } from "react"
import type { Day } from "../time/days.ts"
import { longDay, ownClock, shownTime } from "../time/zone.ts"
import { Icon } from "../ui/Icon.tsx"
import { Mark } from "../ui/Mark.tsx"
import { useRoom } from "./CalendarRoom.ts"
import { words } from "./en.ts"
import type { CalendarPost } from "@carillon/sdk"
import { isMovable, type PostState, signs, stateOf } from "./PostState.ts"
import "./Tile.css"

export const StateSign = ({ state }: { readonly state: PostState }) => {
  const icon = signs[state]
  return (
    <span className={`sign ${state}`} aria-hidden="true">
      {icon && <Icon name={icon} />}
    </span>
  )
}

export const Marks = ({ row, most = 3 }: { readonly row: CalendarPost; readonly most?: number }) => {
  const { accounts } = useRoom()
  const platforms = row.social_accounts
    .map((id) => accounts.get(id)?.platform)
    .filter((one) => one !== undefined)
  const shown = platforms.length > most ? platforms.slice(0, most - 1) : platforms
  return (
    <span className="marks" aria-hidden="true">
      {shown.map((platform, index) => (
        // Two accounts of one network have the same mark, and their places never change.
        // oxlint-disable-next-line react/no-array-index-key
        <Mark key={index} platform={platform} />
      ))}
      {platforms.length > shown.length && (
        <span className="mark more">+{platforms.length - shown.length}</span>
      )}
    </span>
  )
}

/** How many posts a thread has. */
const ThreadSign = ({ row: { thread_count } }: { readonly row: CalendarPost }) =>
  thread_count !== undefined && (
    <span className="thread-sign" aria-hidden="true">
      <Icon name="comment" />
      {thread_count + 1}
    </span>
  )

/** What a screen reader says of a tile besides the text that it shows. */
const useNameOf = () => {
  const { accounts } = useRoom()
  return (row: CalendarPost) =>
    [
      words.states[stateOf(row)],
      ...new Set(row.social_accounts.map((id) => accounts.get(id)?.platform ?? "")),
      row.media_count > 0 ? "with media" : "",
      row.thread_count === undefined ? "" : words.thread(row.thread_count + 1)
    ]
      .filter(Boolean)
      .join(", ")
}

interface Props {
  readonly row: CalendarPost
  readonly day: Day
  readonly form: "line" | "low" | "high"
  readonly style?: CSSProperties
}

export const Tile = ({ day, form, row, style }: Props) => {
  const { carried, current, open, zone } = useRoom()
  const nameOf = useNameOf()
  const element = useRef<HTMLDivElement>(null)
  const [lifted, setLifted] = useState(false)
  const state = stateOf(row)
  const movable = isMovable(row)

  useEffect(() => {
    if (!movable) return
    return draggable({
      element: element.current!,
      getInitialData: ({ element: tile, input }) => ({
        row,
        day,
        grabbed: input.clientY - tile.getBoundingClientRect().top
      }),
      onDragStart: () => setLifted(true),
      onDrop: () => setLifted(false)
    })
  }, [row, day, movable])

  return (
    <div
      ref={element}
      role="button"
      aria-haspopup="dialog"
      tabIndex={current === row.id ? 0 : -1}
      className={`tile ${form} ${state}`}
      data-post={row.id}
      data-day={day}
      data-lifted={lifted || carried?.row.id === row.id || undefined}
      style={style}
      onClick={() => open(row, day, element.current!)}
      onKeyDown={(event) => {
        if (carried !== null || (event.key !== "Enter" && event.key !== " ")) return
        event.preventDefault()
        open(row, day, element.current!)
      }}
    >
      <span className="facts">
        <StateSign state={state} />
        <time dateTime={row.at} title={ownClock(row.at, zone)}>
          {shownTime(row.local)}
        </time>
        {form === "line" && <span className="text">{row.excerpt || words.noText}</span>}
        <ThreadSign row={row} />
        <Marks row={row} most={form === "line" ? 2 : 3} />
      </span>
      {form !== "line" && <span className="text">{row.excerpt || words.noText}</span>}
      {form !== "line" && row.thumbnail_url !== undefined && (
        <img src={row.thumbnail_url} alt="" loading="lazy" draggable={false} />
      )}
      <span className="unseen">{nameOf(row)}</span>
    </div>
  )
}

/** A free time of the queue: pressing it writes for it. */
export const FreeSlot = ({ day, time }: { readonly day: Day; readonly time: string }) => {
  const { write } = useRoom()
  return (
    <button type="button" className="tile line slot" tabIndex={-1} onClick={() => write(day, time)}>
      <span className="facts">
        <span className="sign slot" aria-hidden="true" />
        <time>{shownTime(time)}</time>
        <span className="text">{words.freeSlot}</span>
      </span>
      <span className="unseen">{words.writeAt(longDay(day), shownTime(time))}</span>
    </button>
  )
}
