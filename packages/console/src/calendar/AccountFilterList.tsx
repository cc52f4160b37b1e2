import { useRef, useState } from "react"
import { Dialog } from "react-aria-components/Dialog"
import { Popover } from "react-aria-components/Popover"
import { type AccountChoice, AccountList } from "../post/AccountList.tsx"
import { words } from "../post/en.ts"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"

interface Props extends AccountChoice {
  /** How many of them stand nowhere else. */
  readonly more: number
}

/** All accounts, found by typing. */
export const AccountFilterList = ({ more, ...choice }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Button
        ref={opener}
        look="quiet"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={() => setOpen(true)}
      >
        <Icon name="plus" /> {words.accounts.more(more)}
      </Button>
      <Popover className="popover flex" triggerRef={opener} isOpen={isOpen} onOpenChange={setOpen}>
        <Dialog className="flex max-h-96 w-list flex-col p-2 outline-none" aria-label={words.accounts.label}>
          <AccountList {...choice} autoFocus />
        </Dialog>
      </Popover>
    </>
  )
}
