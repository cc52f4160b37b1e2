import type { FreeSlot } from "@carillon/sdk"
import { PostActions } from "../post/PostActions.tsx"
import { PostPopover } from "../post/PostPopover.tsx"
import { RemoveDialog } from "../post/RemoveDialog.tsx"
import { removePost } from "../post/removePost.ts"
import { weekday } from "../time/days.ts"
import { wallClock } from "../time/zone.ts"
import { changeQueue } from "./changeQueue.ts"
import { words } from "./en.ts"
import { MoveToDialog } from "./MoveToDialog.tsx"
import { type OpenDialog, placeKey, useQueueContext } from "./QueueContext.ts"
import { TimeDialog } from "./TimeDialog.tsx"
import { isOpenPlace, type SlotOfDay } from "./weekOfSlots.ts"
import { none, weekdays, withTime } from "./WeeklyTime.ts"

/** The next free places outside the week on the screen. */
const later = (
  free: ReadonlyArray<FreeSlot>,
  shown: ReadonlyArray<SlotOfDay>,
  zone: string
): ReadonlyArray<SlotOfDay> =>
  free
    .map(({ scheduled_at }): SlotOfDay => {
      const at = new Date(scheduled_at)
      const clock = wallClock(at, zone)
      const slot = { day: weekdays[weekday(clock.day) - 1]!, time: clock.time }
      return { ...clock, at, slot, state: "free", row: null }
    })
    .filter(({ at }) => !shown.some((place) => place.at.getTime() === at.getTime()))

interface Props {
  readonly opened: OpenDialog
  readonly firstWeekday: number
  readonly free: ReadonlyArray<FreeSlot>
  /** The places of the week on the screen. */
  readonly places: ReadonlyArray<SlotOfDay>
  readonly onClose: () => void
}

/** The card of a post, and the dialogs of the queue. */
export const QueueDialogs = ({ firstWeekday, free, onClose, opened, places }: Props) => {
  const { accounts, focusMap, move, open, slots, zone } = useQueueContext()
  if (opened.dialog === "time") {
    const { before } = opened
    return (
      <TimeDialog
        slots={slots}
        before={before}
        zone={zone}
        firstWeekday={firstWeekday}
        onClose={onClose}
        onSave={(after) => {
          onClose()
          const isNew = before.time === ""
          void changeQueue(
            (queue) => ({ ...queue, slots: withTime(queue.slots, isNew ? none : before, after) }),
            isNew ? words.added(after.time) : words.changed(before.time)
          )
        }}
      />
    )
  }
  const { place } = opened
  const row = place.row!
  switch (opened.dialog) {
    case "card":
      return (
        <PostPopover row={row} zone={zone} day={place.day} tile={opened.element} onClose={onClose}>
          <PostActions
            row={row}
            accounts={accounts}
            onMove={() => open({ dialog: "move", place })}
            onRemove={() => open({ dialog: "delete", place })}
          />
        </PostPopover>
      )
    case "move":
      return (
        <MoveToDialog
          from={place}
          places={[...places.filter(isOpenPlace), ...later(free, places, zone)]}
          onClose={onClose}
          onMove={(to) => {
            onClose()
            focusMap.focus(placeKey(row.id, to))
            move(place, to)
          }}
        />
      )
    case "delete":
      return (
        <RemoveDialog
          onClose={onClose}
          onRemove={() => {
            onClose()
            void removePost(row)
          }}
        />
      )
  }
}
