import type { FreeSlot, Slot } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useCallback, useState } from "react"
import { useAccounts } from "../data/accounts.ts"
import { firstWeekday } from "../data/preferences.ts"
import { makeFocusMap } from "../post/makeFocusMap.ts"
import { textOf } from "../post/textOf.ts"
import { useKeyboardDrag } from "../post/useKeyboardDrag.ts"
import { addDays, type Day, weekday } from "../time/days.ts"
import { placeOf, spanOfDays, weekdayName } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { PageName } from "../ui/PageName.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { words } from "./en.ts"
import { moveInQueue, whenOf } from "./moveInQueue.ts"
import { nextPlace } from "./nextPlace.ts"
import { type OpenDialog, placeKey, QueueContext } from "./QueueContext.ts"
import { QueueDialogs } from "./QueueDialogs.tsx"
import { SlotCard } from "./SlotCard.tsx"
import type { DayOfQueue, SlotOfDay } from "./weekOfSlots.ts"
import { type Weekday, weekdays } from "./WeeklyTime.ts"
import "../styles/board.css"
import "./Queue.css"

const DayColumn = ({
  day: { day, slots },
  onAdd,
  today
}: {
  readonly day: DayOfQueue
  readonly today: Day
  readonly onAdd: () => void
}) => (
  <section className="day" aria-labelledby={`queue-${day}`} data-today={day === today || undefined}>
    <h2 id={`queue-${day}`}>
      {weekdayName(day)}{" "}
      <strong className={day === today ? "today" : undefined}>{Number(day.slice(8))}</strong>
    </h2>
    <div className="times">
      {slots.length > 0 && (
        <ul>
          {slots.map((place) => (
            <SlotCard key={place.at.getTime()} place={place} />
          ))}
        </ul>
      )}
      <Button look="quiet" aria-label={words.addTo(weekdayName(day))} onPress={onAdd}>
        <Icon name="plus" />
        {words.time}
      </Button>
    </div>
  </section>
)

const workdays = weekdays.slice(0, 5)

interface Props {
  readonly zone: string
  readonly today: Day
  /** The first day of the week on the screen. */
  readonly first: Day
  /** The first day of the week that has the next slot. */
  readonly coming: Day
  /** Null while loading. */
  readonly days: ReadonlyArray<DayOfQueue> | null
  /** Undefined while loading. */
  readonly slots: ReadonlyArray<Slot> | undefined
  readonly free: ReadonlyArray<FreeSlot>
  /** Shown instead of the week, if not null. */
  readonly instead: ReactNode
  readonly beside: ReactNode
  readonly go: (day: Day | undefined) => void
}

/** A week of the queue, for pointer and keyboard. */
export const QueueBoard = ({ beside, coming, days, first, free, go, instead, slots, today, zone }: Props) => {
  const accounts = useAccounts()
  const [focusMap] = useState(makeFocusMap)
  const [opened, setOpened] = useState<OpenDialog | null>(null)
  const move = useCallback(
    (from: SlotOfDay, to: SlotOfDay) => {
      if (from.row !== null) void moveInQueue({ row: from.row, from, to, other: to.row, zone })
    },
    [zone]
  )
  const drag = useKeyboardDrag<SlotOfDay>({
    step: (from, key) => nextPlace(days ?? [], from, key),
    describe: (place) =>
      place.row === null
        ? words.carry.free(whenOf(place))
        : words.carry.taken(whenOf(place), textOf(place.row)),
    onDrop: ({ from, to }) => {
      if (to.at.getTime() !== from.at.getTime()) move(from, to)
    },
    focus: ({ id }, place) => focusMap.focus(placeKey(id, place))
  })

  const places = (days ?? []).flatMap((day) => day.slots)
  const count = (state: SlotOfDay["state"]) => places.filter((place) => place.state === state).length
  const hasSlots = slots !== undefined && slots.length > 0
  const addSlot = (on: ReadonlyArray<Weekday>) =>
    setOpened({ dialog: "time", before: { time: "", days: on } })
  const addButton = (look: "main" | undefined) => (
    <Button look={look} onPress={() => addSlot(workdays)}>
      <Icon name="clock" />
      {words.addTime}
    </Button>
  )

  const week = () => {
    if (instead !== null) return instead
    if (slots !== undefined && !hasSlots)
      return (
        <EmptyState title={words.empty.title} text={words.empty.text}>
          {addButton("main")}
        </EmptyState>
      )
    return (
      <div className="week" aria-busy={days === null}>
        {days === null ? (
          <Skeleton rows={4} height={96} />
        ) : (
          days.map((day) => (
            <DayColumn
              key={day.day}
              day={day}
              today={today}
              onAdd={() => addSlot([weekdays[weekday(day.day) - 1]!])}
            />
          ))
        )}
      </div>
    )
  }

  return (
    <QueueContext value={{ accounts, zone, slots: slots ?? [], drag, focusMap, open: setOpened, move }}>
      <div className="bar queue-bar">
        <h1>
          <PageName />
        </h1>
        <div className="joined">
          <Button square aria-label={words.previous} onPress={() => go(addDays(first, -7))}>
            <Icon name="left" />
          </Button>
          <span className="button span" aria-live="polite">
            {spanOfDays(first, addDays(first, 6))}
          </span>
          <Button square aria-label={words.next} onPress={() => go(addDays(first, 7))}>
            <Icon name="right" />
          </Button>
        </div>
        {first !== coming && (
          <Button look="quiet" onPress={() => go(undefined)}>
            {words.toNow}
          </Button>
        )}
        {days !== null && hasSlots && (
          <span className="sum figures">{words.counts(slots.length, count("taken"), count("free"))}</span>
        )}
        <div className="filters">
          <Link to="/settings" className="zone" title={zone}>
            <Icon name="globe" /> {words.zone(placeOf(zone))}
          </Link>
          {hasSlots && addButton(undefined)}
        </div>
      </div>
      <div className="queue" data-carrying={drag.carried !== null || undefined}>
        {week()}
        {beside}
      </div>
      <div role="status" className="unseen">
        {drag.announcement}
      </div>
      {opened !== null && (
        <QueueDialogs
          opened={opened}
          firstWeekday={firstWeekday()}
          free={free}
          places={places}
          onClose={() => setOpened(null)}
        />
      )}
    </QueueContext>
  )
}
