import { useNavigate, useSearch } from "@tanstack/react-router"
import { type KeyboardEvent, lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react"
import { workspace } from "../api.ts"
import { firstWeekday, singleKeys } from "../preferences.ts"
import { addDays, addMonths, type Day, daysFrom, monthOf, weekOf, weeksOfMonth } from "../time/days.ts"
import { useMinute } from "../time/useMinute.ts"
import { monthName, placeOf, shortDay, spanOfDays, wallClock } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Choice } from "../ui/Choice.tsx"
import { isField } from "../ui/isField.ts"
import { Icon } from "../ui/Icon.tsx"
import { EmptyState, ErrorState } from "../ui/RoomState.tsx"
import { Segments } from "../ui/Segments.tsx"
import { Agenda } from "./Agenda.tsx"
import { type CalendarRoom, type Carried, RoomContext } from "./CalendarRoom.ts"
import { words } from "./en.ts"
import { MonthGrid } from "./MonthGrid.tsx"
import { laterBy, type Place } from "./moves.ts"
import type { CalendarDay, CalendarPost } from "@carillon/sdk"
import { isMovable } from "./PostState.ts"
import type { CalendarSearch, Status, View } from "./search.ts"
import { views } from "./search.ts"
import { useAccounts } from "../accounts/useAccounts.ts"
import { useCalendar } from "./useCalendar.ts"
import { useMoves } from "./useMoves.ts"
import { WeekGrid } from "./WeekGrid.tsx"
import "../styles/calendar.css"

/** What opens comes after the posts, and is there when the connection is not. */
const popover = () => import("./PostPopover.tsx")
const moving = () => import("./MoveDialog.tsx")
const removing = () => import("./RemoveDialog.tsx")
const PostPopover = lazy(async () => ({ default: (await popover()).PostPopover }))
const MoveDialog = lazy(async () => ({ default: (await moving()).MoveDialog }))
const RemoveDialog = lazy(async () => ({ default: (await removing()).RemoveDialog }))

const narrow = window.matchMedia("(width < 600px)")

const periodOf = (view: View, date: Day) => {
  if (view === "month") {
    const { first, weeks } = weeksOfMonth(date, firstWeekday())
    return { first, days: weeks * 7 }
  }
  return view === "week" ? { first: weekOf(date, firstWeekday()), days: 7 } : { first: date, days: 14 }
}

const titleOf = (view: View, date: Day, period: { readonly first: Day; readonly days: number }) =>
  view === "month" ? monthName(date) : spanOfDays(period.first, addDays(period.first, period.days - 1))

const stepOf = (view: View, date: Day, direction: 1 | -1): Day =>
  view === "month"
    ? addMonths(monthOf(date), direction)
    : addDays(date, direction * (view === "week" ? 7 : 14))

type Change = { readonly [Key in keyof CalendarSearch]: CalendarSearch[Key] | undefined }

interface Opened {
  readonly row: CalendarPost
  readonly day: Day
  readonly element: HTMLElement
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

export const Calendar = () => {
  const search = useSearch({ from: "/" })
  const navigate = useNavigate({ from: "/" })
  const zone = workspace.timezone
  const { day: today, time: now } = wallClock(new Date(useMinute()), zone)
  const view: View = search.view ?? (narrow.matches ? "agenda" : "month")
  const date = search.date ?? today
  const period = periodOf(view, date)
  const { data, error, isPending, isPlaceholderData, refetch } = useCalendar(period, {
    account: search.account,
    status: search.status
  })
  const accounts = useAccounts()
  const { move, remove, undoLast } = useMoves(zone)

  const isShown = data !== undefined
  useEffect(() => void (isShown && Promise.all([popover(), moving(), removing()])), [isShown])

  const room = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState<string | null>(null)
  const [carried, setCarried] = useState<Carried | null>(null)
  const [opened, setOpened] = useState<Opened | null>(null)
  const [asked, setAsked] = useState<{ readonly dialog: "move" | "remove"; readonly of: Opened } | null>(null)
  const [said, setSaid] = useState("")

  const go = useCallback(
    (change: Change) =>
      // An undefined key is left out of the address.
      navigate({ search: (before) => ({ ...before, ...change }) as CalendarSearch, replace: true }),
    [navigate]
  )

  const write = useCallback(
    (day?: Day, time?: string) =>
      void navigate({
        to: "/compose",
        search: {
          ...(day === undefined ? {} : { at: time === undefined ? day : `${day}T${time}` }),
          ...(search.account === undefined ? {} : { accounts: String(search.account) })
        }
      }),
    [navigate, search.account]
  )

  const days = data === undefined || isPlaceholderData ? empty(period.first, period.days) : data.days
  const stops = new Set(days.flatMap((day) => [day.date, ...day.posts.map(({ id }) => id)]))
  const stop =
    current !== null && stops.has(current) ? current : stops.has(today) ? today : (days[0]?.date ?? null)

  const drop = useCallback(
    (row: CalendarPost, from: Place, to: Place) => {
      void move(row, from, to)
    },
    [move]
  )

  const shared = useMemo(
    (): CalendarRoom => ({
      zone,
      today,
      now,
      accounts,
      carried,
      current: stop,
      drop,
      open: (row, day, element) => setOpened({ row, day, element }),
      showDay: (day) => void go({ view: "agenda", date: day }),
      write
    }),
    [zone, today, now, accounts, carried, stop, drop, go, write]
  )

  const focus = (id: string) => {
    setCurrent(id)
    room.current
      ?.querySelector<HTMLElement>(
        `[data-post="${CSS.escape(id)}"], [data-cell][data-day="${CSS.escape(id)}"]`
      )
      ?.focus()
  }

  // After the keys led to another page, the focus follows.
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    if (wanted.current === null || isPlaceholderData) return
    focus(wanted.current)
    wanted.current = null
  })

  const carry = (event: KeyboardEvent, { from, row, to }: Carried) => {
    if (event.key === "Escape") {
      setCarried(null)
      setSaid(words.carry.left)
      wanted.current = row.id
    } else if (event.key === "Enter") {
      setCarried(null)
      wanted.current = row.id
      if (to.day !== from.day || to.time !== from.time) drop(row, from, to)
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
      setSaid(words.carry.over(shortDay(next.day), next.time))
      if (next.day < period.first || next.day >= addDays(period.first, period.days))
        void go({ date: next.day })
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
    wanted.current = day
    void go({ date: day })
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
    if (letters && row !== undefined && key === "e")
      return void navigate({ to: "/posts/$id", params: { id: row.id } })
    if (letters && row !== undefined && key === "d")
      return void navigate({ to: "/compose", search: { from: row.id } })
    if (letters && key === "n") {
      event.preventDefault()
      const day = at?.dataset["day"]
      return write(day !== undefined && day >= today ? day : undefined)
    }
    if (letters && key === "t") return void go({ date: today })
    if (event.key === "ArrowLeft") return void go({ date: stepOf(view, date, -1) })
    if (event.key === "ArrowRight") return void go({ date: stepOf(view, date, 1) })
    const chosen = views[Number(key) - 1]
    if (letters && chosen !== undefined) void go({ view: chosen })
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

  const counts = days.reduce(
    (sum, { by_status }) => ({
      planned: sum.planned + by_status.scheduled,
      failed: sum.failed + by_status.failed
    }),
    { planned: 0, failed: 0 }
  )
  const filtered = search.account !== undefined || search.status !== undefined
  const nothing = data !== undefined && !isPlaceholderData && days.every(({ total }) => total === 0)

  const view_ = () => {
    if (error !== null && data === undefined)
      return <ErrorState title={words.failedToLoad} error={error} onRetry={() => void refetch()} />
    if (view === "agenda" && nothing)
      return filtered ? (
        <EmptyState title={words.noMatch.title}>
          <Button onPress={() => void go({ account: undefined, status: undefined })}>
            {words.noMatch.clear}
          </Button>
        </EmptyState>
      ) : (
        <EmptyState title={words.empty.title} text={words.empty.text}>
          <Button look="main" onPress={() => write()}>
            <Icon name="plus" />
            {words.empty.write}
          </Button>
        </EmptyState>
      )
    if (view === "month") return <MonthGrid days={days} month={date} />
    return view === "week" ? <WeekGrid days={days} /> : <Agenda days={days} />
  }

  return (
    <RoomContext value={shared}>
      <div className="bar">
        <h1 aria-live="polite">{titleOf(view, date, period)}</h1>
        <div className="joined">
          <Button
            square
            aria-label={words.previous[view]}
            onPress={() => void go({ date: stepOf(view, date, -1) })}
          >
            <Icon name="left" />
          </Button>
          <Button onPress={() => void go({ date: today })}>{words.today}</Button>
          <Button
            square
            aria-label={words.next[view]}
            onPress={() => void go({ date: stepOf(view, date, 1) })}
          >
            <Icon name="right" />
          </Button>
        </div>
        <Segments
          label="View"
          options={views.map((one) => ({ id: one, name: words.views[one] }))}
          chosen={view}
          onChoose={(one) => void go({ view: one })}
        />
        <div className="filters">
          {counts.planned > 0 && (
            <button type="button" className="count planned" onClick={() => void go({ status: "scheduled" })}>
              <span className="sign planned" /> {words.counts.planned(counts.planned)}
            </button>
          )}
          {counts.failed > 0 && (
            <button type="button" className="count failed" onClick={() => void go({ status: "failed" })}>
              <Icon name="cross" /> {words.counts.failed(counts.failed)}
            </button>
          )}
          <Choice
            label="Account"
            all={words.allAccounts}
            options={[...accounts.values()].map(({ id, name }) => ({ id: String(id), name }))}
            chosen={search.account === undefined ? undefined : String(search.account)}
            onChoose={(id) => void go({ account: id === undefined ? undefined : Number(id) })}
          />
          <Choice
            label="State"
            all={words.allStates}
            options={[
              { id: "scheduled", name: words.states.planned },
              { id: "published", name: words.states.sent },
              { id: "failed", name: words.states.failed },
              { id: "draft", name: words.states.draft }
            ]}
            chosen={search.status}
            onChoose={(status) => void go({ status: status as Status | undefined })}
          />
          <span className="zone" title={zone}>
            <Icon name="globe" /> {words.zone(placeOf(zone))}
          </span>
        </div>
      </div>
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
        {view_()}
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
            onMove={() => {
              setAsked({ dialog: "move", of: opened })
              setOpened(null)
            }}
            onRemove={() => {
              setAsked({ dialog: "remove", of: opened })
              setOpened(null)
            }}
          />
        )}
        {asked?.dialog === "move" && (
          <MoveDialog
            from={{ day: asked.of.day, time: asked.of.row.local }}
            now={{ day: today, time: now }}
            zone={zone}
            onClose={() => setAsked(null)}
            onMove={(to) => {
              setAsked(null)
              wanted.current = asked.of.row.id
              drop(asked.of.row, { day: asked.of.day, time: asked.of.row.local }, to)
            }}
          />
        )}
        {asked?.dialog === "remove" && (
          <RemoveDialog
            onClose={() => setAsked(null)}
            onRemove={() => {
              setAsked(null)
              void remove(asked.of.row)
            }}
          />
        )}
      </Suspense>
    </RoomContext>
  )
}
