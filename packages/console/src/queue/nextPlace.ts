import { type DayOfQueue, isOpenPlace, type SlotOfDay } from "./weekOfSlots.ts"

/** Where an arrow key carries a post: up and down by place, left and right by day. */
export const nextPlace = (
  days: ReadonlyArray<DayOfQueue>,
  { at, day }: SlotOfDay,
  key: string
): SlotOfDay | undefined => {
  const open = days
    .map((one) => ({ day: one.day, slots: one.slots.filter(isOpenPlace) }))
    .filter(({ slots }) => slots.length > 0)
  const isHere = (place: SlotOfDay) => place.at.getTime() === at.getTime()
  const all = open.flatMap(({ slots }) => slots)
  if (key === "ArrowDown") return all[all.findIndex(isHere) + 1]
  if (key === "ArrowUp") return all[all.findIndex(isHere) - 1]
  const column = open.findIndex((one) => one.day === day)
  const target = open[column + (key === "ArrowRight" ? 1 : -1)]
  const inDay = open[column]?.slots.findIndex(isHere) ?? 0
  return target?.slots[Math.min(inDay, target.slots.length - 1)]
}
