import { Dialog, DialogTrigger } from "react-aria-components/Dialog"
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
export const AccountFilterList = ({ more, ...choice }: Props) => (
  <DialogTrigger>
    <Button look="quiet">
      <Icon name="plus" /> {words.accounts.more(more)}
    </Button>
    <Popover className="popover flex">
      <Dialog className="flex max-h-96 w-list flex-col p-2 outline-none" aria-label={words.accounts.label}>
        <AccountList {...choice} autoFocus />
      </Dialog>
    </Popover>
  </DialogTrigger>
)
