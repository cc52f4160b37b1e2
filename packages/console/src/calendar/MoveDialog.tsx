import { useState } from "react"
import { placeOf } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { TextField } from "../ui/TextField.tsx"
import { words } from "./en.ts"
import type { Place } from "./moves.ts"

interface Props {
  readonly from: Place
  readonly now: Place
  readonly zone: string
  readonly onMove: (to: Place) => void
  readonly onClose: () => void
}

const valueOf = ({ day, time }: Place) => `${day}T${time}`

export const MoveDialog = ({ from, now, onClose, onMove, zone }: Props) => {
  const [value, setValue] = useState(valueOf(from))
  const past = value < valueOf(now)
  const whole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(value)
  const move = () => {
    if (whole && !past) onMove({ day: value.slice(0, 10), time: value.slice(11) })
  }
  return (
    <Dialog title={words.moving.title} onClose={onClose}>
      {/* No form: a host's frame may not let one be submitted. */}
      <div
        onKeyDown={({ key, target }) => {
          if (key === "Enter" && target instanceof HTMLInputElement) move()
        }}
      >
        <TextField
          label={`${words.moving.day}, ${words.zone(placeOf(zone))}`}
          type="datetime-local"
          value={value}
          onChange={setValue}
          problem={past ? words.moving.past : undefined}
          required
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
