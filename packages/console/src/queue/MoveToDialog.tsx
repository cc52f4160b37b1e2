import { useState } from "react"
import { textOf } from "../post/textOf.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Select } from "../ui/Select.tsx"
import { words } from "./en.ts"
import { whenOf } from "./moveInQueue.ts"
import type { SlotOfDay } from "./weekOfSlots.ts"

interface Props {
  readonly from: SlotOfDay
  /** The places it can move to, in order. */
  readonly places: ReadonlyArray<SlotOfDay>
  readonly onMove: (to: SlotOfDay) => void
  readonly onClose: () => void
}

const idOf = ({ at }: SlotOfDay) => at.toISOString()

export const MoveToDialog = ({ from, onClose, onMove, places }: Props) => {
  const others = places.filter((place) => idOf(place) !== idOf(from))
  const [chosen, setChosen] = useState<string | undefined>(() => {
    const first = others.find(({ state }) => state === "free") ?? others[0]
    return first && idOf(first)
  })
  const to = others.find((place) => idOf(place) === chosen)
  const other = to?.row ?? null
  return (
    <Dialog title={words.moveDialog.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (to !== undefined) onMove(to)
        }}
      >
        <Select
          label={words.moveDialog.to}
          value={chosen}
          onChange={setChosen}
          options={others.map((place) => ({
            id: idOf(place),
            name:
              place.row === null ? whenOf(place) : words.moveDialog.taken(whenOf(place), textOf(place.row))
          }))}
          help={other === null ? undefined : words.moveDialog.swap(textOf(other))}
        />
        <div className="actions">
          <Button onPress={onClose}>{words.moveDialog.cancel}</Button>
          <Button look="main" type="submit">
            {other === null ? words.moveDialog.move : words.moveDialog.exchange}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
