import { useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { TextField } from "../ui/TextField.tsx"
import { resultWords as words } from "./resultWords.ts"

interface Props {
  readonly name: string
  readonly onConfirm: (url: string | null) => void
  readonly onClose: () => void
}

const isPage = (text: string) => /^https?:\/\/[^\s/]+\S*$/u.test(text)

/** Confirms that a post is live, and asks for its address. */
export const ItIsLiveDialog = ({ name, onClose, onConfirm }: Props) => {
  const [address, setAddress] = useState("")
  const [tried, setTried] = useState(false)
  const given = address.trim()
  const wrong = given !== "" && !isPage(given)
  return (
    <Dialog title={words.liveDialog.title(name)} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (!wrong) onConfirm(given === "" ? null : given)
        }}
      >
        <p>{words.liveDialog.text}</p>
        <TextField
          label={words.liveDialog.address}
          type="url"
          placeholder="https://"
          value={address}
          onChange={setAddress}
          help={words.liveDialog.help}
          problem={tried && wrong ? words.liveDialog.wrong : undefined}
        />
        <div className="actions">
          <Button onPress={onClose}>{words.liveDialog.cancel}</Button>
          <Button look="main" type="submit" autoFocus>
            {words.liveDialog.confirm}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
