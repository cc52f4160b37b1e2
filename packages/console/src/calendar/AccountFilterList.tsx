import { useRef, useState } from "react"
import { Autocomplete, useFilter } from "react-aria-components/Autocomplete"
import { Dialog } from "react-aria-components/Dialog"
import { Input } from "react-aria-components/Input"
import { ListBox, ListBoxItem } from "react-aria-components/ListBox"
import { Popover } from "react-aria-components/Popover"
import { SearchField } from "react-aria-components/SearchField"
import type { Account } from "../data/accounts.ts"
import { networkName } from "../data/networkName.ts"
import { words } from "../post/en.ts"
import { Avatar } from "../ui/Avatar.tsx"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"

interface Props {
  readonly accounts: ReadonlyArray<Account>
  readonly chosen: ReadonlyArray<number>
  /** How many of them stand nowhere else. */
  readonly more: number
  readonly onChoose: (chosen: ReadonlyArray<number>) => void
}

const input = "min-h-touch w-full border-0 border-b border-line bg-transparent px-4 -outline-offset-2"

/** All accounts, found by typing. */
export const AccountFilterList = ({ accounts, chosen, more, onChoose }: Props) => {
  const { contains } = useFilter({ sensitivity: "base" })
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
      <Popover className="popover w-popover" triggerRef={opener} isOpen={isOpen} onOpenChange={setOpen}>
        <Dialog className="max-h-96 overflow-y-auto outline-none" aria-label={words.accounts.label}>
          <Autocomplete filter={contains}>
            <SearchField className="sticky top-0 z-1 bg-card" aria-label={words.accounts.find} autoFocus>
              <Input className={input} placeholder={words.accounts.find} />
            </SearchField>
            <ListBox
              className="menu"
              aria-label={words.accounts.label}
              selectionMode="multiple"
              selectedKeys={chosen}
              onSelectionChange={(keys) => keys !== "all" && onChoose([...keys].map(Number))}
              renderEmptyState={() => <p className="p-3 text-soft">{words.accounts.none}</p>}
            >
              {accounts.map((account) => (
                <ListBoxItem
                  key={account.id}
                  id={account.id}
                  className="entry"
                  textValue={`${account.name} ${networkName(account)}`}
                >
                  {({ isSelected }) => (
                    <>
                      <Avatar account={account} size={26} />
                      <span className="truncate">{account.name}</span>
                      <span className="flex-none text-soft">{networkName(account)}</span>
                      <span className="end w-4 flex-none">{isSelected && <Icon name="check" />}</span>
                    </>
                  )}
                </ListBoxItem>
              ))}
            </ListBox>
          </Autocomplete>
        </Dialog>
      </Popover>
    </>
  )
}
