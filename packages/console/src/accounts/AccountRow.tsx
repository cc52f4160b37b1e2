import { platformName } from "@carillon/domain/PlatformFacts"
import { Link } from "@tanstack/react-router"
import { daysLeft, type Default, defaultOf, type Ending, endingOf } from "../data/access.ts"
import type { Account } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import type { Scheduled } from "../data/scheduledByAccount.ts"
import { TestMark } from "../post/TestMark.tsx"
import { shortDay, wallClock } from "../time/zone.ts"
import { Actions } from "../ui/Actions.tsx"
import { Avatar } from "../ui/Avatar.tsx"
import { Button } from "../ui/Button.tsx"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { type AccountActions, AccountMenu } from "./AccountMenu.tsx"
import { words } from "./en.ts"
import { useOffered } from "./useOffered.ts"
import { when } from "./when.ts"

const zone = workspace.timezone

type State = keyof typeof words.states

const looks: Readonly<Record<State, readonly [IconName, color: string]>> = {
  connected: ["check", "text-good"],
  soon: ["clock", "text-brand"],
  needs_reconnect: ["cross", "text-bad"],
  disconnected: ["cross", "text-soft"],
  demo: ["question", "text-brand"]
}

const stateOf = ({ demo, status }: Account, ending: Ending): State =>
  demo === "replaced" ? "demo" : status === "connected" && ending.is === "soon" ? "soon" : status

const endOf = (ending: Ending, now: Date) => {
  if (!("at" in ending) || ending.at === null) return null
  const day = shortDay(wallClock(ending.at, zone).day)
  return ending.is === "soon" ? words.ends.inDays(daysLeft(ending.at, now, zone)) : words.ends[ending.is](day)
}

const waiting = ({ count, next }: Scheduled, now: Date) => {
  if (next === null) return words.waiting(count)
  const at = when(next, now, zone)
  return new Date(next) > now ? words.waitingNext(count, at) : words.waitingSince(count, at)
}

interface Props extends AccountActions {
  readonly account: Account
  readonly scheduled: Scheduled | undefined
  /** The number is the least that there are. */
  readonly atLeast: boolean
  readonly now: Date
}

/** An account, how it is, what waits for it, and what a person can do about it. */
export const AccountRow = ({ account, atLeast, now, scheduled, ...actions }: Props) => {
  const ending = endingOf(account, now)
  const state = stateOf(account, ending)
  const [icon, color] = looks[state]
  const end = endOf(ending, now)
  const choice = state === "connected" || state === "soon" ? defaultOf(account) : null
  const act = words.acts[state]
  const said = {
    demo: words.demo.text(account),
    needs_reconnect: `${account.status_reason ?? ""} ${scheduled === undefined ? "" : waiting(scheduled, now)}`,
    disconnected: null,
    connected: account.warning,
    soon: account.warning
  }[state]
  return (
    <li className={row} data-account={account.id} data-needs={state === "needs_reconnect" || undefined}>
      <Avatar account={account} size={36} />
      <div className="flex min-w-0 flex-1 flex-wrap gap-x-4 gap-y-1">
        <div className="flex min-w-0 flex-1 flex-col max-sm:min-w-full">
          <strong className="font-semibold wrap-anywhere">{account.name}</strong>
          <span className="truncate text-xs text-soft" data-network>
            {platformName(account.platform)} <TestMark of={account} />
            {account.display_name !== null &&
              account.display_name !== account.username &&
              ` · ${account.display_name}`}
          </span>
        </div>
        <div className="flex flex-wrap items-center gap-x-3 text-xs text-soft sm:flex-col sm:items-end">
          <span className={`flex items-center gap-1 text-sm font-semibold ${color}`}>
            <Icon name={icon} />
            {words.states[state]}
          </span>
          {end}
          {scheduled !== undefined && (
            <Link
              className="flex min-h-6 items-center text-inherit"
              to="/"
              search={{
                account: account.id,
                status: "scheduled",
                ...(scheduled.next === null ? {} : { date: wallClock(new Date(scheduled.next), zone).day })
              }}
            >
              {words.scheduled(scheduled.count, atLeast)}
            </Link>
          )}
          {choice !== null && (
            <DefaultName account={account} choice={choice} onPress={() => actions.onDefault(account)} />
          )}
        </div>
        {said != null && <p className="w-full text-sm">{said}</p>}
        {act !== undefined && (
          <div className="w-full">
            <Button
              look={state === "needs_reconnect" ? "main" : undefined}
              onPress={() => (state === "demo" ? actions.onDisconnect : actions.onReconnect)(account)}
            >
              {act}
            </Button>
          </div>
        )}
      </div>
      {state !== "demo" && (
        <Actions>
          <AccountMenu account={account} {...actions} />
        </Actions>
      )}
    </li>
  )
}

const row = "flex items-start gap-3 border-b border-hair px-4 py-3 data-needs:bg-bad-tint"

interface DefaultNameProps {
  readonly account: Account
  readonly choice: Default
  readonly onPress: () => void
}

const DefaultName = ({ account, choice, onPress }: DefaultNameProps) => {
  const { id } = choice
  const { data: offered, error } = useOffered(account.id, choice, id !== null)
  const said = words[choice.is]
  const name = () => {
    if (id === null) return said.notChosen
    if (offered === undefined) return error === null ? "…" : said.failed
    return offered.find((one) => one.id === id)?.name ?? said.unknown
  }
  return (
    <button
      type="button"
      className="flex min-h-6 cursor-pointer items-center gap-1 border-0 bg-transparent p-0 hover:text-ink"
      aria-label={`${said.title(words.ofAccount(account))}: ${name()}`}
      onClick={onPress}
    >
      <span className="max-w-chip truncate">{name()}</span>
      <Icon name="down" />
    </button>
  )
}
