import type { Slot } from "@carillon/sdk"

export const weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const

export type Weekday = (typeof weekdays)[number]

/** A clock time, and on which days of the week it is. */
export interface WeeklyTime {
  readonly time: string
  readonly days: ReadonlyArray<Weekday>
}

type Slots = ReadonlyArray<Slot>

/** The days on which the queue has this time. */
export const daysOf = (slots: Slots, time: string): ReadonlyArray<Weekday> =>
  weekdays.filter((day) => slots.some((slot) => slot.day === day && slot.time === time))

const has = ({ days, time }: WeeklyTime, slot: Slot) => slot.time === time && days.includes(slot.day)

const inOrder = (one: Slot, other: Slot) =>
  weekdays.indexOf(one.day) - weekdays.indexOf(other.day) || one.time.localeCompare(other.time)

/** The queue's times with one put in the place of another, each of them once. */
export const withTime = (slots: Slots, before: WeeklyTime, after: WeeklyTime): Slots =>
  [
    ...slots.filter((slot) => !has(before, slot) && !has(after, slot)),
    ...after.days.map((day) => ({ day, time: after.time }))
  ].sort(inOrder)

export const none: WeeklyTime = { time: "", days: [] }

/** What a change of the times takes away. */
export const removedBy = (before: Slots, after: Slots): Slots =>
  before.filter(({ day, time }) => !after.some((slot) => slot.day === day && slot.time === time))

export const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)
