import type { AccountsSearch } from "./accountsSearch.ts"

/** A way to a network's own page and back, kept in the tab meanwhile. */
export interface Journey {
  readonly id: string
  readonly platform: string
  /** The account that is to be connected again; null: a new one. */
  readonly account: number | null
}

export type Outcome =
  | { readonly is: "connected"; readonly accounts: ReadonlyArray<number>; readonly again: boolean }
  /** Another account than the one that was to be connected again. */
  | { readonly is: "another"; readonly accounts: ReadonlyArray<number>; readonly wanted: number }
  | {
      readonly is: "failed"
      readonly journey: Journey
      readonly error: string
      readonly message: string | undefined
    }

/** How a journey ended. null: the address speaks of none that this tab began, whoever wrote it. */
export const outcomeOf = (search: AccountsSearch, journey: Journey | null): Outcome | null => {
  if (journey === null || search.connected !== journey.id || search.status === undefined) return null
  // The choice that is still to be made will tell.
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

export const begin = (platform: string, account: number | null): Journey => {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(36)).join("")
  const journey = { id: `j${id}`, platform, account }
  sessionStorage.setItem(key, JSON.stringify(journey))
  return journey
}

/** The journey that this tab began, which is over then. */
export const end = (): Journey | null => {
  const kept = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return kept === null ? null : (JSON.parse(kept) as Journey)
}
