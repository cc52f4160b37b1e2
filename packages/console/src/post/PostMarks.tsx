import type { CalendarPost } from "@carillon/sdk"
import type { Accounts } from "../data/accounts.ts"
import { Mark } from "../ui/Mark.tsx"

const most = 4

interface Props {
  readonly post: CalendarPost
  readonly accounts: Accounts
}

/** The networks of a post. */
export const PostMarks = ({ accounts, post: { social_accounts: ids } }: Props) => (
  <span className="flex flex-none items-center gap-1 text-xs text-soft" aria-hidden="true">
    {ids.slice(0, most).map((id) => {
      const account = accounts.get(id)
      return account === undefined ? null : <Mark key={id} platform={account.platform} />
    })}
    {ids.length > most && `+${ids.length - most}`}
  </span>
)
