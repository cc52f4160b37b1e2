import type { AccountsSearch } from "./accountsSearch.ts"

/** A visit to a network's own page, kept in the tab until the person is back. */
export interface Journey {
  readonly id: string
  readonly platform: string
  /** The account to reconnect; null: a new one. */
  readonly account: number | null
}

export type Outcome =
  | { readonly is: "connected"; readonly accounts: ReadonlyArray<number>; readonly again: boolean }
  /** A different account than the one to reconnect. */
  | { readonly is: "another"; readonly accounts: ReadonlyArray<number>; readonly wanted: number }
  | {
      readonly is: "failed"
      readonly journey: Journey
      readonly error: string
      readonly message: string | undefined
    }

/** How a journey ended; null: this tab began none that the address names. */
export const outcomeOf = (search: AccountsSearch, journey: Journey | null): Outcome | null => {
  if (journey === null || search.connected !== journey.id || search.status === undefined) return null
  // The person has yet to choose among accounts.
  if (search.status === "pending") return null
  const { error = "", message, social_account_id: accounts = [] } = search
  if (search.status === "failed") return { is: "failed", journey, error, message }
  const { account } = journey
  if (account === null) return { is: "connected", accounts, again: false }
  return accounts.includes(account)
    ? { is: "connected", accounts, again: true }
    : { is: "another", accounts, wanted: account }
}

const key = "carillon.journey"

export const beginJourney = (platform: string, account: number | null): Journey => {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36)).join("")
  const journey = { id: `j${id}`, platform, account }
  sessionStorage.setItem(key, JSON.stringify(journey))
  return journey
}

/** Ends the journey that this tab began, and returns it. */
export const endJourney = (): Journey | null => {
  const kept = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return kept === null ? null : (JSON.parse(kept) as Journey)
}
