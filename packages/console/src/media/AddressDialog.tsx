import { CarillonError, type Media } from "@carillon/sdk"
import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { TextField } from "../ui/TextField.tsx"
import { words } from "./en.ts"
import { importFrom } from "./uploader.ts"

interface Props {
  readonly onAdd: (media: Media) => void
  readonly onClose: () => void
}

/** Asks for the address of a file that the service is to fetch. */
export const AddressDialog = ({ onAdd, onClose }: Props) => {
  const [address, setAddress] = useState("")
  const [problem, setProblem] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  const fetchIt = async () => {
    setBusy(true)
    try {
      onAdd(await importFrom(address.trim()))
      onClose()
    } catch (error) {
      setProblem(error instanceof CarillonError ? error.message : String(error))
      setBusy(false)
    }
  }
  return (
    <Dialog title={words.address.title} onClose={onClose}>
      <form
        className="stacked"
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void fetchIt()
        }}
      >
        <TextField
          label={words.address.field}
          help={words.address.help}
          problem={problem}
          type="url"
          placeholder="https://"
          required
          autoFocus
          value={address}
          onChange={(value) => {
            setAddress(value)
            setProblem(undefined)
          }}
        />
        <div className="actions">
          <Button onPress={onClose}>{words.address.cancel}</Button>
          <Button look="main" type="submit">
            {words.address.add}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
