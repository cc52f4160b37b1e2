import type { Accounts } from "../data/accounts.ts"
import { Avatar } from "../ui/Avatar.tsx"
import "./AccountAvatars.css"

const most = 2

interface Props {
  readonly accounts: Accounts
  readonly ids: ReadonlyArray<number>
}

/** Whom a post goes to. It is decoration: `accountNames` says it. */
export const AccountAvatars = ({ accounts, ids }: Props) => {
  const found = ids.flatMap((id) => accounts.get(id) ?? [])
  return (
    <span className="avatars" aria-hidden="true">
      {found.slice(0, most).map((account) => (
        <Avatar key={account.id} account={account} size={18} />
      ))}
      {found.length > most && <span className="more">+{found.length - most}</span>}
    </span>
  )
}
