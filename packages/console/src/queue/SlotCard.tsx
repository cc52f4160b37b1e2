import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter"
import { useEffect, useRef, useState } from "react"
import { Button } from "react-aria-components/Button"
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { words as calendarWords } from "../post/en.ts"
import { isMovable, stateOf } from "../post/PostState.ts"
import { Marks, StateSign } from "../post/Tile.tsx"
import { ownClock, weekdayName } from "../time/zone.ts"
import { Icon } from "../ui/Icon.tsx"
import { words } from "./en.ts"
import { useQueueRoom } from "./QueueRoom.ts"
import { textOf, whenOf } from "./moveInQueue.ts"
import type { SlotOfDay } from "./weekOfSlots.ts"
import { WriteLink } from "./WriteLink.tsx"

/** Whether a post can be put here. */
export const isOpenPlace = ({ row, state }: SlotOfDay) =>
  state === "free" || (state === "taken" && row !== null && isMovable(row))

const isSame = (one: SlotOfDay | undefined, other: SlotOfDay) => one?.at.getTime() === other.at.getTime()

const TimeMenu = ({ place }: { readonly place: SlotOfDay }) => {
  const { askChange, askMove, remove } = useQueueRoom()
  const { row, slot, state } = place
  return (
    <MenuTrigger>
      <Button className="time-menu" aria-label={words.menu(whenOf(place))}>
        <Icon name="more" />
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" aria-label={words.menu(whenOf(place))}>
          {row !== null && state === "taken" && isMovable(row) && (
            <MenuItem className="entry" onAction={() => askMove(place)}>
              <Icon name="calendar" />
              {words.move}
            </MenuItem>
          )}
          <MenuItem className="entry" onAction={() => askChange(place)}>
            <Icon name="clock" />
            {words.change}
          </MenuItem>
          <MenuItem className="entry danger" onAction={() => remove(place)}>
            <Icon name="trash" />
            {words.remove(weekdayName(place.day), slot.time)}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}

const Post = ({ place, lifted }: { readonly place: SlotOfDay; readonly lifted: boolean }) => {
  const { open, zone } = useQueueRoom()
  const element = useRef<HTMLDivElement>(null)
  const row = place.row!
  const state = stateOf(row)
  const [dragged, setDragged] = useState(false)
  const movable = place.state === "taken" && isMovable(row)

  useEffect(() => {
    if (!movable) return
    return draggable({
      element: element.current!,
      getInitialData: () => ({ place }),
      onDragStart: () => setDragged(true),
      onDrop: () => setDragged(false)
    })
  }, [place, movable])

  return (
    <div
      ref={element}
      role="button"
      tabIndex={0}
      aria-haspopup="dialog"
      className={`post ${state}`}
      data-post={row.id}
      data-lifted={dragged || lifted || undefined}
      onClick={() => open(place, element.current!)}
      onKeyDown={(event) => {
        if (lifted || (event.key !== "Enter" && event.key !== " ")) return
        event.preventDefault()
        open(place, element.current!)
      }}
    >
      <span className="facts">
        <StateSign state={state} />
        <time dateTime={row.at} title={ownClock(row.at, zone)}>
          {row.local}
        </time>
        <Marks row={row} />
      </span>
      <span className="text">{textOf(row)}</span>
      {row.thumbnail_url !== undefined && (
        <img src={row.thumbnail_url} alt="" loading="lazy" draggable={false} />
      )}
      <span className="unseen">{calendarWords.states[state]}</span>
    </div>
  )
}

export const SlotCard = ({ place }: { readonly place: SlotOfDay }) => {
  const { carried, place: put, zone } = useQueueRoom()
  const element = useRef<HTMLLIElement>(null)
  const [over, setOver] = useState(false)
  const at = place.at.toISOString()
  const open = isOpenPlace(place)

  useEffect(() => {
    if (!open) return
    return dropTargetForElements({
      element: element.current!,
      canDrop: ({ source }) => "place" in source.data && !isSame(place, source.data["place"] as SlotOfDay),
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: ({ source }) => {
        setOver(false)
        put(source.data["place"] as SlotOfDay, place)
      }
    })
  }, [place, put, open])

  const clock = (
    <time dateTime={at} title={ownClock(at, zone)}>
      {place.time}
    </time>
  )
  return (
    <li
      ref={element}
      className="slot-card"
      data-slot={`${place.day}T${place.time}`}
      data-over={
        over || (carried !== null && !isSame(carried.from, place) && isSame(carried.to, place)) || undefined
      }
    >
      {place.row !== null ? (
        <Post place={place} lifted={carried !== null && isSame(carried.from, place)} />
      ) : place.state === "free" ? (
        <WriteLink at={place.at} className="free" name={words.writeAt(whenOf(place))}>
          <span className="sign slot" aria-hidden="true" />
          {clock}
          <span className="word" aria-hidden="true">
            {words.free}
          </span>
          <span className="write" aria-hidden="true">
            {words.write}
          </span>
        </WriteLink>
      ) : (
        <span className="gone">
          {clock}
          <span className="word">{words[place.state]}</span>
        </span>
      )}
      <TimeMenu place={place} />
    </li>
  )
}
