import { Link } from "@tanstack/react-router"
import { workspace } from "../data/api.ts"
import { networkName } from "../data/networkName.ts"
import { wallClock } from "../time/zone.ts"
import { Avatar } from "../ui/Avatar.tsx"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { AccountMenu, type AccountActions } from "./AccountMenu.tsx"
import { words } from "./en.ts"
import type { Scheduled } from "../data/scheduledByAccount.ts"
import type { Account } from "../data/accounts.ts"
import { when } from "./when.ts"

interface Props extends AccountActions {
  readonly account: Account
  readonly scheduled: Scheduled | undefined
  readonly now: Date
}

const waiting = ({ count, next }: Scheduled, now: Date) => {
  if (next === null) return words.waiting(count)
  const at = when(next, now, workspace.timezone)
  return new Date(next) > now ? words.waitingNext(count, at) : words.waitingSince(count, at)
}

/** An account that a person has to reconnect, with the posts that wait for it. */
export const BrokenAccount = ({ account, now, scheduled, ...actions }: Props) => (
  <section className="broken card" aria-labelledby={`broken-${account.id}`}>
    <Avatar account={account} size={36} />
    <div className="what">
      <h2 id={`broken-${account.id}`}>
        {account.name} <small>{networkName(account)}</small>
        <span className="chip bad">
          <Icon name="cross" />
          {words.states.needs_reconnect}
        </span>
      </h2>
      <p>
        {account.status_reason} {scheduled !== undefined && waiting(scheduled, now)}
      </p>
    </div>
    <div className="acts">
      {scheduled !== undefined && (
        <Link
          className="button quiet"
          to="/"
          search={{
            account: account.id,
            status: "scheduled",
            ...(scheduled.next === null
              ? {}
              : { date: wallClock(new Date(scheduled.next), workspace.timezone).day })
          }}
        >
          {words.seePosts(scheduled.count)}
        </Link>
      )}
      <Button look="main" onPress={() => actions.onReconnect(account)}>
        {words.reconnect}
      </Button>
      <AccountMenu account={account} {...actions} />
    </div>
  </section>
)
