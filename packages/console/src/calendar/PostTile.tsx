import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine"
import { draggable } from "@atlaskit/pragmatic-drag-and-drop/element/adapter"
import { type ComponentProps, useCallback, useState } from "react"
import { isMovable } from "../post/PostState.ts"
import { postKey, useCalendarContext } from "./CalendarContext.ts"
import { Tile } from "../post/Tile.tsx"

type Props = Pick<ComponentProps<typeof Tile>, "day" | "form" | "row" | "style">

/** A tile that can be focused, opened and dragged. */
export const PostTile = ({ day, row, ...rest }: Props) => {
  const { accounts, carried, current, focusMap, open, zone } = useCalendarContext()
  const [isDragged, setDragged] = useState(false)
  const movable = isMovable(row)

  const ref = useCallback(
    (element: HTMLDivElement) => {
      const forget = focusMap.register(postKey(row.id, day), element)
      if (!movable) return forget
      return combine(
        forget,
        draggable({
          element,
          getInitialData: ({ input }) => ({
            row,
            day,
            grabbed: input.clientY - element.getBoundingClientRect().top
          }),
          onDragStart: () => setDragged(true),
          onDrop: () => setDragged(false)
        })
      )
    },
    [day, focusMap, movable, row]
  )

  return (
    <Tile
      {...rest}
      ref={ref}
      accounts={accounts}
      zone={zone}
      day={day}
      row={row}
      role="button"
      aria-haspopup="dialog"
      tabIndex={current === row.id ? 0 : -1}
      data-lifted={isDragged || carried?.row.id === row.id || undefined}
      onClick={(event) => open(row, day, event.currentTarget)}
      onKeyDown={(event) => {
        if (carried !== null || (event.key !== "Enter" && event.key !== " ")) return
        event.preventDefault()
        open(row, day, event.currentTarget)
      }}
    />
  )
}
