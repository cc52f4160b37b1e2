import { useState } from "react"
import { words as calendarWords } from "../post/en.ts"
import { addDays, type Day, daysBetween, daysFrom } from "../time/days.ts"
import { placeOf, shortDay, shownTime, wallClock } from "../time/zone.ts"
import { Select } from "../ui/Select.tsx"
import { TextField } from "../ui/TextField.tsx"
import { words } from "./en.ts"
import { parseTime } from "./parseTime.ts"

/** How many days before and after the chosen one are offered. */
const before = 31
const after = 92

const daysAround = (day: Day, today: Day): ReadonlyArray<Day> => {
  if (day === "") return daysFrom(today, after + 1)
  // The day of a draft may have passed.
  if (day < today) return [day, ...daysFrom(today, after + 1)]
  const first = [addDays(day, -before), today].toSorted().at(-1)!
  return daysFrom(first, daysBetween(first, day) + after + 1)
}

interface Props {
  readonly label: string
  /** `2026-12-04T18:00` on the clock of the zone, or nothing. */
  readonly value: string
  readonly onChange: (value: string) => void
  readonly zone: string
  readonly problem?: string | undefined
}

/** A day and a time, as the calendar writes them. The browser's own field would follow the browser's language. */
export const WhenField = ({ label, onChange, problem, value, zone }: Props) => {
  const [day, setDay] = useState(value.slice(0, 10))
  const [text, setText] = useState(() => value && shownTime(value.slice(11)))
  const today = wallClock(new Date(), zone).day
  const time = parseTime(text)
  const change = (day: Day, text: string) => {
    setDay(day)
    setText(text)
    const time = parseTime(text)
    onChange(day === "" || time === undefined ? "" : `${day}T${time}`)
  }
  const nameOf = (one: Day) => {
    const year = one.slice(0, 4)
    return year === today.slice(0, 4) ? shortDay(one) : `${shortDay(one)} ${year}`
  }
  return (
    <div
      className="flex flex-wrap items-start gap-2 *:min-w-0 *:grow *:basis-chip"
      role="group"
      aria-label={label}
    >
      <Select
        label={words.day}
        options={daysAround(day, today).map((one) => ({ id: one, name: nameOf(one) }))}
        value={day || undefined}
        onChange={(chosen = "") => change(chosen, text)}
      />
      <TextField
        label={words.time}
        value={text}
        onChange={(typed) => change(day, typed)}
        onBlur={() => time !== undefined && setText(shownTime(time))}
        problem={text !== "" && time === undefined ? words.notATime(shownTime("18:30")) : problem}
        help={calendarWords.zone(placeOf(zone))}
        autoComplete="off"
      />
    </div>
  )
}
