import { type KeyboardEvent, useState } from "react"
import { networkName } from "../data/networkName.ts"
import { TestMark } from "../post/TestMark.tsx"
import { Avatar } from "../ui/Avatar.tsx"
import { accountMatches } from "./accountMatches.ts"
import type { AccountChoice } from "./AccountChoice.ts"
import { words } from "./en.ts"
import { fieldNames } from "./fieldOf.ts"
import { useFocusFields } from "./focusFields.ts"

/** More than these are searched. */
const most = 8

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** All accounts to choose among, of which a search leaves those that match. `Tab` takes it as one field, arrows go through it. */
export const AccountList = ({ accounts, chosen, onChange, troubles }: AccountChoice) => {
  const fields = useFocusFields()
  const [sought, setSought] = useState("")
  const [at, setAt] = useState<number>()
  // The chosen ones are first, as of when the list last changed: none moves under the pointer.
  const [first, setFirst] = useState(() => new Set(chosen))
  const shown = accounts
    .filter(accountMatches(sought))
    .toSorted((one, other) => Number(first.has(other.id)) - Number(first.has(one.id)))
  const stop = shown.find(({ id }) => id === at) ?? shown[0]

  const isLong = accounts.length > most

  const toggle = (id: number) =>
    onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])

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
      aria-label={words.parts.accounts}
      className="flex min-h-0 flex-col gap-2"
      onKeyDown={go}
    >
      {isLong && (
        <input
          type="search"
          className={searches}
          ref={fields.register(fieldNames.accounts)}
          aria-label={words.searchAccounts(accounts.length)}
          placeholder={words.searchAccounts(accounts.length)}
          value={sought}
          onChange={({ target }) => search(target.value)}
        />
      )}
      <ul className="min-h-0 overflow-y-auto p-1">
        {shown.map((account) => {
          const trouble = troubles.get(account.id) ?? ""
          return (
            <li key={account.id}>
              <label className={row}>
                <input
                  type="checkbox"
                  className="m-0 size-4 flex-none accent-brand"
                  ref={fields.register(
                    fieldNames.account(account.id),
                    ...(account === stop && !isLong ? [fieldNames.accounts] : [])
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
          {words.noAccountMatches(sought)}
        </p>
      )}
    </div>
  )
}

const searches = [
  "h-8 flex-none rounded-control border border-edge bg-card px-3 text-sm",
  "focus-visible:outline-2 focus-visible:outline-offset-0 max-md:h-touch max-md:text-lg"
].join(" ")

const row = [
  "flex min-h-8 cursor-pointer items-center gap-2 rounded-control p-1 text-sm",
  "hover:bg-sunk has-checked:bg-tint max-md:min-h-touch"
].join(" ")
