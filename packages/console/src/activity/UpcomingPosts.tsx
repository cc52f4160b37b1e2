import type { CalendarPost } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import type { Accounts } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { networkName } from "../data/networkName.ts"
import { usePost } from "../data/posts.ts"
import { AccountAvatars } from "../post/AccountAvatars.tsx"
import { accountNames } from "../post/accountNames.ts"
import { formatMoment } from "../post/formatMoment.ts"
import { PostLine } from "../post/PostLine.tsx"
import { Reconnect } from "../post/Reconnect.tsx"
import { type ResultRow, resultRows } from "../post/resultRows.ts"
import { Avatar } from "../ui/Avatar.tsx"
import { Card } from "../ui/Card.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Note } from "../ui/Note.tsx"
import { words } from "./en.ts"
import { textWithin } from "./textWithin.ts"

const zone = workspace.timezone

interface Props {
  readonly going: ReadonlyArray<CalendarPost>
  readonly next: ReadonlyArray<CalendarPost>
  readonly accounts: Accounts
  readonly now: number
}

const Blocked = ({ at, now }: { readonly at: string; readonly now: number }) => (
  <span className="flex items-center gap-1 text-bad">
    <Icon name="warning" />
    {formatMoment(at, now, zone)}
    <span className="unseen">, {words.next.blocked}</span>
  </span>
)

/** A post that goes out now, with how far each account is. */
const GoingOut = ({ accounts, now, row }: Omit<Props, "going" | "next"> & { readonly row: CalendarPost }) => {
  const { data: post } = usePost(row.id)
  const results = post === undefined ? [] : resultRows(post.results, accounts, now)
  return (
    <li className="px-4 pb-2">
      <Link to="/posts/$id" params={{ id: row.id }} className={line}>
        <PostLine
          size="large"
          picture={row.thumbnail_url ?? null}
          text={textWithin(row.excerpt)}
          detail={`${row.local} · ${words.now.progress(post?.progress.published ?? row.progress.published ?? 0, row.progress.total)}`}
        />
      </Link>
      <ul>
        {results.slice(0, 5).map(({ result, state }) => {
          const account = accounts.get(result.social_account_id)
          return (
            <li key={result.id} className="flex items-center gap-2 py-1 text-sm">
              {account && <Avatar account={account} size={18} />}
              <span className="truncate">
                {account?.name} {networkName(account ?? result)}
              </span>
              <span className={`ms-auto flex-none ${colors[state] ?? "text-wait"}`}>
                {words.now.state[state]}
              </span>
            </li>
          )
        })}
      </ul>
    </li>
  )
}

const colors: Readonly<Partial<Record<ResultRow["state"], string>>> = {
  live: "text-good",
  repaired: "text-good",
  failed: "text-bad",
  blocked: "text-bad",
  doubt: "text-doubt"
}

const line = "flex min-w-0 flex-1 text-ink no-underline -outline-offset-2"

/** What goes out now, and what comes next. */
export const UpcomingPosts = ({ accounts, going, next, now }: Props) => (
  <>
    <Card title={words.now.title}>
      {going.length === 0 ? (
        <Note>{words.now.none}</Note>
      ) : (
        <ul>
          {going.slice(0, 3).map((row) => (
            <GoingOut key={row.id} row={row} accounts={accounts} now={now} />
          ))}
        </ul>
      )}
    </Card>
    <Card
      title={words.next.title}
      beside={
        <Link to="/" className="ms-auto flex items-center text-sm max-sm:min-h-touch">
          {words.next.calendar}
        </Link>
      }
    >
      {next.length === 0 ? (
        <Note>{words.next.none}</Note>
      ) : (
        <ul className="pb-2">
          {next.map((post) => (
            <li key={post.id} className="flex items-center gap-2 px-4 py-1 hover:bg-sunk">
              <Link to="/posts/$id" params={{ id: post.id }} className={line}>
                <PostLine
                  size="large"
                  picture={post.thumbnail_url ?? null}
                  text={textWithin(post.excerpt)}
                  detail={
                    post.blocked_by === undefined ? (
                      formatMoment(post.at, now, zone)
                    ) : (
                      <Blocked at={post.at} now={now} />
                    )
                  }
                  accounts={
                    post.blocked_by === undefined && (
                      <AccountAvatars accounts={accounts} ids={post.social_accounts} />
                    )
                  }
                />
                <span className="unseen">{accountNames(post.social_accounts, accounts)}</span>
              </Link>
              {post.blocked_by !== undefined && <Reconnect account={post.blocked_by} />}
            </li>
          ))}
        </ul>
      )}
    </Card>
  </>
)
