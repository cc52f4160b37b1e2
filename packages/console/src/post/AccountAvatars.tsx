import type { Accounts } from "../data/accounts.ts"
import { Avatar } from "../ui/Avatar.tsx"

const most = 2

interface Props {
  readonly accounts: Accounts
  readonly ids: ReadonlyArray<number>
}

/** Whom a post goes to. It is decoration: `accountNames` says it. */
export const AccountAvatars = ({ accounts, ids }: Props) => {
  const found = ids.flatMap((id) => accounts.get(id) ?? [])
  return (
    <span className="inline-flex flex-none items-center gap-1 pe-1" aria-hidden="true">
      {found.slice(0, most).map((account) => (
        <Avatar key={account.id} account={account} size={18} />
      ))}
      {found.length > most && <span className="text-xs text-soft tabular-nums">+{found.length - most}</span>}
    </span>
  )
}
