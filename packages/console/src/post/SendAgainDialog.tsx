import { useId, useRef, useState } from "react"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Said } from "../ui/TextField.tsx"
import { Tick } from "../ui/Tick.tsx"
import { resultWords as words } from "./resultWords.ts"

interface Props {
  readonly network: string
  readonly name: string
  readonly onSend: () => void
  /** Marks it as not live without sending; absent if it is marked already. */
  readonly onLeave?: (() => void) | undefined
  readonly onClose: () => void
}

/** Asks before something is sent that may be live already. */
export const SendAgainDialog = ({ name, network, onClose, onLeave, onSend }: Props) => {
  const [looked, setLooked] = useState(false)
  const [asked, setAsked] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  const id = useId()
  const once = (act: () => void) => () => {
    if (looked) return act()
    setAsked(true)
    box.current?.focus()
  }
  return (
    <Dialog title={words.againDialog.title(network)} alert onClose={onClose}>
      <p>{words.againDialog.text}</p>
      <div className="field">
        <Tick
          ref={box}
          checked={looked}
          aria-describedby={id}
          onChange={({ target }) => setLooked(target.checked)}
        >
          {words.againDialog.looked(name)}
        </Tick>
        <Said id={id} problem={asked && !looked ? words.againDialog.lookFirst : undefined} />
      </div>
      <div className="actions">
        {onLeave && (
          <Button look="quiet" onPress={once(onLeave)}>
            {words.againDialog.leave}
          </Button>
        )}
        <Button autoFocus onPress={onClose}>
          {words.againDialog.cancel}
        </Button>
        <Button look="danger" onPress={once(onSend)}>
          {words.againDialog.confirm}
        </Button>
      </div>
    </Dialog>
  )
}
