import type { CalendarDay, CalendarPost, Slot } from "@carillon/sdk"
import { isMovable } from "../post/PostState.ts"
import { addDays, type Day, daysFrom, weekday, weekOf } from "../time/days.ts"
import { instantOf } from "../time/instantOf.ts"
import { wallClock } from "../time/zone.ts"
import { weekdays } from "./WeeklyTime.ts"

/** A slot of the queue on a day. */
export interface SlotOfDay {
  /** The weekly slot it comes from. */
  readonly slot: Slot
  readonly day: Day
  /** The time of the slot, or a later one if the clocks skip it. */
  readonly time: string
  readonly at: Date
  readonly state: "free" | "taken" | "past"
  /** The post in it, if known. */
  readonly row: CalendarPost | null
}

export interface DayOfQueue {
  readonly day: Day
  readonly slots: ReadonlyArray<SlotOfDay>
}

/** Whether a post can be moved here. */
export const isOpenPlace = ({ row, state }: SlotOfDay) =>
  state === "free" || (state === "taken" && row !== null && isMovable(row))

/** How far ahead the service knows free slots. */
const horizon = 90 * 86_400_000

/** The first day of this week, or of the next if all slots of this week are past. */
export const weekThatComes = (
  slots: ReadonlyArray<Slot>,
  zone: string,
  now: number,
  firstWeekday: number
): Day => {
  const first = weekOf(wallClock(new Date(now), zone).day, firstWeekday)
  const goesOn = daysFrom(first, 7).some((day) =>
    slots.some(
      (slot) => slot.day === weekdays[weekday(day) - 1] && instantOf(day, slot.time, zone).getTime() > now
    )
  )
  return goesOn || slots.length === 0 ? first : addDays(first, 7)
}

const moved = ({ slot, time }: { readonly slot: Slot; readonly time: string }) => Number(slot.time !== time)

/** The slots of each day with their posts. The days are in the zone of the queue. */
export const weekOfSlots = (
  days: ReadonlyArray<CalendarDay>,
  slots: ReadonlyArray<Slot>,
  zone: string,
  now: number
): ReadonlyArray<DayOfQueue> => {
  // Two slots meet at one instant if the clocks skip the earlier one.
  const seen = new Set<number>()
  const all = days
    .flatMap(({ date, free_slots }) =>
      slots
        .filter((slot) => slot.day === weekdays[weekday(date) - 1])
        .map((slot) => {
          const at = instantOf(date, slot.time, zone)
          const { day, time } = wallClock(at, zone)
          return { slot, day, time, at, isFree: free_slots.includes(time) }
        })
    )
    .sort((one, other) => one.at.getTime() - other.at.getTime() || moved(one) - moved(other))
    .filter(({ at }) => !seen.has(at.getTime()) && seen.add(at.getTime()))

  const posts = days.flatMap(({ posts: ofDay }) => ofDay).filter(({ status }) => status !== "draft")
  // A post scheduled by hand at the time of a slot takes it too.
  const bySlot = new Map(posts.map((row) => [Date.parse(row.queue_slot ?? row.at), row]))

  const found = all.map(({ at, isFree, ...one }): SlotOfDay => {
    const start = at.getTime()
    const row = bySlot.get(start) ?? null
    const free = row === null && (isFree || start - now > horizon)
    return { ...one, at, row, state: start <= now ? "past" : free ? "free" : "taken" }
  })
  return days.map(({ date }) => ({ day: date, slots: found.filter(({ day }) => day === date) }))
}
