/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role --
   a phone shows the rows as cards with `display: block`, for which browsers drop the roles of a table. */
import { Link } from "@tanstack/react-router"
import { workspace } from "../data/api.ts"
import { shortDay, wallClock } from "../time/zone.ts"
import { Avatar } from "../ui/Avatar.tsx"
import { Button } from "../ui/Button.tsx"
import { Icon } from "../ui/Icon.tsx"
import { platformName } from "@carillon/domain/PlatformFacts"
import { daysLeft, type Default, defaultOf, endingOf } from "../data/access.ts"
import { type AccountActions, AccountMenu } from "./AccountMenu.tsx"
import { words } from "./en.ts"
import type { ScheduledByAccount } from "../data/scheduledByAccount.ts"
import { TestMark } from "../post/TestMark.tsx"
import type { Account } from "../data/accounts.ts"
import { useOffered } from "./useOffered.ts"

interface Props extends AccountActions {
  readonly accounts: ReadonlyArray<Account>
  /** Undefined: not counted yet. */
  readonly scheduled: ScheduledByAccount | undefined
  /** The numbers are the least that there are. */
  readonly atLeast: boolean
  readonly now: Date
}

const columns = (accounts: ReadonlyArray<Account>) =>
  (["account", "state", "ends", "default", "planned"] as const).filter(
    (column) => column !== "default" || accounts.some((one) => defaultOf(one) !== null)
  )

export const AccountTable = ({ accounts, atLeast, now, scheduled, ...actions }: Props) => (
  <table className="accounts-table" role="table" aria-label={words.room}>
    <thead role="rowgroup">
      <tr role="row">
        {columns(accounts).map((column) => (
          <th key={column} role="columnheader" scope="col" className={column}>
            {words.columns[column]}
          </th>
        ))}
        <th role="columnheader" scope="col" className="actions">
          <span className="unseen">{words.columns.actions}</span>
        </th>
      </tr>
    </thead>
    <tbody role="rowgroup">
      {accounts.map((account) => (
        <AccountRow
          key={account.id}
          account={account}
          atLeast={atLeast}
          defaults={accounts.some((one) => defaultOf(one) !== null)}
          counted={scheduled !== undefined}
          scheduled={scheduled?.get(account.id)}
          now={now}
          {...actions}
        />
      ))}
    </tbody>
  </table>
)

interface RowProps extends AccountActions {
  readonly account: Account
  readonly atLeast: boolean
  /** Whether there is a column for them. */
  readonly defaults: boolean
  readonly counted: boolean
  readonly scheduled: { readonly count: number; readonly next: string | null } | undefined
  readonly now: Date
}

const AccountRow = ({ account, atLeast, counted, defaults, now, scheduled, ...actions }: RowProps) => {
  const ending = endingOf(account, now)
  const soon = ending.is === "soon"
  const gone = account.status === "disconnected"
  const choice = defaultOf(account)
  return (
    <tr role="row" className={gone ? "gone" : undefined} data-account={account.id}>
      <th role="rowheader" scope="row" className="who">
        <Avatar account={account} size={36} />
        <span className="names">
          <strong>{account.name}</strong>
          <span className="soft">
            {platformName(account.platform)} <TestMark of={account} />
            {account.display_name !== null &&
              account.display_name !== account.username &&
              ` · ${account.display_name}`}
          </span>
        </span>
      </th>
      <td role="cell" className="state">
        <span className={gone ? "soft" : soon ? "soon" : "good"}>
          <Icon name={gone ? "cross" : soon ? "clock" : "check"} />
          {gone ? words.states.disconnected : soon ? words.states.soon : words.states.connected}
        </span>
        {account.warning != null && !gone && <span className="soon">{account.warning}</span>}
      </td>
      <td role="cell" className="ends">
        {ending.is === "soon" && (
          <strong className="soon">{words.ends.inDays(daysLeft(ending.at, now, workspace.timezone))}</strong>
        )}
        {ending.is === "never" && words.ends.never}
        {ending.is === "on" && words.ends.on(shortDay(wallClock(ending.at, workspace.timezone).day))}
        {ending.is === "renewed" && (
          <span className="names">
            {words.ends.renewed}
            {ending.at !== null && (
              <span className="soft">
                {words.ends.before(shortDay(wallClock(ending.at, workspace.timezone).day))}
              </span>
            )}
          </span>
        )}
        {ending.is === "over" && <span className="soft">{words.nothing}</span>}
      </td>
      {defaults && (
        <td role="cell" className="default">
          {choice !== null && !gone ? (
            <DefaultName account={account} choice={choice} onPress={() => actions.onDefault(account)} />
          ) : (
            <span className="soft">{words.nothing}</span>
          )}
        </td>
      )}
      <td role="cell" className="planned figures">
        {scheduled !== undefined ? (
          <Link
            to="/"
            search={{
              account: account.id,
              status: "scheduled",
              ...(scheduled.next === null
                ? {}
                : { date: wallClock(new Date(scheduled.next), workspace.timezone).day })
            }}
          >
            {atLeast ? words.atLeast(scheduled.count) : words.posts(scheduled.count)}
          </Link>
        ) : (
          <span className="soft">{counted ? words.nothing : ""}</span>
        )}
      </td>
      <td role="cell" className="acts">
        {(soon || gone) && (
          <Button onPress={() => actions.onReconnect(account)}>
            {gone ? words.connectAgain : words.renew}
          </Button>
        )}
        <AccountMenu account={account} {...actions} />
      </td>
    </tr>
  )
}

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
    <Button look="quiet" aria-label={`${said.title(words.ofAccount(account))}: ${name()}`} onPress={onPress}>
      <span className="default-name">{name()}</span>
      <Icon name="down" />
    </Button>
  )
}
