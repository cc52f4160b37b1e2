import { platformName } from "@carillon/domain/PlatformFacts"
import { memo, useState } from "react"
import type { AccountChoice } from "../post/AccountList.tsx"
import { AccountsButton } from "../post/AccountsButton.tsx"
import { TestMark } from "../post/TestMark.tsx"
import { Avatar } from "../ui/Avatar.tsx"
import { Icon } from "../ui/Icon.tsx"
import { toggled } from "../ui/toggled.ts"
import { words } from "./en.ts"
import { fieldNames } from "./fieldOf.ts"
import { useFocusFields } from "./focusFields.ts"

/** As many as fit two or three rows; the others are in a list. */
const most = 10
const few = 5

export const AccountChips = memo((choice: AccountChoice) => {
  const { accounts, chosen, onChange, troubles } = choice
  const fields = useFocusFields()
  // Accounts that were chosen once stay visible, so that no chip jumps under the pointer; the list adds its own when it closes.
  const [pinned, setPinned] = useState(() => new Set(chosen))
  const [isOpen, setOpen] = useState(false)
  const isWrong = (id: number) => chosen.includes(id) && (troubles?.get(id) ?? "") !== ""
  const inFront = accounts
    .filter(({ id }, index) => index < few || pinned.has(id) || (chosen.includes(id) && !isOpen))
    .toSorted((one, other) => Number(pinned.has(other.id)) - Number(pinned.has(one.id)))
  // Those with problems are always among them, in the place that they would have anyway.
  const kept = new Set(
    inFront.toSorted((one, other) => Number(isWrong(other.id)) - Number(isWrong(one.id))).slice(0, most)
  )
  const shown = accounts.length <= most ? accounts : inFront.filter((account) => kept.has(account))
  const listed = chosen.filter((id) => !shown.some((account) => account.id === id)).length
  const toggle = (id: number) => {
    setPinned((before) => new Set(before).add(id))
    onChange(toggled(chosen, id))
  }
  return (
    <div
      className="flex flex-wrap items-center gap-2"
      role="group"
      aria-label={words.parts.accounts}
      data-accounts
    >
      {shown.map((account) => {
        const isChosen = chosen.includes(account.id)
        const trouble = isChosen ? troubles?.get(account.id) : undefined
        return (
          <button
            key={account.id}
            type="button"
            className={chip}
            aria-pressed={isChosen}
            data-account={account.id}
            data-wrong={(trouble ?? "") !== "" || undefined}
            ref={fields.register(
              fieldNames.account(account.id),
              ...(account === shown[0] ? [fieldNames.accounts] : [])
            )}
            onClick={() => toggle(account.id)}
          >
            <Avatar account={account} size={24} />
            <span className="truncate">{account.name}</span>
            <TestMark of={account} />
            <span className="unseen">{platformName(account.platform)}</span>
            {/* It keeps its place, so that choosing an account moves no other. */}
            <span className="grid min-w-4 flex-none place-items-center text-xs font-semibold">
              {trouble === "" ? (
                <span className="grid text-good">
                  <Icon name="check" />
                  <span className="unseen">{words.accountState.ready}</span>
                </span>
              ) : (
                trouble !== undefined && <span className="text-bad">{trouble}</span>
              )}
            </span>
          </button>
        )
      })}
      {accounts.length > shown.length && (
        <AccountsButton {...choice} label={words.parts.accounts} isOpen={isOpen} onOpen={setOpen}>
          {words.moreAccounts(accounts.length - shown.length, listed)}
        </AccountsButton>
      )}
    </div>
  )
})

const chip = [
  "inline-flex min-h-8 max-w-full cursor-pointer items-center gap-2 rounded-pill border border-edge bg-card py-1 pe-2 ps-1",
  "text-sm text-soft hover:bg-sunk aria-pressed:border-brand aria-pressed:bg-tint aria-pressed:text-ink",
  "data-wrong:border-bad data-wrong:bg-bad-tint"
].join(" ")
