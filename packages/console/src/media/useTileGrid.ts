import { type KeyboardEvent, useRef, useState } from "react"
import { nextInGrid } from "./nextInGrid.ts"

/** A grid of tiles with one tab stop, in which the arrow keys move the focus. */
export const useTileGrid = (ids: ReadonlyArray<string>) => {
  const tiles = useRef(new Map<string, HTMLElement>())
  const [current, setCurrent] = useState<string | null>(null)
  const tabStop = current !== null && ids.includes(current) ? current : ids[0]
  return {
    tabStop,
    setTabStop: setCurrent,
    focus: (id: string) => tiles.current.get(id)?.focus(),
    scrollTo: (id: string) => tiles.current.get(id)?.scrollIntoView({ block: "nearest" }),
    /** For the button of a tile. */
    tileProps: (id: string) => ({
      tabIndex: id === tabStop ? 0 : -1,
      ref: (element: HTMLElement | null) => {
        if (element === null) tiles.current.delete(id)
        else tiles.current.set(id, element)
      },
      onFocus: () => setCurrent(id),
      onKeyDown: (event: KeyboardEvent) => {
        const shown = ids.flatMap((one) => tiles.current.get(one) ?? [])
        const to = nextInGrid(
          shown.map((tile) => tile.getBoundingClientRect()),
          shown.indexOf(event.currentTarget as HTMLElement),
          event.key
        )
        if (to === null) return
        event.preventDefault()
        shown[to]!.focus()
      }
    })
  }
}

export type TileProps = ReturnType<ReturnType<typeof useTileGrid>["tileProps"]>
