import { type ReactNode, useRef } from "react"
import { Dialog } from "react-aria-components/Dialog"
import { Popover } from "react-aria-components/Popover"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { type AccountChoice, AccountList } from "./AccountList.tsx"

interface Props extends AccountChoice {
  /** What the list is called. */
  readonly label: string
  /** What stands on the button. */
  readonly children: ReactNode
  readonly isOpen: boolean
  readonly onOpen: (isOpen: boolean) => void
}

/** Opens all accounts, found by typing. */
export const AccountsButton = ({ children, isOpen, label, onOpen, ...choice }: Props) => {
  const opener = useRef<HTMLButtonElement>(null)
  return (
    <>
      <Button
        ref={opener}
        look="quiet"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPress={() => onOpen(true)}
      >
        <Icon name="plus" />
        {children}
      </Button>
      <Popover
        className="popover flex"
        placement="bottom start"
        triggerRef={opener}
        isOpen={isOpen}
        onOpenChange={onOpen}
      >
        <Dialog className="flex max-h-96 w-list flex-col p-2 outline-none" aria-label={label}>
          <AccountList {...choice} autoFocus />
        </Dialog>
      </Popover>
    </>
  )
}
