import type { Account } from "../data/accounts.ts"

/** The accounts of the workspace, and those that a post goes out to. */
export interface AccountChoice {
  readonly accounts: ReadonlyArray<Account>
  readonly chosen: ReadonlyArray<number>
  /** What keeps chosen accounts from being ready; an empty text: nothing. An account is missing while nobody can tell. */
  readonly troubles: ReadonlyMap<number, string>
  readonly onChange: (chosen: ReadonlyArray<number>) => void
}
