import type { Media } from "@carillon/sdk"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { reasonOf } from "../data/reasonOf.ts"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { TextField } from "../ui/TextField.tsx"
import { words } from "./en.ts"
import { importFrom } from "./useUploads.ts"

interface Props {
  readonly onAdd: (media: Media) => void
  readonly onClose: () => void
}

/** Asks for the address of a file, which the service fetches. */
export const AddressDialog = ({ onAdd, onClose }: Props) => {
  const [address, setAddress] = useState("")
  const { error, isPending, mutate, reset } = useMutation({
    mutationFn: importFrom,
    onSuccess: (media) => {
      onAdd(media)
      onClose()
    }
  })
  return (
    <Dialog title={words.address.title} onClose={onClose}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isPending) mutate(address.trim())
        }}
      >
        <TextField
          label={words.address.field}
          help={words.address.help}
          problem={error === null ? undefined : reasonOf(error)}
          type="url"
          placeholder="https://"
          required
          autoFocus
          value={address}
          onChange={(value) => {
            setAddress(value)
            reset()
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
