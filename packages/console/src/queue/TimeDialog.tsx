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
        className="time-form"
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
        <fieldset className="field" aria-describedby="on-days">
          <legend className="label">{words.timeDialog.on}</legend>
          <div className="weekdays">
            {weekdays.map((_, index) => {
              const day = weekdays[(index + firstWeekday - 1) % 7]!
              return (
                <label key={day} className="weekday">
                  <input
                    type="checkbox"
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
