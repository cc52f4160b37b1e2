import type { CalendarDay, CalendarPost } from "@carillon/sdk"
import { type FocusEvent, useEffect, useEffectEvent, useState } from "react"
import type { Period } from "../data/calendar.ts"
import { singleKeys } from "../data/preferences.ts"
import { makeFocusMap } from "../post/makeFocusMap.ts"
import { laterBy, type Place } from "../post/Place.ts"
import { isMovable } from "../post/PostState.ts"
import { useKeyboardDrag } from "../post/useKeyboardDrag.ts"
import { addDays, type Day } from "../time/days.ts"
import { shortDay, shownTime } from "../time/zone.ts"
import { isField } from "../ui/isField.ts"
import { postKey } from "./CalendarContext.ts"
import { stepOf } from "./periodOf.ts"
import type { View } from "./calendarSearch.ts"

const shifts: Readonly<Record<string, readonly [columns: number, rows: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1]
}

/** What a person can do in the calendar. The console and the page for hosts do it by different means. */
export interface CalendarActs {
  /** `from` is null for a draft without a day. */
  move(row: CalendarPost, from: Place | null, to: Place): void
  remove(row: CalendarPost): void
  /** Takes the last move back. */
  undoLast(): void
  /** Starts a post for a day or a time. */
  write(day?: Day, time?: string): void
  edit(post: string): void
  duplicate(post: string): void
}

interface Options {
  readonly acts: CalendarActs
  readonly date: Day
  readonly days: ReadonlyArray<CalendarDay>
  readonly go: (change: { readonly view?: View; readonly date?: Day }) => void
  readonly period: Period
  readonly today: Day
  readonly view: View
  readonly views: ReadonlyArray<View>
}

/** Where the focus was last: on a day, or on what stands there. */
interface Focused {
  readonly id: string
  readonly day: Day
  readonly view: View
}

/** The keys of the calendar: arrows from day to day and post to post, carrying, and a letter for each act. */
export const useCalendarKeys = ({ acts, date, days, go, period, today, view, views }: Options) => {
  const [focusMap] = useState(makeFocusMap)
  const [focused, setFocused] = useState<Focused | null>(null)
  /** Days one below the other are a week apart; where hours are, there is none below. */
  const isTimed = ["week", "day", "days"].includes(view)
  const weekAway = isTimed ? 0 : 7
  const stops = new Set(days.flatMap((day) => [day.date, ...day.posts.map(({ id }) => id)]))

  const { announcement, carried, ...drag } = useKeyboardDrag<Place>({
    step: (from, key) => {
      const [columns, rows] = shifts[key]!
      const to =
        isTimed && rows !== 0
          ? laterBy(from, rows * 15)
          : { ...from, day: addDays(from.day, columns + rows * weekAway) }
      if (to.day < today) return undefined
      if (to.day < period.first || to.day >= addDays(period.first, period.days)) go({ date: to.day })
      return to
    },
    describe: ({ day, time }) => `${shortDay(day)}, ${shownTime(time)}`,
    onDrop: ({ from, row, to }) => {
      if (to.day !== from.day || to.time !== from.time) acts.move(row, from, to)
    },
    focus: ({ id }, { day }) => focusMap.focus(postKey(id, day), day)
  })

  /** Moves the focus from a day or what stands there. */
  const walk = (here: Day, from: HTMLElement, key: string) => {
    const [columns, rows] = shifts[key]!
    /** Several posts may share an element, which leads to them. */
    const shownIn = (day: Day) => {
      const posts = days.find((one) => one.date === day)?.posts ?? []
      return [...new Set(posts.flatMap(({ id }) => focusMap.at(postKey(id, day)) ?? []))]
    }
    const shown = shownIn(here)
    const index = shown.indexOf(from)
    if (rows !== 0) {
      const within = shown[index + rows]
      if (within !== undefined) return within.focus()
      if (index + rows === -1) return focusMap.focus(here)
    }
    const day = addDays(here, columns + rows * weekAway)
    if (day === here) return
    const target = shownIn(day)
    const next = (rows < 0 ? undefined : target[Math.max(index, 0)]) ?? target.at(-1)
    if (next === undefined) focusMap.focus(day)
    else next.focus()
    if (!stops.has(day)) go({ date: day })
  }

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const at = (event.target as Element).closest<HTMLElement>("[data-day]")
    const day = at?.dataset["day"]
    const row = days.flatMap(({ posts }) => posts).find(({ id }) => id === at?.dataset["post"])
    const isCarriable = day !== undefined && row !== undefined && isMovable(row) && view !== "agenda"
    if (drag.onKeyDown(event, isCarriable ? { row, from: { day, time: row.local } } : null)) return
    if (isField(event.target) || event.altKey) return
    const key = event.key.toLowerCase()
    if (event.metaKey || event.ctrlKey) {
      if (key !== "z" || event.shiftKey) return
      event.preventDefault()
      return acts.undoLast()
    }
    if (at !== null && day !== undefined && event.key in shifts && view !== "agenda") {
      event.preventDefault()
      return walk(day, at, event.key)
    }
    if (event.key === "ArrowLeft") return go({ date: stepOf(view, date, period, -1) })
    if (event.key === "ArrowRight") return go({ date: stepOf(view, date, period, 1) })
    if (!singleKeys()) return
    if (row !== undefined && key === "e") return acts.edit(row.id)
    if (row !== undefined && key === "d") return acts.duplicate(row.id)
    if (key === "n") {
      event.preventDefault()
      return acts.write(day !== undefined && day >= today ? day : undefined)
    }
    if (key === "t") return go({ date: today })
    const chosen = views[Number(key) - 1]
    if (chosen !== undefined) go({ view: chosen })
  })

  // On the document: the keys also work while nothing in the calendar has the focus.
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector(".veil, .popover") !== null) return
      onKeyDown(event)
    }
    document.addEventListener("keydown", listen)
    return () => document.removeEventListener("keydown", listen)
  }, [])

  return {
    announcement,
    carried,
    /** The one tab stop: the last focus, else today or the chosen date. Another view may not draw the post that had it. */
    current:
      [focused?.view === view ? focused.id : focused?.day, today, date].find(
        (one) => one !== undefined && stops.has(one)
      ) ?? null,
    focusMap,
    onFocus: ({ target: { dataset } }: FocusEvent<HTMLElement>) => {
      const { cell, day, post, rest } = dataset
      if (day === undefined) return
      const id = post ?? rest ?? (cell === undefined ? undefined : day)
      if (id !== undefined) setFocused({ id, day, view })
    }
  }
}
