import type { Slot } from "@carillon/sdk"
import { useState } from "react"
import { addDays } from "../time/days.ts"
import { longDay, placeOf, weekdayName } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Said, TextField } from "../ui/TextField.tsx"
import { words } from "./en.ts"
import { isTime, removedBy, type Weekday, weekdays, type WeeklyTime, withTime } from "./WeeklyTime.ts"

interface Props {
  readonly slots: ReadonlyArray<Slot>
  /** Without a time it is a new one. */
  readonly before: WeeklyTime
  readonly zone: string
  readonly firstWeekday: number
  readonly onSave: (after: WeeklyTime) => void
  readonly onClose: () => void
}

const aMonday = "2026-11-30"
const dayOf = (weekday: Weekday) => addDays(aMonday, weekdays.indexOf(weekday))

export const nameOf = (weekday: Weekday) => weekdayName(dayOf(weekday))

export const TimeDialog = ({ before, firstWeekday, onClose, onSave, slots, zone }: Props) => {
  const isNew = before.time === ""
  const [time, setTime] = useState(before.time)
  const [days, setDays] = useState(before.days)
  const [asked, setAsked] = useState(false)
  const after = { time, days: weekdays.filter((day) => days.includes(day)) }
  const nothingNew = isNew && removedBy(withTime(slots, before, after), slots).length === 0
  const problem = {
    time: isTime(time) ? undefined : words.timeDialog.noTime,
    days:
      days.length === 0
        ? words.timeDialog.noDay
        : isTime(time) && nothingNew
          ? words.timeDialog.isThere
          : undefined
  }
  return (
    <Dialog title={isNew ? words.timeDialog.add : words.timeDialog.change(before.time)} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setAsked(true)
          if (problem.time === undefined && problem.days === undefined) onSave(after)
        }}
      >
        <TextField
          label={words.zone(placeOf(zone))}
          type="time"
          value={time}
          onChange={setTime}
          problem={asked ? problem.time : undefined}
          help={isNew ? undefined : words.timeDialog.keeps}
        />
        <fieldset className="field m-0 border-0 p-0" aria-describedby="on-days">
          <legend className="label p-0 pb-1">{words.timeDialog.on}</legend>
          <div className="grid grid-cols-7 gap-1">
            {weekdays.map((_, index) => {
              const day = weekdays[(index + firstWeekday - 1) % 7]!
              return (
                <label key={day} className={`${toggle} ${focus}`}>
                  <input
                    type="checkbox"
                    className="absolute inset-0 m-0 cursor-pointer opacity-0"
                    checked={days.includes(day)}
                    onChange={({ target }) =>
                      setDays(target.checked ? [...days, day] : days.filter((one) => one !== day))
                    }
                  />
                  <span aria-hidden="true">{nameOf(day)}</span>
                  <span className="unseen">{longDay(dayOf(day)).split(" ")[0]}</span>
                </label>
              )
            })}
          </div>
          <Said id="on-days" problem={asked ? problem.days : undefined} />
        </fieldset>
        <div className="actions">
          <Button onPress={onClose}>{words.timeDialog.cancel}</Button>
          <Button look="main" type="submit">
            {words.timeDialog.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const toggle = [
  "relative grid min-h-field cursor-pointer place-items-center rounded-control border border-edge text-sm font-semibold",
  "has-checked:border-brand has-checked:bg-brand has-checked:text-on-brand max-md:min-h-touch"
].join(" ")

/** The box itself is not seen. */
const focus = "outline-offset-2 outline-brand has-focus-visible:outline-3"
