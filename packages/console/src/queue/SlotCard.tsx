import { combine } from "@atlaskit/pragmatic-drag-and-drop/combine"
import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter"
import { useCallback, useState } from "react"
import { Button } from "react-aria-components/Button"
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { isMovable } from "../post/PostState.ts"
import { Tile } from "../post/Tile.tsx"
import { ownClock, weekdayName } from "../time/zone.ts"
import { Icon } from "../ui/Icon.tsx"
import { changeQueue } from "./changeQueue.ts"
import { words } from "./en.ts"
import { whenOf } from "./moveInQueue.ts"
import { placeKey, useQueueContext } from "./QueueContext.ts"
import { nameOf } from "./TimeDialog.tsx"
import { isOpenPlace, type SlotOfDay } from "./weekOfSlots.ts"
import { daysOf, none, withTime } from "./WeeklyTime.ts"
import { WriteLink } from "./WriteLink.tsx"

const card = "group relative flex rounded-tile outline-offset-1 outline-brand"
const slot = "flex min-h-8 flex-1 items-center gap-2 px-2 text-xs text-soft max-md:min-h-touch"
const free = "rounded-tile border border-dashed border-edge no-underline hover:border-brand hover:bg-tint"
/** Over the slot, where a pointer or the focus is; beside it on a phone. */
const menu = [
  "grid size-6 flex-none cursor-pointer place-items-center rounded-tile border-0 bg-raised text-soft hover:text-ink",
  "max-md:size-touch max-md:bg-transparent md:absolute md:end-1 md:top-1",
  "pointer-fine:opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 aria-expanded:opacity-100"
].join(" ")

const isSame = (one: SlotOfDay, other: SlotOfDay) => one.at.getTime() === other.at.getTime()

const removeSlot = ({ row, slot, state }: SlotOfDay) =>
  void changeQueue(
    (queue) => ({ ...queue, slots: withTime(queue.slots, { time: slot.time, days: [slot.day] }, none) }),
    (row !== null && state === "taken" ? words.removedWithPost : words.removed)(nameOf(slot.day), slot.time)
  )

const TimeMenu = ({ place }: { readonly place: SlotOfDay }) => {
  const { open, slots } = useQueueContext()
  const { row, slot, state } = place
  return (
    <MenuTrigger>
      <Button className={menu} aria-label={words.menu(whenOf(place))}>
        <Icon name="more" />
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" aria-label={words.menu(whenOf(place))}>
          {row !== null && state === "taken" && isMovable(row) && (
            <MenuItem className="entry" onAction={() => open({ dialog: "move", place })}>
              <Icon name="calendar" />
              {words.move}
            </MenuItem>
          )}
          <MenuItem
            className="entry"
            onAction={() =>
              open({ dialog: "time", before: { time: slot.time, days: daysOf(slots, slot.time) } })
            }
          >
            <Icon name="clock" />
            {words.change}
          </MenuItem>
          <MenuItem className="entry danger" onAction={() => removeSlot(place)}>
            <Icon name="trash" />
            {words.remove(weekdayName(place.day), slot.time)}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

const Post = ({ place, lifted }: { readonly place: SlotOfDay; readonly lifted: boolean }) => {
  const { accounts, drag, focusMap, open, zone } = useQueueContext()
  const [isDragged, setDragged] = useState(false)
  const row = place.row!
  const movable = place.state === "taken" && isMovable(row)

  const ref = useCallback(
    (element: HTMLDivElement) => {
      const forget = focusMap.register(placeKey(row.id, place), element)
      if (!movable) return forget
      return combine(
        forget,
        draggable({
          element,
          getInitialData: () => ({ place }),
          onDragStart: () => setDragged(true),
          onDrop: () => setDragged(false)
        })
      )
    },
    [focusMap, movable, place, row.id]
  )

  return (
    <Tile
      ref={ref}
      accounts={accounts}
      zone={zone}
      row={row}
      day={place.day}
      form="high"
      role="button"
      tabIndex={0}
      aria-haspopup="dialog"
      data-lifted={isDragged || lifted || undefined}
      onClick={(event) => open({ dialog: "card", place, element: event.currentTarget })}
      onKeyDown={(event) => {
        // Tab would leave the post that is carried.
        if (drag.carried !== null) event.preventDefault()
        if (drag.onKeyDown(event, movable ? { row, from: place } : null)) return
        if (event.key !== "Enter" && event.key !== " ") return
        event.preventDefault()
        open({ dialog: "card", place, element: event.currentTarget })
      }}
    />
  )
}

export const SlotCard = ({ place }: { readonly place: SlotOfDay }) => {
  const {
    drag: { carried },
    move,
    zone
  } = useQueueContext()
  const [isOver, setOver] = useState(false)
  const at = place.at.toISOString()
  const isOpen = isOpenPlace(place)

  const ref = useCallback(
    (element: HTMLLIElement) => {
      if (!isOpen) return () => {}
      return dropTargetForElements({
        element,
        canDrop: ({ source }) => "place" in source.data && !isSame(source.data["place"] as SlotOfDay, place),
        onDragEnter: () => setOver(true),
        onDragLeave: () => setOver(false),
        onDrop: ({ source }) => {
          setOver(false)
          move(source.data["place"] as SlotOfDay, place)
        }
      })
    },
    [isOpen, move, place]
  )

  const clock = (
    <time dateTime={at} title={ownClock(at, zone)}>
      {place.time}
    </time>
  )
  return (
    <li
      ref={ref}
      className={`${card} data-over:outline-2`}
      data-slot={`${place.day}T${place.time}`}
      data-over={
        isOver || (carried !== null && !isSame(carried.from, place) && isSame(carried.to, place)) || undefined
      }
    >
      {place.row !== null ? (
        <div className="min-w-0 flex-1">
          <Post place={place} lifted={carried !== null && isSame(carried.from, place)} />
        </div>
      ) : place.state === "free" ? (
        <WriteLink at={place.at} className={`${slot} ${free}`} name={words.writeAt(whenOf(place))}>
          {clock}
          <span aria-hidden="true">{words.free}</span>
        </WriteLink>
      ) : (
        <span className={slot}>
          {clock}
          {words[place.state]}
        </span>
      )}
      <TimeMenu place={place} />
    </li>
  )
}
