import { type RefObject, useEffect, useState } from "react"
import type { Cause } from "./causesOf.ts"

type Elements = Map<string, HTMLElement>

/** A callback ref for each key that keeps its element while it is mounted. */
const register = (elements: Elements) => (key: string) => (element: HTMLElement | null) => {
  if (element !== null) elements.set(key, element)
  return () => {
    elements.delete(key)
  }
}

/** Callback refs for a row and for its actions, by the key of the cause. */
export interface CauseElements {
  readonly row: ReturnType<typeof register>
  readonly actions: ReturnType<typeof register>
}

const has = (causes: ReadonlyArray<Cause>, wanted: string | null) => causes.some(({ key }) => key === wanted)

/**
 * Moves through the causes with J, K and Enter from anywhere in `room`. When the focused cause is solved, the focus moves to the
 * next one, or to `heading` after the last. `solved` holds that next cause; it is null until one has been solved.
 */
export const useCauseFocus = (
  causes: ReadonlyArray<Cause>,
  room: RefObject<HTMLElement | null>,
  heading: RefObject<HTMLElement | null>
) => {
  const [rows] = useState((): Elements => new Map())
  const [actions] = useState((): Elements => new Map())
  const [elements] = useState((): CauseElements => ({ row: register(rows), actions: register(actions) }))
  const [known, setKnown] = useState(causes)
  const [current, setCurrent] = useState<string | null>(null)
  const [solved, setSolved] = useState<{ readonly next: Cause | null } | null>(null)

  if (known !== causes) {
    setKnown(causes)
    const at = known.findIndex(({ key }) => key === current)
    if (at >= 0 && !has(causes, current)) {
      const next =
        [...known.slice(at + 1), ...known.slice(0, at).toReversed()].find(({ key }) => has(causes, key)) ??
        null
      setCurrent(next?.key ?? null)
      setSolved({ next })
    }
  }

  useEffect(() => {
    if (solved === null) return
    const { activeElement: at } = document
    const isElsewhere =
      at !== null &&
      at !== document.body &&
      at.closest(".dialog") === null &&
      ![...rows.values()].some((row) => row.contains(at))
    if (isElsewhere) return
    const first = solved.next && actions.get(solved.next.key)?.firstElementChild
    const target = first instanceof HTMLElement ? first : heading.current
    target?.focus()
  }, [solved, rows, actions, heading])

  useEffect(() => {
    const ordered = causes.map(({ key }) => key)
    const keyAt = (node: Node | null) => ordered.find((key) => rows.get(key)?.contains(node))
    const onFocus = ({ target }: FocusEvent) => {
      const key = keyAt(target as Node)
      if (key !== undefined) setCurrent(key)
    }
    const onKey = (event: KeyboardEvent) => {
      const { activeElement: at } = document
      // A letter belongs to the field, menu or dialog that has the focus.
      const isOurs = at === document.body || at?.id === "room" || room.current?.contains(at) === true
      if (!isOurs || event.ctrlKey || event.metaKey || event.altKey) return
      const key = keyAt(at)
      const step = { j: 1, k: -1 }[event.key.toLowerCase()]
      if (step !== undefined) {
        const last = ordered.length - 1
        const from = key === undefined ? (step > 0 ? -1 : last + 1) : ordered.indexOf(key)
        rows.get(ordered[Math.min(Math.max(from + step, 0), last)] ?? "")?.focus()
        event.preventDefault()
      } else if (event.key === "Enter" && key !== undefined && rows.get(key) === at) {
        const first = actions.get(key)?.firstElementChild
        if (first instanceof HTMLElement) first.click()
        event.preventDefault()
      }
    }
    document.addEventListener("focusin", onFocus)
    document.addEventListener("keydown", onKey)
    return () => {
      document.removeEventListener("focusin", onFocus)
      document.removeEventListener("keydown", onKey)
    }
  }, [causes, room, rows, actions])

  return { elements, solved }
}
