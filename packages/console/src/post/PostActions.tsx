import type { CalendarPost } from "@carillon/sdk"
import type { Accounts } from "../data/accounts.ts"
import { networkName } from "../data/networkName.ts"
import { useNavigate } from "@tanstack/react-router"
import { HeldNote } from "./HeldNote.tsx"
import { PostAccounts } from "./PostAccounts.tsx"
import { Reconnect } from "./Reconnect.tsx"
import { StateSign } from "./StateSign.tsx"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { words } from "./en.ts"
import { isMovable } from "./PostState.ts"

interface Props {
  readonly row: CalendarPost
  readonly accounts: Accounts
  readonly onMove: () => void
  readonly onRemove: () => void
  readonly onDecided?: () => void
}

/** Where a post goes, and what can be done with it. */
export const PostActions = ({ accounts, onDecided, onMove, onRemove, row }: Props) => {
  const approval = row.approval?.status === "waiting" ? row.approval : undefined
  const navigate = useNavigate()
  return (
    <>
      {row.blocked_by !== undefined && (
        <p className="flex items-center gap-2 rounded-control bg-bad-tint p-2">
          <StateSign state="blocked" />
          <span className="flex-1">
            {words.reconnect(
              networkName(accounts.get(row.blocked_by) ?? { platform: "" }),
              accounts.get(row.blocked_by)?.name ?? ""
            )}
          </span>
          <Reconnect account={row.blocked_by} />
        </p>
      )}
      <PostAccounts row={row} accounts={accounts} />
      {approval !== undefined && (
        <HeldNote post={{ ...row, approval, scheduled_at: row.at }} onDecided={onDecided} />
      )}
      <div className="flex items-center gap-2">
        <Button
          look={approval === undefined ? "main" : undefined}
          onPress={() => void navigate({ to: "/posts/$id", params: { id: row.id } })}
        >
          <Icon name={isMovable(row) ? "pencil" : "arrow"} />
          {isMovable(row) ? words.edit : words.openPost}
        </Button>
        {isMovable(row) && (
          <Button onPress={onMove}>
            <Icon name="calendar" />
            {words.moveTo}
          </Button>
        )}
        <span className="flex-1" />
        <Button
          look="quiet"
          square
          aria-label={words.duplicate}
          onPress={() => void navigate({ to: "/compose", search: { from: row.id } })}
        >
          <Icon name="copy" />
        </Button>
        {isMovable(row) && (
          <Button look="quiet" square aria-label={words.remove} onPress={onRemove}>
            <Icon name="trash" />
          </Button>
        )}
      </div>
    </>
  )
}
