import type { Slot } from "@carillon/sdk"

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const

export type Weekday = (typeof weekdays)[number]

/** A time of day on some weekdays. */
export interface WeeklyTime {
  readonly time: string
  readonly days: ReadonlyArray<Weekday>
}

type Slots = ReadonlyArray<Slot>

/** The weekdays with a slot at a time. */
export const daysOf = (slots: Slots, time: string): ReadonlyArray<Weekday> =>
  weekdays.filter((day) => slots.some((slot) => slot.day === day && slot.time === time))

const has = ({ days, time }: WeeklyTime, slot: Slot) => slot.time === time && days.includes(slot.day)

const inOrder = (one: Slot, other: Slot) =>
  weekdays.indexOf(one.day) - weekdays.indexOf(other.day) || one.time.localeCompare(other.time)

/** Replaces a weekly time by another. A slot that is there already stays once. */
export const withTime = (slots: Slots, before: WeeklyTime, after: WeeklyTime): Slots =>
  [
    ...slots.filter((slot) => !has(before, slot) && !has(after, slot)),
    ...after.days.map((day) => ({ day, time: after.time }))
  ].sort(inOrder)

export const none: WeeklyTime = { time: "", days: [] }

/** The slots that a change removes. */
export const removedBy = (before: Slots, after: Slots): Slots =>
  before.filter(({ day, time }) => !after.some((slot) => slot.day === day && slot.time === time))

export const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)
