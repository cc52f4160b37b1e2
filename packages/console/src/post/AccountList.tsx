import { type KeyboardEvent, type RefCallback, useState } from "react"
import { accountMatches } from "../data/accountMatches.ts"
import type { Account } from "../data/accounts.ts"
import { networkName } from "../data/networkName.ts"
import { Avatar } from "../ui/Avatar.tsx"
import { Checkbox } from "../ui/Checkbox.tsx"
import { SearchField } from "../ui/SearchField.tsx"
import { TextButton } from "../ui/TextButton.tsx"
import { toggled } from "../ui/toggled.ts"
import { accountFields } from "./accountFields.ts"
import { words } from "./en.ts"
import { TestMark } from "./TestMark.tsx"

/** The accounts to choose among, and those that are chosen. */
export interface AccountChoice {
  readonly accounts: ReadonlyArray<Account>
  readonly chosen: ReadonlyArray<number>
  /** What keeps chosen accounts from being ready; an empty text: nothing. An account is missing while nobody can tell. */
  readonly troubles?: ReadonlyMap<number, string>
  /** Makes the ref of a field known by its names. */
  readonly register?: (...names: ReadonlyArray<string>) => RefCallback<HTMLElement>
  readonly onChange: (chosen: ReadonlyArray<number>) => void
  /** It opened for its search. */
  readonly autoFocus?: boolean
}

/** More than these are searched. */
const most = 8

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** All accounts to choose among, of which a search leaves those that match. `Tab` takes it as one field, arrows go through it. */
export const AccountList = ({ accounts, autoFocus, chosen, onChange, register, troubles }: AccountChoice) => {
  const [sought, setSought] = useState("")
  const [at, setAt] = useState<number>()
  // The chosen ones are first, as of when the list last changed: none moves under the pointer.
  const [first, setFirst] = useState(() => new Set(chosen))
  const shown = accounts
    .filter(accountMatches(sought))
    .toSorted((one, other) => Number(first.has(other.id)) - Number(first.has(one.id)))
  const stop = shown.find(({ id }) => id === at) ?? shown[0]

  const isLong = accounts.length > most

  const toggle = (id: number) => onChange(toggled(chosen, id))

  const search = (text: string, more: ReadonlyArray<number> = []) => {
    setSought(text)
    setFirst(new Set([...chosen, ...more]))
  }

  const go = (event: KeyboardEvent<HTMLElement>) => {
    const boxes = [...event.currentTarget.querySelectorAll<HTMLInputElement>("input")]
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      // From the first of them it goes back to the search.
      boxes[boxes.indexOf(event.target as HTMLInputElement) + step]?.focus()
    } else if (event.key === "Enter" && (event.target as HTMLInputElement).type === "search") {
      event.preventDefault()
      const found = shown.find(({ id }) => !chosen.includes(id))
      // Within an input method, it takes a word.
      if (event.nativeEvent.isComposing || sought.trim() === "" || found === undefined) return
      toggle(found.id)
      search("", [found.id])
    }
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrows work on every control inside.
    <div
      role="group"
      aria-label={words.accounts.label}
      className="flex min-h-0 flex-col gap-2"
      onKeyDown={go}
    >
      {isLong && (
        <div className="flex flex-none">
          <SearchField
            ref={register?.(accountFields.accounts)}
            label={words.accounts.search(accounts.length)}
            value={sought}
            autoFocus={autoFocus}
            onChange={search}
          />
        </div>
      )}
      {chosen.length > 0 && (
        <p className="flex flex-none items-center gap-2 px-2 text-sm text-soft">
          {words.accounts.chosen(chosen.length)}
          <TextButton
            onClick={({ currentTarget }) => {
              // The button goes, and the focus with it.
              currentTarget.closest("[role=group]")!.querySelector("input")!.focus()
              onChange([])
            }}
          >
            {words.accounts.clear}
          </TextButton>
        </p>
      )}
      <ul className="min-h-0 overflow-y-auto p-1">
        {shown.map((account) => {
          const trouble = troubles?.get(account.id) ?? ""
          return (
            <li key={account.id}>
              <label className={row}>
                <Checkbox
                  ref={register?.(
                    accountFields.account(account.id),
                    ...(account === stop && !isLong ? [accountFields.accounts] : [])
                  )}
                  tabIndex={account === stop ? 0 : -1}
                  checked={chosen.includes(account.id)}
                  onFocus={() => setAt(account.id)}
                  onChange={() => toggle(account.id)}
                />
                <Avatar account={account} size={24} />
                <span className="flex min-w-0 flex-1 flex-col">
                  <span className="truncate">{account.name}</span>
                  {trouble !== "" && <span className="text-xs font-semibold text-bad">{trouble}</span>}
                </span>
                <TestMark of={account} />
                <span className="unseen">{networkName(account)}</span>
              </label>
            </li>
          )
        })}
      </ul>
      {shown.length === 0 && (
        <p className="px-2 text-sm text-soft" role="status">
          {words.accounts.none(sought)}
        </p>
      )}
    </div>
  )
}

const row = [
  "flex min-h-8 cursor-pointer items-center gap-2 rounded-control p-1 text-sm",
  "hover:bg-sunk has-checked:bg-tint max-md:min-h-touch"
].join(" ")
