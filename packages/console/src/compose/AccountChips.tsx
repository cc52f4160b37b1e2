import { memo, useState } from "react"
import { Button as AriaButton } from "react-aria-components/Button"
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu"
import { Popover } from "react-aria-components/Popover"
import { TestMark } from "../post/TestMark.tsx"
import type { Account } from "../data/accounts.ts"
import { Avatar } from "../ui/Avatar.tsx"
import { Icon } from "../ui/Icon.tsx"
import { words } from "./en.ts"
import { fieldNames } from "./fieldOf.ts"
import { useFocusFields } from "./focusFields.ts"
import { platformName } from "@carillon/domain/PlatformFacts"
import { networkName } from "../data/networkName.ts"

interface Props {
  readonly accounts: ReadonlyArray<Account>
  readonly chosen: ReadonlyArray<number>
  readonly counts: ReadonlyMap<number, number>
  /** Whether enough is written to call an account ready. */
  readonly judged: boolean
  readonly onChange: (chosen: ReadonlyArray<number>) => void
}

/** As many as fit two rows; the others are in a menu. */
const most = 8
const few = 5

export const AccountChips = memo(({ accounts, chosen, counts, judged, onChange }: Props) => {
  const fields = useFocusFields()
  // Accounts that were chosen once stay visible, so that no chip jumps under the pointer.
  const [pinned, setPinned] = useState(() => new Set(chosen))
  const shown =
    accounts.length <= most
      ? accounts
      : accounts.filter(({ id }, index) => index < few || chosen.includes(id) || pinned.has(id))
  const others = accounts.filter((account) => !shown.includes(account))
  const toggle = (id: number) => {
    setPinned((before) => new Set(before).add(id))
    onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  }
  return (
    <div className="account-chips" role="group" aria-label={words.parts.accounts}>
      {shown.map((account) => {
        const isChosen = chosen.includes(account.id)
        const count = isChosen && judged ? (counts.get(account.id) ?? 0) : undefined
        return (
          <button
            key={account.id}
            type="button"
            className="account-chip"
            aria-pressed={isChosen}
            data-wrong={(count ?? 0) > 0 || undefined}
            ref={fields.register(
              fieldNames.account(account.id),
              ...(account === shown[0] ? [fieldNames.accounts] : [])
            )}
            onClick={() => toggle(account.id)}
          >
            <Avatar account={account} size={26} />
            <span className="name">{account.name}</span>
            <TestMark of={account} />
            <span className="unseen">{platformName(account.platform)}</span>
            <span className="sign">
              {count === 0 && (
                <>
                  <Icon name="check" />
                  <span className="unseen">{words.accountState.ready}</span>
                </>
              )}
              {count !== undefined && count > 0 && (
                <span className="number">
                  {count}
                  <span className="unseen"> {words.accountState.problems(count)}</span>
                </span>
              )}
            </span>
          </button>
        )
      })}
      {others.length > 0 && (
        <MenuTrigger>
          <AriaButton className="button quiet">
            <Icon name="plus" />
            {words.moreAccounts(others.length)}
          </AriaButton>
          <Popover className="popover many">
            <Menu
              className="menu"
              aria-label={words.parts.accounts}
              selectionMode="multiple"
              shouldCloseOnSelect={false}
              selectedKeys={chosen.map(String)}
              onSelectionChange={(keys) => {
                if (keys === "all") return
                const next = [...keys].map(Number)
                setPinned((before) => new Set([...before, ...next]))
                onChange([
                  ...chosen.filter((id) => next.includes(id) || !others.some((one) => one.id === id)),
                  ...next.filter((id) => !chosen.includes(id))
                ])
              }}
            >
              {others.map((account) => (
                <MenuItem
                  key={account.id}
                  id={String(account.id)}
                  className="entry"
                  // Typing finds it without the @.
                  textValue={`${account.username} ${networkName(account)}`}
                >
                  <Avatar account={account} size={26} />
                  {account.name}
                  <span className="end soft">{networkName(account)}</span>
                </MenuItem>
              ))}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
    </div>
  )
})
