import { words } from "./en.ts"
import type { Day } from "../time/days.ts"
import { longDay, shownTime } from "../time/zone.ts"

interface Props {
  readonly day: Day
  readonly time: string
  readonly onWrite?: () => void
}

const look =
  "flex h-6 w-full flex-none cursor-pointer items-center gap-2 rounded-tile border border-dashed border-line"

/** A free slot of the queue. */
export const FreeSlot = ({ day, onWrite, time }: Props) => (
  <button
    type="button"
    className={`${look} bg-transparent px-1 text-xs text-soft hover:border-brand hover:bg-tint`}
    tabIndex={-1}
    onClick={onWrite}
  >
    <time className="font-semibold">{shownTime(time)}</time>
    <span className="truncate">{words.freeSlot}</span>
    <span className="unseen">{words.writeAt(longDay(day), shownTime(time))}</span>
  </button>
)
