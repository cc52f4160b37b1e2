import { DateTime, Order, Schema } from "effect"
import { atLeast, List, maximumLimit } from "./Lists.ts"
import { TimeZoneName, Timestamp } from "./Time.ts"
import { onWallClock, wallClockOf } from "./WallClock.ts"
import { field } from "./Field.ts"

export const Weekday = Schema.Literals(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
export type Weekday = typeof Weekday.Type

/** A time of the week on the wall clock: 09:00 stays 09:00 when the clocks change. */
export const Slot = Schema.Struct({
  day: field("The day of the week in the queue's time zone: `mon` to `sun`.", Weekday),
  time: field(
    "The time of day in the queue's time zone, `00:00` to `23:59`. It stays the same when the clocks change.",
    Schema.String.check(
      Schema.isPattern(/^([01]\d|2[0-3]):[0-5]\d$/u, { expected: "a time from 00:00 to 23:59 such as 09:00" })
    )
  )
}).annotate({ identifier: "Slot" })
export interface Slot extends Schema.Schema.Type<typeof Slot> {}

/** The slots of a new workspace, on its own clock. */
export const firstSlots: ReadonlyArray<Slot> = (["mon", "tue", "wed", "thu", "fri"] as const).flatMap(
  (day) => [
    { day, time: "11:00" },
    { day, time: "16:00" }
  ]
)

const mostJitter = 30
const JitterMinutes = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: mostJitter }))

/** The workspace's posting schedule. Without slots there is no queue. */
export const Queue = Schema.Struct({
  timezone: field(
    "IANA name of the slots' time zone, such as `Europe/Paris`; null: the profile's time zone.",
    Schema.NullOr(TimeZoneName)
  ),
  slots: field(
    "Every slot of the week, Monday's first. A new workspace has 11:00 and 16:00 from Monday to Friday. Empty: there is no queue.",
    Schema.Array(Slot).check(Schema.isMaxLength(500))
  ),
  jitter_minutes: field(
    `Each post goes out up to this many minutes after its slot, at random: 0 to ${mostJitter}. 0: exactly at the slot.`,
    JitterMinutes
  )
}).annotate({ identifier: "Queue" })
export interface Queue extends Schema.Schema.Type<typeof Queue> {}

/** `PUT /v1/queue` replaces the whole schedule; a field that is left out gets its default. */
export const PutQueue = Schema.Struct({
  timezone: field(
    "IANA name of the slots' time zone, such as `Europe/Paris`. Default: the profile's.",
    Schema.optionalKey(Schema.NullOr(TimeZoneName))
  ),
  slots: field(
    "Every slot of the week, each once, in any order. They replace all present slots; posts keep the slots that they hold. Empty: no queue.",
    Schema.Array(Slot).check(Schema.isMaxLength(500))
  ),
  jitter_minutes: field(
    `Each post goes out up to this many minutes after its slot, at random: 0 to ${mostJitter}. Default: 0.`,
    Schema.optionalKey(Schema.NullOr(JitterMinutes))
  )
}).annotate({ identifier: "PutQueue" })
export interface PutQueue extends Schema.Schema.Type<typeof PutQueue> {}

/** A future slot that no post holds. */
export const FreeSlot = Schema.Struct({
  scheduled_at: field(
    "The slot's instant in UTC; send it as `use_queue.slot` to take it. Until then, another post can take it.",
    Timestamp
  ),
  local: field(
    "The same instant in `timezone`, with its offset, such as `2026-11-23T09:00:00.000+01:00`.",
    Schema.String
  ),
  timezone: field(
    "IANA name of the time zone in which the slots' times were read: `timezone` of the request, else the queue's.",
    TimeZoneName
  )
}).annotate({ identifier: "FreeSlot" })
export interface FreeSlot extends Schema.Schema.Type<typeof FreeSlot> {}

/** `meta.total` is how many are free in the next 90 days; `meta.limit` is `count`. */
export const FreeSlotList = List(FreeSlot, "earliest").annotate({ identifier: "FreeSlotList" })

const usualSlots = 10

export const FreeSlotFilter = Schema.Struct({
  count: Schema.optionalKey(
    atLeast("count", 1, {
      default: usualSlots,
      description: `How many slots to list at most, the earliest first. Default: ${usualSlots}; more than ${maximumLimit} counts as ${maximumLimit}.`
    })
  ),
  timezone: field(
    "IANA name of the time zone in which to read the slots' times, such as `Europe/Paris`. Default: the queue's.",
    Schema.optionalKey(TimeZoneName)
  )
})
export interface FreeSlotFilter extends Schema.Schema.Type<typeof FreeSlotFilter> {}

/** How far ahead the queue looks for a free slot, in milliseconds. */
export const queueHorizon = 90 * 86_400_000

const day = 86_400_000
const minutesOf = ({ time }: Slot) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Sorts slots in the order of the week. */
export const inWeekOrder: Order.Order<Slot> = Order.combine(
  Order.mapInput(Order.Number, (slot: Slot) => Weekday.literals.indexOf(slot.day)),
  Order.mapInput(Order.Number, minutesOf)
)

/** One occurrence of a slot. `moved`: the clocks skip its time on that day. */
export interface SlotInstant {
  readonly at: DateTime.Zoned
  readonly moved: boolean
}

/**
 * The occurrences of the slots after one instant and up to another (milliseconds since 1970), in order. A time that
 * the clocks skip moves forward by the gap, one that they repeat is the first of the two, and slots that fall on one
 * instant are one.
 */
export function* slotInstants(
  slots: ReadonlyArray<Slot>,
  zone: DateTime.TimeZone,
  after: number,
  until: number
): Generator<SlotInstant> {
  const minutes = Weekday.literals.map((weekday) =>
    slots.filter((slot) => slot.day === weekday).map(minutesOf)
  )
  const zoned = (instant: number) => DateTime.makeZonedUnsafe(instant, { timeZone: zone })
  let last = after
  const today = Math.floor(wallClockOf(zoned(after)) / day) * day
  for (let date = today; date <= until + 2 * day; date += day) {
    const ofTheDay = minutes[(new Date(date).getUTCDay() + 6) % 7]!
    if (ofTheDay.length === 0) continue
    // Every instant of the date lies between these two, so no change of the clocks has to be looked for.
    const before = DateTime.zonedOffset(zoned(date - day))
    const steady = before === DateTime.zonedOffset(zoned(date + 2 * day))
    const found = ofTheDay.map((minute): SlotInstant => {
      const wall = date + minute * 60_000
      if (steady) return { at: zoned(wall - before), moved: false }
      const { at, clocks } = onWallClock(wall, zone)
      return { at, moved: clocks === "skip" }
    })
    for (const slot of found.toSorted(inOrder)) {
      if (slot.at.epochMilliseconds > until) return
      if (slot.at.epochMilliseconds <= last) continue
      last = slot.at.epochMilliseconds
      yield slot
    }
  }
}

/** Of two at one instant the one whose own time it is comes first. */
const inOrder = (a: SlotInstant, b: SlotInstant) =>
  a.at.epochMilliseconds - b.at.epochMilliseconds || Number(a.moved) - Number(b.moved)
