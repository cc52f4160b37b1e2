import type { CalendarPost } from "@carillon/sdk"
import { useState } from "react"
import { singleKeys } from "../data/preferences.ts"
import { words } from "./en.ts"
import { textOf } from "./textOf.ts"

/** A post that the keyboard carries. */
export interface KeyboardDrag<Place> {
  readonly row: CalendarPost
  readonly from: Place
  readonly to: Place
}

interface Options<Place> {
  /** The place that an arrow key leads to; undefined: there is none. */
  readonly step: (from: Place, key: string) => Place | undefined
  /** What is spoken over a place. */
  readonly describe: (place: Place) => string
  readonly onDrop: (carried: KeyboardDrag<Place>) => void
  /** Focuses the post at a place, now or when it is there. */
  readonly focus: (row: CalendarPost, place: Place) => void
}

/** What a listener of React and one of the document both get. */
type KeyEvent = Pick<
  KeyboardEvent,
  "altKey" | "ctrlKey" | "key" | "metaKey" | "preventDefault" | "stopPropagation"
>

/** Carries a post by keyboard: M picks it up, arrows move it, Enter drops it, Escape leaves it where it was. */
export const useKeyboardDrag = <Place>({ describe, focus, onDrop, step }: Options<Place>) => {
  const [carried, setCarried] = useState<KeyboardDrag<Place> | null>(null)
  const [announcement, setAnnouncement] = useState("")

  const pickUp = (row: CalendarPost, from: Place) => {
    setCarried({ row, from, to: from })
    setAnnouncement(words.carry.picked(textOf(row)))
  }

  const press = (held: KeyboardDrag<Place>, key: string) => {
    if (key === "Escape" || key === "Enter") {
      setCarried(null)
      setAnnouncement(key === "Escape" ? words.carry.left : "")
      focus(held.row, key === "Escape" ? held.from : held.to)
      if (key === "Enter") onDrop(held)
      return true
    }
    if (!key.startsWith("Arrow")) return false
    const to = step(held.to, key)
    if (to !== undefined) {
      setCarried({ ...held, to })
      setAnnouncement(describe(to))
    }
    return true
  }

  return {
    carried,
    /** For a `role="status"`. */
    announcement,
    /** Tells whether the key was for carrying. `here` is the post that M would pick up. */
    onKeyDown: (event: KeyEvent, here: Omit<KeyboardDrag<Place>, "to"> | null) => {
      if (carried !== null) {
        if (press(carried, event.key)) {
          event.preventDefault()
          event.stopPropagation()
        }
        return true
      }
      if (here === null || event.key.toLowerCase() !== "m" || !singleKeys()) return false
      if (event.altKey || event.ctrlKey || event.metaKey) return false
      pickUp(here.row, here.from)
      return true
    }
  }
}
