import type { Account } from "../data/accounts.ts"
import { networkName } from "../data/networkName.ts"

/** Whether the names of an account and its network have every word that a person looks for. */
export const accountMatches = (sought: string) => {
  const words = sought.toLocaleLowerCase().split(/\s+/)
  return (account: Account): boolean => {
    const names = [account.name, account.username, networkName(account)].join(" ").toLocaleLowerCase()
    return words.every((word) => names.includes(word))
  }
}
