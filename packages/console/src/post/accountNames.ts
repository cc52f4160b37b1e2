import type { Accounts } from "../data/accounts.ts"
import { networkName } from "../data/networkName.ts"

/** What a screen reader says of a post's accounts; nothing of one that is gone. */
export const accountNames = (ids: ReadonlyArray<number>, accounts: Accounts) =>
  ids
    .flatMap((id) => accounts.get(id) ?? [])
    .map((account) => `${networkName(account)} ${account.name}`)
    .join(", ")
