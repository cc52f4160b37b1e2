import type { Account } from "./accounts.ts"
import { networkName } from "./networkName.ts"

/** Whether the names of an account and its network have every word that a person looks for. */
export const accountMatches = (sought: string) => {
  const words = sought.toLocaleLowerCase().split(/\s+/)
  return (account: Account): boolean => {
    const { display_name, name, username } = account
    const names = [name, username, display_name, networkName(account)].join(" ").toLocaleLowerCase()
    return words.every((word) => names.includes(word))
  }
}
