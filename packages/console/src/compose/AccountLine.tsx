import { memo, useState } from "react"
import { type AccountChoice, AccountList } from "../post/AccountList.tsx"
import { Avatar } from "../ui/Avatar.tsx"
import { Badge } from "../ui/Badge.tsx"
import { Button } from "../ui/Button.tsx"
import { Dialog } from "../ui/Dialog.tsx"
import { Icon } from "../ui/Icon.tsx"
import { words } from "./en.ts"
import { fieldNames } from "./fieldOf.ts"
import { useFocusFields } from "./focusFields.ts"

/** As many as fit a phone beside a name. */
const most = 5

/** On a phone: the chosen accounts in one line, which opens the list of all. */
export const AccountLine = memo((choice: AccountChoice) => {
  const { accounts, chosen, troubles } = choice
  const fields = useFocusFields()
  const [isOpen, setOpen] = useState(false)
  const members = accounts.filter(({ id }) => chosen.includes(id))
  const wrong = members.filter(({ id }) => (troubles?.get(id) ?? "") !== "").length
  const names = new Intl.ListFormat("en").format(members.map(({ name }) => name))
  return (
    <>
      <button
        type="button"
        className={line}
        data-accounts
        aria-haspopup="dialog"
        ref={fields.register(fieldNames.accounts, ...chosen.map(fieldNames.account))}
        onClick={() => setOpen(true)}
      >
        {members.length === 0 && <Icon name="plus" />}
        <span className="flex flex-none gap-2">
          {members.slice(0, most).map((account) => (
            <Avatar key={account.id} account={account} size={28} />
          ))}
        </span>
        {members.length > 1 && <span className="unseen">{words.chosenAccounts(names)}</span>}
        <span className="min-w-0 flex-1 truncate">
          {members.length === 0
            ? words.noneChosen
            : members.length === 1
              ? words.chosenAccounts(names)
              : members.length > most && `+${members.length - most}`}
        </span>
        {wrong > 0 && (
          <Badge>
            {wrong}
            <span className="unseen"> {words.accountState.problems(wrong)}</span>
          </Badge>
        )}
        <Icon name="down" />
      </button>
      {isOpen && (
        <Dialog title={words.parts.accounts} onClose={() => setOpen(false)}>
          <div className="flex max-h-half flex-col">
            <AccountList {...choice} />
          </div>
          <Button look="main" onPress={() => setOpen(false)}>
            {words.when.done}
          </Button>
        </Dialog>
      )}
    </>
  )
})

const line =
  "flex min-h-touch w-full items-center gap-2 border-0 bg-transparent p-0 text-left text-sm text-soft"
