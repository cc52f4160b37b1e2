import { Suspense, useRef, useState } from "react"
import type { Account, Accounts } from "../data/accounts.ts"
import { words } from "../post/en.ts"
import { platformName } from "@carillon/domain/PlatformFacts"
import { Avatar } from "../ui/Avatar.tsx"
import { Icon } from "../ui/Icon.tsx"
import { later } from "../ui/later.ts"
import { toggled } from "../ui/toggled.ts"
import { useFitting } from "./useFitting.ts"

const AccountsButton = later(() => import("../post/AccountsButton.tsx"), "AccountsButton")

/** More than fit a line of any screen. */
const most = 16

/** As high as a chip and its outline: what wraps is not seen. */
const chipLine = "-mx-1 flex h-chips min-w-0 flex-wrap gap-2 overflow-hidden p-1"
const chip = "inline-flex h-8 max-w-chip cursor-pointer items-center gap-2 rounded-full border pe-3 text-sm"
const on = "border-brand bg-tint font-semibold text-brand"
const off = "border-line bg-card hover:bg-sunk"

interface Props {
  readonly accounts: Accounts
  readonly chosen: ReadonlyArray<number>
  /** A phone has room for the chosen ones alone. */
  readonly isNarrow: boolean
  readonly onChoose: (chosen: ReadonlyArray<number>) => void
}

/** Accounts whose posts are shown: what fits a line as chips, all in a list. */
export const AccountFilter = ({ accounts, chosen, isNarrow, onChoose }: Props) => {
  // What was chosen once keeps its place, so that no chip jumps under the pointer.
  const [first, setFirst] = useState(chosen)
  const { fitting, ref } = useFitting()
  const all = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const inFront = [...first, ...accounts.keys()].flatMap((id) => accounts.get(id) ?? [])
  const chips = [...new Set(inFront)].filter(({ id }) => !isNarrow || chosen.includes(id)).slice(0, most)
  const shown = isNarrow ? chips.length : Math.min(fitting, chips.length)
  const isChosen = ({ id }: Account) => chosen.includes(id)
  if (accounts.size < 2 && chosen.length === 0) return null
  return (
    <div
      className={`flex items-center gap-2 ${isNarrow ? "flex-none" : "min-w-0 flex-1"}`}
      role="group"
      aria-label={words.accounts.label}
    >
      <button
        ref={all}
        type="button"
        className={`${chip} flex-none ps-3 ${chosen.length === 0 ? on : off}`}
        aria-pressed={chosen.length === 0}
        onClick={() => onChoose([])}
      >
        {words.accounts.all}
      </button>
      <div className={isNarrow ? "flex gap-2 empty:hidden" : chipLine} ref={ref}>
        {chips.map((account, index) => (
          <button
            key={account.id}
            type="button"
            className={`${chip} ps-1 ${isChosen(account) ? on : off} data-hidden:invisible`}
            aria-pressed={isChosen(account)}
            data-hidden={index >= shown || undefined}
            onClick={() => {
              onChoose(toggled(chosen, account.id))
              // The chip goes, and the focus with it.
              if (isNarrow) all.current?.focus()
            }}
          >
            <Avatar account={account} size={20} />
            <span className="truncate">{account.name}</span>
            <span className="unseen">{platformName(account.platform)}</span>
          </button>
        ))}
      </div>
      {shown < accounts.size && (
        <Suspense
          fallback={
            <span className="button quiet">
              <Icon name="plus" /> {words.accounts.more(accounts.size - shown)}
            </span>
          }
        >
          <AccountsButton
            label={words.accounts.label}
            isOpen={isOpen}
            onOpen={setOpen}
            accounts={[...accounts.values()]}
            chosen={chosen}
            onChange={(ids) => {
              setFirst([...ids.filter((id) => !first.includes(id)), ...first])
              onChoose(ids)
            }}
          >
            {words.accounts.more(accounts.size - shown)}
          </AccountsButton>
        </Suspense>
      )}
    </div>
  )
}
