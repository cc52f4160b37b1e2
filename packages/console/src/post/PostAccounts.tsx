import type { CalendarPost } from "@carillon/sdk"
import type { Accounts } from "../data/accounts.ts"
import { networkName } from "../data/networkName.ts"
import { Avatar } from "../ui/Avatar.tsx"

interface Props {
  readonly row: CalendarPost
  readonly accounts: Accounts
}

/** Whom a post goes to, by name. */
export const PostAccounts = ({ accounts, row }: Props) => (
  <ul className="flex flex-wrap gap-x-3 gap-y-1 text-xs">
    {row.social_accounts
      .flatMap((id) => accounts.get(id) ?? [])
      .map((account) => (
        <li key={account.id} className="flex items-center gap-2">
          <Avatar account={account} size={18} /> {account.name}
          <span className="text-soft">{networkName(account)}</span>
        </li>
      ))}
  </ul>
)
