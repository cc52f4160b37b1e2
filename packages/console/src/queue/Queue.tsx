import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react"
import { useAccounts } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { type CalendarRoom, RoomContext } from "../post/CalendarRoom.ts"
import { PostActions } from "../post/PostActions.tsx"
import { PostPopover } from "../post/PostPopover.tsx"
import { RemoveDialog } from "../post/RemoveDialog.tsx"
import { removePost } from "../post/removePost.ts"
import { firstWeekday as firstOfWeek, singleKeys } from "../data/preferences.ts"
import { addDays, type Day, weekday, weekOf } from "../time/days.ts"
import { useMinute } from "../time/useMinute.ts"
import { placeOf, spanOfDays, wallClock, weekdayName } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { PageName } from "../ui/PageName.tsx"
import { EmptyState, ErrorState, Skeleton } from "../ui/RoomState.tsx"
import { Aside } from "./Aside.tsx"
import { words } from "./en.ts"
import { MoveToDialog } from "./MoveToDialog.tsx"
import { QueueContext, type QueueRoom } from "./QueueRoom.ts"
import { isOpenPlace, SlotCard } from "./SlotCard.tsx"
import { nameOf, TimeDialog } from "./TimeDialog.tsx"
import { daysOf, none, weekdays, type WeeklyTime, withTime } from "./times.ts"
import { useQueueWeek } from "../data/calendar.ts"
import { useFreeSlots, useQueue } from "../data/queue.ts"
import { changeQueue } from "./changeQueue.ts"
import { textOf, moveInQueue, whenOf } from "./moveInQueue.ts"
import { type DayOfQueue, type SlotOfDay, weekOfSlots, weekThatComes } from "./weekOfSlots.ts"
import "../styles/board.css"
import "./Queue.css"

type Asked =
  | { readonly dialog: "time"; readonly before: WeeklyTime }
  | { readonly dialog: "move" | "delete"; readonly place: SlotOfDay }

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

/** The next place in the direction of an arrow. */
const step = (
  days: ReadonlyArray<DayOfQueue>,
  { at, day }: SlotOfDay,
  key: string
): SlotOfDay | undefined => {
  const open = days
    .map((one) => ({ day: one.day, slots: one.slots.filter(isOpenPlace) }))
    .filter(({ slots }) => slots.length > 0)
  const all = open.flatMap(({ slots }) => slots)
  const index = all.findIndex((place) => place.at.getTime() === at.getTime())
  if (key === "ArrowDown") return all[index + 1]
  if (key === "ArrowUp") return all[index - 1]
  const column = open.findIndex((one) => one.day === day)
  const target = open[column + (key === "ArrowRight" ? 1 : -1)]
  const inDay = open[column]?.slots.findIndex((place) => place.at.getTime() === at.getTime()) ?? 0
  return target?.slots[Math.min(inDay, target.slots.length - 1)]
}

export const Queue = () => {
  const { date } = useSearch({ from: "/queue" })
  const navigate = useNavigate({ from: "/queue" })
  const queue = useQueue()
  const zone = queue.data === undefined ? undefined : (queue.data.timezone ?? workspace.timezone)
  const shownZone = zone ?? workspace.timezone
  const now = useMinute()
  const today = wallClock(new Date(now), shownZone).day
  const firstWeekday = firstOfWeek()
  const coming = weekThatComes(queue.data?.slots ?? [], shownZone, now, firstWeekday)
  const first = date === undefined ? coming : weekOf(date, firstWeekday)
  const week = useQueueWeek(first, zone)
  const hasTimes = (queue.data?.slots.length ?? 0) > 0
  const free = useFreeSlots(shownZone, hasTimes)
  const accounts = useAccounts()

  const room = useRef<HTMLDivElement>(null)
  const [carried, setCarried] = useState<QueueRoom["carried"]>(null)
  const [opened, setOpened] = useState<{
    readonly place: SlotOfDay
    readonly element: HTMLElement
  } | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [said, setSaid] = useState("")

  const ready = week.data !== undefined && week.data.days[0]?.date === first && week.data.timezone === zone
  const days = useMemo(
    () =>
      week.data !== undefined && queue.data !== undefined && ready
        ? weekOfSlots(week.data.days, queue.data.slots, shownZone, now)
        : null,
    [week.data, queue.data, ready, shownZone, now]
  )
  const places = (days ?? []).flatMap(({ slots }) => slots)

  /** After a move the focus goes with the post. */
  const wanted = useRef<string | null>(null)
  useEffect(() => {
    const found =
      wanted.current === null
        ? null
        : room.current?.querySelector<HTMLElement>(`[data-post="${CSS.escape(wanted.current)}"]`)
    if (found == null) return
    wanted.current = null
    found.focus()
  })

  const shared = useMemo((): QueueRoom => {
    const place = (from: SlotOfDay, to: SlotOfDay) => {
      if (from.row === null) return
      void moveInQueue({ row: from.row, from, to, other: to.row, zone: shownZone })
    }
    return {
      zone: shownZone,
      carried,
      place,
      open: (at, element) => setOpened({ place: at, element }),
      askMove: (at) => setAsked({ dialog: "move", place: at }),
      askChange: ({ slot }) =>
        setAsked({
          dialog: "time",
          before: { time: slot.time, days: daysOf(queue.data?.slots ?? [], slot.time) }
        }),
      remove: ({ row, slot, state }) =>
        void changeQueue(
          (before) => ({
            ...before,
            slots: withTime(before.slots, { time: slot.time, days: [slot.day] }, none)
          }),
          (row !== null && state === "taken" ? words.removedWithPost : words.removed)(
            nameOf(slot.day),
            slot.time
          )
        )
    }
  }, [carried, queue.data, shownZone])

  const calendar = useMemo(
    (): CalendarRoom => ({
      zone: shownZone,
      today,
      now: "",
      accounts,
      carried: null,
      current: null,
      drop: () => {},
      open: () => {},
      showDay: () => {},
      write: () => {}
    }),
    [accounts, shownZone, today]
  )

  const save = (before: WeeklyTime, after: WeeklyTime) => {
    setAsked(null)
    void changeQueue(
      (queueNow) => ({ ...queueNow, slots: withTime(queueNow.slots, before, after) }),
      before.time === "" ? words.added(after.time) : words.changed(before.time)
    )
  }

  const carry = (event: KeyboardEvent, { from, to }: NonNullable<QueueRoom["carried"]>) => {
    event.preventDefault()
    if (event.key === "Escape") {
      setCarried(null)
      return setSaid(words.carry.left)
    }
    if (event.key === "Enter") {
      setCarried(null)
      setSaid("")
      wanted.current = from.row!.id
      if (to !== from) shared.place(from, to)
      return
    }
    if (!event.key.startsWith("Arrow")) return
    const next = step(days ?? [], to, event.key)
    if (next === undefined) return
    setCarried({ from, to: next })
    setSaid(
      next.row === null ? words.carry.free(whenOf(next)) : words.carry.taken(whenOf(next), textOf(next.row))
    )
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (carried !== null) return carry(event, carried)
    const id = (event.target as HTMLElement).dataset["post"]
    const place = places.find(({ row }) => row !== null && row.id === id)
    if (
      event.key.toLowerCase() !== "m" ||
      event.metaKey ||
      event.ctrlKey ||
      event.altKey ||
      !singleKeys() ||
      place === undefined ||
      !isOpenPlace(place)
    )
      return
    setCarried({ from: place, to: place })
    setSaid(words.carry.picked(textOf(place.row!)))
  }

  const error = queue.error ?? week.error
  const failed = error !== null && (queue.data === undefined || days === null)
  const count = (state: SlotOfDay["state"]) => places.filter((place) => place.state === state).length
  const go = (day: Day | undefined) => void navigate({ search: day === undefined ? {} : { date: day } })

  const addButton = (main: boolean) => (
    <Button
      look={main ? "main" : undefined}
      onPress={() =>
        setAsked({ dialog: "time", before: { time: "", days: ["mon", "tue", "wed", "thu", "fri"] } })
      }
    >
      <Icon name="clock" />
      {words.addTime}
    </Button>
  )

  const body = () => {
    if (failed && error !== null)
      return (
        <ErrorState
          title={words.failedToLoad}
          error={error}
          onRetry={() => {
            void queue.refetch()
            void week.refetch()
          }}
        />
      )
    if (queue.data !== undefined && !hasTimes)
      return (
        <EmptyState title={words.empty.title} text={words.empty.text}>
          {addButton(true)}
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
              onAdd={() =>
                setAsked({
                  dialog: "time",
                  before: { time: "", days: [weekdays[weekday(day.day) - 1]!] }
                })
              }
            />
          ))
        )}
      </div>
    )
  }

  return (
    <RoomContext value={calendar}>
      <QueueContext value={shared}>
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
          {days !== null && hasTimes && (
            <span className="sum figures">
              {words.counts(queue.data?.slots.length ?? 0, count("taken"), count("free"))}
            </span>
          )}
          <div className="filters">
            <Link to="/settings" className="zone" title={shownZone}>
              <Icon name="globe" /> {words.zone(placeOf(shownZone))}
            </Link>
            {hasTimes && addButton(false)}
          </div>
        </div>
        <div ref={room} className="queue" data-carrying={carried !== null || undefined} onKeyDown={onKeyDown}>
          {body()}
          {queue.data !== undefined && (
            <Aside queue={queue.data} free={free.data} zone={shownZone} now={now} />
          )}
        </div>
        <div role="status" className="unseen">
          {said}
        </div>
        {opened !== null && (
          <PostPopover
            row={opened.place.row!}
            day={opened.place.day}
            tile={opened.element}
            onClose={() => setOpened(null)}
          >
            <PostActions
              row={opened.place.row!}
              onMove={() => {
                setAsked({ dialog: "move", place: opened.place })
                setOpened(null)
              }}
              onRemove={() => {
                setAsked({ dialog: "delete", place: opened.place })
                setOpened(null)
              }}
            />
          </PostPopover>
        )}
        {asked?.dialog === "time" && (
          <TimeDialog
            slots={queue.data?.slots ?? []}
            before={asked.before}
            zone={shownZone}
            firstWeekday={firstWeekday}
            onClose={() => setAsked(null)}
            onSave={(after) => save(asked.before.time === "" ? none : asked.before, after)}
          />
        )}
        {asked?.dialog === "move" && (
          <MoveToDialog
            from={asked.place}
            places={[...places.filter(isOpenPlace), ...later(free.data ?? [], places, shownZone)]}
            onClose={() => setAsked(null)}
            onMove={(to) => {
              setAsked(null)
              wanted.current = asked.place.row!.id
              shared.place(asked.place, to)
            }}
          />
        )}
        {asked?.dialog === "delete" && (
          <RemoveDialog
            onClose={() => setAsked(null)}
            onRemove={() => {
              setAsked(null)
              void removePost(asked.place.row!)
            }}
          />
        )}
      </QueueContext>
    </RoomContext>
  )
}

/** The next free times that are not in the week on the screen. */
const later = (
  free: ReadonlyArray<{ readonly scheduled_at: string }>,
  shown: ReadonlyArray<SlotOfDay>,
  zone: string
): ReadonlyArray<SlotOfDay> =>
  free
    .map(({ scheduled_at }): SlotOfDay => {
      const at = new Date(scheduled_at)
      const clock = wallClock(at, zone)
      return {
        ...clock,
        at,
        slot: { day: weekdays[weekday(clock.day) - 1]!, time: clock.time },
        state: "free",
        row: null
      }
    })
    .filter(({ at }) => !shown.some((place) => place.at.getTime() === at.getTime()))
