import type { ApprovePost } from "@carillon/sdk"
import { useState } from "react"
import { workspace } from "../data/api.ts"
import { useNow } from "../time/useNow.ts"
import { placeOf, wallClock } from "../time/zone.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { TextField } from "../ui/TextField.tsx"
import { approvalWords } from "./approvalWords.ts"
import { askerName } from "./askerName.ts"
import { words as calendarWords } from "./en.ts"
import { formatMoment } from "./formatMoment.ts"
import { laterBy, scheduledAt } from "./Place.ts"
import type { HeldPost } from "./needsTime.ts"

const words = approvalWords.when
const zone = workspace.timezone

interface Props {
  readonly post: HeldPost
  readonly onApprove: (when: ApprovePost) => void
  readonly onClose: () => void
}

const nextHour = () => {
  const { day, time } = wallClock(new Date(), zone)
  const next = laterBy({ day, time: `${time.slice(0, 2)}:00` }, 60)
  return `${next.day}T${next.time}`
}

/** Asks when a post goes out that was asked for at once, or for a time that has passed. */
export const ApproveDialog = ({ onApprove, onClose, post: { approval, scheduled_at } }: Props) => {
  const [value, setValue] = useState(nextHour)
  const [tried, setTried] = useState(false)
  const now = useNow(false)
  const { day, time } = wallClock(new Date(now), zone)
  const [chosenDay = "", chosenTime = ""] = value.split("T")
  const isPast = value <= `${day}T${time}`
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (!isPast) onApprove({ scheduled_at: scheduledAt({ day: chosenDay, time: chosenTime }, zone) })
        }}
      >
        <p>
          {approval.wants === "scheduled" && scheduled_at !== null
            ? words.past(askerName(approval), formatMoment(scheduled_at, now, zone))
            : words.now(askerName(approval))}
        </p>
        <TextField
          label={words.time(calendarWords.zone(placeOf(zone)))}
          type="datetime-local"
          required
          value={value}
          onChange={setValue}
          problem={tried && isPast ? words.isPast : undefined}
        />
        <div className="actions">
          <Button onPress={() => onApprove({ use_queue: true })}>{words.queue}</Button>
          <Button onPress={() => onApprove({ publish_now: true })}>{words.publish}</Button>
        </div>
        <div className="actions">
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button look="main" type="submit">
            {words.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
