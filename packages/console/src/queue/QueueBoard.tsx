import type { FreeSlot, Slot } from "@carillon/sdk"
import { type ReactNode, useCallback, useState } from "react"
import { useAccounts } from "../data/accounts.ts"
import { firstWeekday } from "../data/preferences.ts"
import { makeFocusMap } from "../post/makeFocusMap.ts"
import { textOf } from "../post/textOf.ts"
import { useKeyboardDrag } from "../post/useKeyboardDrag.ts"
import { addDays, type Day, weekday } from "../time/days.ts"
import { placeOf, spanOfDays, weekdayName } from "../time/zone.ts"
import { Actions } from "../ui/Actions.tsx"
import { Button, buttonClass } from "../ui/Button.tsx"
import { Card } from "../ui/Card.tsx"
import { Columns } from "../ui/Columns.tsx"
import { EmptyState } from "../ui/EmptyState.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Joined } from "../ui/Joined.tsx"
import { Room } from "../ui/Room.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { todayBadge } from "../ui/todayBadge.ts"
import { words } from "./en.ts"
import { moveInQueue, whenOf } from "./moveInQueue.ts"
import { nextPlace } from "./nextPlace.ts"
import { type OpenDialog, placeKey, QueueContext } from "./QueueContext.ts"
import { QueueDialogs } from "./QueueDialogs.tsx"
import { SlotCard } from "./SlotCard.tsx"
import type { DayOfQueue, SlotOfDay } from "./weekOfSlots.ts"
import { type Weekday, weekdays } from "./WeeklyTime.ts"

const DayColumn = ({
  day: { day, slots },
  onAdd,
  today
}: {
  readonly day: DayOfQueue
  readonly today: Day
  readonly onAdd: () => void
}) => (
  <section aria-labelledby={`queue-${day}`} data-today={day === today || undefined}>
    <header className="flex min-h-touch items-center justify-between border-hair px-3 md:border-b md:ps-2 md:pe-0">
      <h2 id={`queue-${day}`} className="flex items-center gap-2 text-sm font-normal text-soft">
        {weekdayName(day)}
        <strong className={day === today ? todayBadge : "text-ink"}>{Number(day.slice(8))}</strong>
      </h2>
      <Button square look="quiet" aria-label={words.addTo(weekdayName(day))} onPress={onAdd}>
        <Icon name="plus" />
      </Button>
    </header>
    {slots.length > 0 && (
      <ul className="flex flex-col gap-2 px-3 pb-3 md:p-1">
        {slots.map((place) => (
          <SlotCard key={place.at.getTime()} place={place} />
        ))}
      </ul>
    )}
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
  const span = spanOfDays(first, addDays(first, 6))
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
        <Card label={words.empty.title}>
          <EmptyState title={words.empty.title} text={words.empty.text}>
            {addButton("main")}
          </EmptyState>
        </Card>
      )
    if (days === null) return <Skeleton rows={4} height={96} />
    return (
      <Card label={span}>
        <div className="grid divide-hair max-md:divide-y md:grid-cols-7 md:divide-x">
          {days.map((day) => (
            <DayColumn
              key={day.day}
              day={day}
              today={today}
              onAdd={() => addSlot([weekdays[weekday(day.day) - 1]!])}
            />
          ))}
        </div>
      </Card>
    )
  }

  return (
    <QueueContext value={{ accounts, zone, slots: slots ?? [], drag, focusMap, open: setOpened, move }}>
      <Room
        beside={
          <Actions>
            {first !== coming && (
              <Button look="quiet" onPress={() => go(undefined)}>
                {words.toNow}
              </Button>
            )}
            <Joined>
              <Button square aria-label={words.previous} onPress={() => go(addDays(first, -7))}>
                <Icon name="left" />
              </Button>
              <span className={`${buttonClass()} flex-1 tabular-nums`} aria-live="polite">
                {span}
              </span>
              <Button square aria-label={words.next} onPress={() => go(addDays(first, 7))}>
                <Icon name="right" />
              </Button>
            </Joined>
            {hasSlots && addButton(undefined)}
          </Actions>
        }
      >
        <p className="pb-4 text-sm text-soft tabular-nums max-sm:px-4">
          {days !== null && hasSlots && `${words.counts(slots.length, count("taken"), count("free"))} · `}
          {words.zone(placeOf(zone))}
        </p>
        <Columns side={beside}>{week()}</Columns>
      </Room>
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
