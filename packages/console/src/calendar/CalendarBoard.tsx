import type { Calendar as CalendarPage, CalendarDay, CalendarPost } from "@carillon/sdk"
import {
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState
} from "react"
import type { Accounts } from "../data/accounts.ts"
import { singleKeys } from "../data/preferences.ts"
import { addDays, type Day, daysFrom } from "../time/days.ts"
import { placeOf, shortDay, shownTime } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { isField } from "../ui/isField.ts"
import { Segments } from "../ui/Segments.tsx"
import { Agenda } from "./Agenda.tsx"
import { type CalendarRoom, type Carried, RoomContext } from "../post/CalendarRoom.ts"
import { words } from "../post/en.ts"
import { MonthGrid } from "./MonthGrid.tsx"
import type { TimeField } from "./MoveDialog.tsx"
import { laterBy, type Place } from "../post/moves.ts"
import { type Period, stepOf, titleOf } from "./periods.ts"
import { isMovable } from "../post/PostState.ts"
import type { View } from "./search.ts"
import { WeekGrid } from "./WeekGrid.tsx"
import "../styles/board.css"

/** What opens comes after the posts, and is there when the connection is not. */
const popover = () => import("../post/PostPopover.tsx")
const moving = () => import("./MoveDialog.tsx")
const removing = () => import("../post/RemoveDialog.tsx")
const PostPopover = lazy(async () => ({ default: (await popover()).PostPopover }))
const MoveDialog = lazy(async () => ({ default: (await moving()).MoveDialog }))
const RemoveDialog = lazy(async () => ({ default: (await removing()).RemoveDialog }))

interface Opened {
  readonly row: CalendarPost
  readonly day: Day | null
  readonly element: HTMLElement
}

/** What the card of a post can ask for. */
export interface CardAsks {
  readonly onMove: () => void
  readonly onRemove: () => void
  readonly onClose: () => void
}

interface CalendarActs {
  /** `from` is null for a draft without a day. */
  move(row: CalendarPost, from: Place | null, to: Place): void
  remove(row: CalendarPost): void
  /** Takes the last move back. */
  undoLast(): void
  /** Begins a post for a day, or for a time of it. */
  write(day?: Day, time?: string): void
  edit(post: string): void
  duplicate(post: string): void
}

interface Props {
  readonly zone: string
  /** The clock on its wall. */
  readonly clock: Place
  readonly accounts: Accounts
  /** Those that there are room for. */
  readonly views: ReadonlyArray<View>
  readonly view: View
  readonly date: Day
  readonly period: Period
  /** The days of the period; undefined until they are read. */
  readonly page: CalendarPage | undefined
  /** Whether the page has all that is on its days, so that the days without a post can be told. */
  readonly isWhole?: boolean
  /** What a time is chosen with; the browser's own field if left out. */
  readonly timeField?: TimeField
  readonly isPending: boolean
  readonly go: (change: { readonly view?: View; readonly date?: Day }) => void
  readonly acts: CalendarActs
  readonly filters: (days: ReadonlyArray<CalendarDay>) => ReactNode
  /** Stands above the days. */
  readonly above?: ReactNode
  /** Stands in the place of the days. */
  readonly instead: ReactNode
  /** What stands below the text of the post that is open. */
  readonly card: (row: CalendarPost, asks: CardAsks) => ReactNode
}

const empty = (first: Day, count: number): ReadonlyArray<CalendarDay> =>
  daysFrom(first, count).map((date) => ({
    date,
    total: 0,
    total_relation: "exact",
    by_status: { scheduled: 0, published: 0, failed: 0, draft: 0 },
    free_slots: [],
    posts: []
  }))

const shifts: Readonly<Record<string, readonly [days: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1]
}

/** The days of a period with their posts, by pointer and by keyboard. It reads and stores nothing itself. */
export const CalendarBoard = (props: Props) => {
  const {
    above,
    accounts,
    acts,
    card,
    clock,
    date,
    filters,
    go,
    instead,
    isPending,
    isWhole = false,
    page,
    period,
    timeField,
    view,
    views,
    zone
  } = props
  const { day: today, time: now } = clock
  const { duplicate, edit, move, remove, undoLast, write } = acts
  const isShown = page !== undefined
  useEffect(() => void (isShown && Promise.all([popover(), moving(), removing()])), [isShown])

  const room = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<string | null>(null)
  const [carried, setCarried] = useState<Carried | null>(null)
  const [opened, setOpened] = useState<Opened | null>(null)
  const [asked, setAsked] = useState<{ readonly dialog: "move" | "remove"; readonly of: Opened } | null>(null)
  const [said, setSaid] = useState("")

  const days = page?.days ?? empty(period.first, period.days)
  const stops = new Set(days.flatMap((day) => [day.date, ...day.posts.map(({ id }) => id)]))
  const stop =
    current !== null && stops.has(current) ? current : stops.has(today) ? today : (days[0]?.date ?? null)

  const shared = useMemo(
    (): CalendarRoom => ({
      zone,
      today,
      now,
      accounts,
      carried,
      current: stop,
      drop: move,
      open: (row, day, element) => setOpened({ row, day, element }),
      showDay: (day) => go({ view: "agenda", date: day }),
      write
    }),
    [zone, today, now, accounts, carried, stop, move, go, write]
  )

  const elementOf = (id: string) =>
    room.current?.querySelector<HTMLElement>(
      `[data-post="${CSS.escape(id)}"], [data-cell][data-day="${CSS.escape(id)}"]`
    )
  const focus = (id: string) => {
    setCurrent(id)
    elementOf(id)?.focus()
  }

  // After the keys led to another page, or a post to another day, the focus follows when it is there.
  const wanted = useRef<{ readonly id: string; readonly day: Day } | null>(null)
  useEffect(() => {
    if (wanted.current === null || page === undefined) return
    const { day, id } = wanted.current
    if (elementOf(id)?.dataset["day"] !== day) return
    focus(id)
    wanted.current = null
  })

  const carry = (event: KeyboardEvent, { from, row, to }: Carried) => {
    if (event.key === "Escape") {
      setCarried(null)
      setSaid(words.carry.left)
      wanted.current = { id: row.id, day: from.day }
    } else if (event.key === "Enter") {
      setCarried(null)
      wanted.current = { id: row.id, day: to.day }
      if (to.day !== from.day || to.time !== from.time) move(row, from, to)
    } else {
      const shift = shifts[event.key]
      if (shift === undefined) return
      const [columns, rows] = shift
      const next =
        view === "week" && rows !== 0
          ? laterBy(to, rows * 15)
          : { ...to, day: addDays(to.day, columns + rows * (view === "month" ? 7 : 1)) }
      if (next.day < today) return event.preventDefault()
      setCarried({ row, from, to: next })
      setSaid(words.carry.over(shortDay(next.day), shownTime(next.time)))
      if (next.day < period.first || next.day >= addDays(period.first, period.days)) go({ date: next.day })
    }
    event.preventDefault()
    event.stopPropagation()
  }

  const walk = (event: KeyboardEvent, at: HTMLElement, shift: readonly [number, number]) => {
    const here = at.dataset["day"]!
    const inDay = (day: Day) => days.find((one) => one.date === day)?.posts.map(({ id }) => id) ?? []
    const shownIn = (day: Day) =>
      inDay(day).filter((id) => room.current?.querySelector(`[data-post="${CSS.escape(id)}"]`) != null)
    const index = at.dataset["post"] === undefined ? -1 : shownIn(here).indexOf(at.dataset["post"])
    const [columns, rows] = shift
    event.preventDefault()
    const within = index + rows
    if (rows !== 0 && within >= 0 && within < shownIn(here).length) return focus(shownIn(here)[within]!)
    if (rows !== 0 && within === -1 && index === 0) return focus(here)
    const day = addDays(here, columns + rows * (view === "month" ? 7 : 0))
    if (day === here) return
    const target =
      shownIn(day)[rows < 0 ? shownIn(day).length - 1 : Math.max(index, 0)] ?? shownIn(day).at(-1) ?? day
    if (stops.has(day)) return focus(target)
    wanted.current = { id: day, day }
    go({ date: day })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (carried !== null) return carry(event, carried)
    if (isField(event.target) || event.altKey) return
    if ((event.metaKey || event.ctrlKey) && event.key === "z") {
      event.preventDefault()
      return undoLast()
    }
    if (event.metaKey || event.ctrlKey) return
    const at = (event.target as HTMLElement).closest<HTMLElement>("[data-day]")
    const row = days.flatMap(({ posts }) => posts).find(({ id }) => id === at?.dataset["post"])
    const shift = shifts[event.key]
    if (at !== null && shift !== undefined && view !== "agenda") return walk(event, at, shift)
    const key = event.key.toLowerCase()
    const letters = singleKeys()
    if (letters && row !== undefined && key === "m" && isMovable(row) && view !== "agenda") {
      const from = { day: at!.dataset["day"]!, time: row.local }
      setCarried({ row, from, to: from })
      return setSaid(words.carry.picked(row.excerpt || words.noText))
    }
    if (letters && row !== undefined && key === "e") return edit(row.id)
    if (letters && row !== undefined && key === "d") return duplicate(row.id)
    if (letters && key === "n") {
      event.preventDefault()
      const day = at?.dataset["day"]
      return write(day !== undefined && day >= today ? day : undefined)
    }
    if (letters && key === "t") return go({ date: today })
    if (event.key === "ArrowLeft") return go({ date: stepOf(view, date, period, -1) })
    if (event.key === "ArrowRight") return go({ date: stepOf(view, date, period, 1) })
    const chosen = views[Number(key) - 1]
    if (letters && chosen !== undefined) go({ view: chosen })
  }

  // The keys work wherever the focus is in this room, also before anything of it has the focus.
  const latest = useRef(onKeyDown)
  latest.current = onKeyDown
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector(".veil, .popover") !== null) return
      latest.current(event as unknown as KeyboardEvent)
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [])

  const shown = () => {
    if (instead !== null) return instead
    if (view === "month") return <MonthGrid days={days} month={date} />
    return view === "week" ? <WeekGrid days={days} /> : <Agenda days={days} tellsEmpty={isWhole && isShown} />
  }

  return (
    <RoomContext value={shared}>
      <div className="bar calendar-bar">
        <h1 aria-live="polite">{titleOf(view, date, period)}</h1>
        <div className="joined">
          <Button
            square
            aria-label={words.previous[view]}
            onPress={() => go({ date: stepOf(view, date, period, -1) })}
          >
            <Icon name="left" />
          </Button>
          <Button onPress={() => go({ date: today })}>{words.today}</Button>
          <Button
            square
            aria-label={words.next[view]}
            onPress={() => go({ date: stepOf(view, date, period, 1) })}
          >
            <Icon name="right" />
          </Button>
        </div>
        {views.length > 1 && (
          <Segments
            label="View"
            options={views.map((one) => ({ id: one, name: words.views[one] }))}
            chosen={view}
            onChoose={(one) => go({ view: one })}
          />
        )}
        <div className="filters">
          {filters(days)}
          <span className="zone" title={zone}>
            <Icon name="globe" /> {words.zone(placeOf(zone))}
          </span>
        </div>
      </div>
      {above}
      <div
        ref={room}
        className="calendar"
        aria-busy={isPending}
        data-carrying={carried !== null || undefined}
        onFocus={({ target }) => {
          const id =
            target.dataset["post"] ??
            (target.dataset["cell"] === undefined ? undefined : target.dataset["day"])
          if (id !== undefined) setCurrent(id)
        }}
      >
        {shown()}
      </div>
      <div role="status" className="unseen">
        {said}
      </div>
      <Suspense>
        {opened !== null && (
          <PostPopover
            row={opened.row}
            day={opened.day}
            tile={opened.element}
            onClose={() => setOpened(null)}
          >
            {card(opened.row, {
              onClose: () => setOpened(null),
              onMove: () => {
                setAsked({ dialog: "move", of: opened })
                setOpened(null)
              },
              onRemove: () => {
                setAsked({ dialog: "remove", of: opened })
                setOpened(null)
              }
            })}
          </PostPopover>
        )}
        {asked?.dialog === "move" && (
          <MoveDialog
            field={timeField}
            from={{ day: asked.of.day ?? addDays(today, 1), time: asked.of.row.local }}
            now={{ day: today, time: now }}
            zone={zone}
            onClose={() => setAsked(null)}
            onMove={(to) => {
              setAsked(null)
              wanted.current = { id: asked.of.row.id, day: to.day }
              const { day, row } = asked.of
              move(row, day === null ? null : { day, time: row.local }, to)
            }}
          />
        )}
        {asked?.dialog === "remove" && (
          <RemoveDialog
            onClose={() => setAsked(null)}
            onRemove={() => {
              setAsked(null)
              remove(asked.of.row)
            }}
          />
        )}
      </Suspense>
    </RoomContext>
  )
}
