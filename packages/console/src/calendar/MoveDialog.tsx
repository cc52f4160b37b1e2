import { type ComponentType, useState } from "react"
import { placeOf } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { TextField } from "../ui/TextField.tsx"
import { words } from "../post/en.ts"
import type { Place } from "../post/Place.ts"

/** A field with the value of a `datetime-local`. */
export type TimeField = ComponentType<{
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly zone: string
  readonly problem: string | undefined
}>

const BrowserField: TimeField = ({ zone: _, ...rest }) => (
  <TextField {...rest} type="datetime-local" required />
)

interface Props {
  readonly field: TimeField | undefined
  readonly from: Place
  readonly now: Place
  readonly zone: string
  readonly onMove: (to: Place) => void
  readonly onClose: () => void
}

const valueOf = ({ day, time }: Place) => `${day}T${time}`

export const MoveDialog = ({ field: Field = BrowserField, from, now, onClose, onMove, zone }: Props) => {
  const [value, setValue] = useState(valueOf(from))
  const whole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(value)
  const past = whole && value < valueOf(now)
  const move = () => {
    if (whole && !past) onMove({ day: value.slice(0, 10), time: value.slice(11) })
  }
  return (
    <Dialog title={words.moving.title} onClose={onClose}>
      {/* No form: a host's frame may forbid submitting one. */}
      <div
        role="presentation"
        onKeyDown={({ key, target }) => {
          if (key === "Enter" && target instanceof HTMLInputElement) move()
        }}
      >
        <Field
          label={`${words.moving.day}, ${words.zone(placeOf(zone))}`}
          value={value}
          onChange={setValue}
          zone={zone}
          problem={past ? words.moving.past : undefined}
        />
        <div className="actions">
          <Button onPress={onClose}>{words.moving.cancel}</Button>
          <Button look="main" onPress={move}>
            {words.moving.confirm}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
