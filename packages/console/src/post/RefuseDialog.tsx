import type { Approval } from "@carillon/sdk"
import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { TextField } from "../ui/TextField.tsx"
import { approvalWords } from "./approvalWords.ts"
import { askerName } from "./askerName.ts"

const words = approvalWords.why

/** As the service limits it. */
const longest = 1000

interface Props {
  readonly approval: Approval
  readonly onRefuse: (reason: string) => void
  readonly onClose: () => void
}

/** Asks why, for whoever asked. A field with `autoFocus` would close the card of the calendar, and this dialog with it. */
export const RefuseDialog = ({ approval, onClose, onRefuse }: Props) => {
  const [reason, setReason] = useState("")
  const isLong = reason.length > longest
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!isLong) onRefuse(reason)
        }}
      >
        <p>{words.text(askerName(approval), approval.asked_by.type === "app")}</p>
        <TextField
          label={words.reason}
          lines={3}
          value={reason}
          onChange={setReason}
          help={words.help}
          problem={isLong ? words.long(longest) : undefined}
        />
        <div className="actions">
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button look="danger" type="submit">
            {words.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
