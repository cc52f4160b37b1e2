import type { CalendarPost } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import type { Accounts } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { networkName } from "../data/networkName.ts"
import { usePost } from "../data/posts.ts"
import { formatMoment } from "../post/formatMoment.ts"
import { Reconnect } from "../post/Reconnect.tsx"
import { resultRows } from "../post/resultRows.ts"
import { Icon } from "../ui/Icon.tsx"
import { Mark } from "../ui/Mark.tsx"
import { words } from "./en.ts"
import { PostMarks } from "./PostMarks.tsx"
import { PostThumb } from "./PostThumb.tsx"
import { textWithin } from "./textWithin.ts"

const zone = workspace.timezone

interface Props {
  readonly going: ReadonlyArray<CalendarPost>
  readonly next: ReadonlyArray<CalendarPost>
  readonly accounts: Accounts
  readonly now: number
}

/** A post that goes out now, with how far each account is. */
const GoingOut = ({ accounts, now, row }: Omit<Props, "going" | "next"> & { readonly row: CalendarPost }) => {
  const { data: post } = usePost(row.id)
  const results = post === undefined ? [] : resultRows(post.results, accounts, now)
  return (
    <li className="going">
      <Link to="/posts/$id" params={{ id: row.id }} className="next-row">
        <PostThumb post={row} />
        <span className="what">
          <span className="text">{textWithin(row.excerpt)}</span>
          <span className="when">
            {row.local} ·{" "}
            {words.now.progress(post?.progress.published ?? row.progress.published ?? 0, row.progress.total)}
          </span>
        </span>
      </Link>
      <ul>
        {results.slice(0, 5).map(({ result, state }) => (
          <li key={result.id} className={state}>
            <Mark platform={result.platform} />
            <span>
              {networkName(accounts.get(result.social_account_id) ?? result)}{" "}
              {accounts.get(result.social_account_id)?.name}
            </span>
            <span className="state">{words.now.state[state]}</span>
          </li>
        ))}
      </ul>
    </li>
  )
}

/** What goes out now, and what comes next. */
export const UpcomingPosts = ({ accounts, going, next, now }: Props) => (
  <>
    <section className="card" aria-labelledby="going-out">
      <h2 id="going-out">{words.now.title}</h2>
      {going.length === 0 ? (
        <p className="none">{words.now.none}</p>
      ) : (
        <ul>
          {going.slice(0, 3).map((row) => (
            <GoingOut key={row.id} row={row} accounts={accounts} now={now} />
          ))}
        </ul>
      )}
    </section>
    <section className="card" aria-labelledby="next">
      <header>
        <h2 id="next">{words.next.title}</h2>
        <Link to="/">{words.next.calendar}</Link>
      </header>
      {next.length === 0 ? (
        <p className="none">{words.next.none}</p>
      ) : (
        <ul>
          {next.map((post) => (
            <li key={post.id} className="next-one">
              <Link to="/posts/$id" params={{ id: post.id }} className="next-row">
                <PostThumb post={post} />
                <span className="what">
                  <span className="text">{textWithin(post.excerpt)}</span>
                  <span className={post.blocked_by === undefined ? "when" : "when blocked"}>
                    {post.blocked_by !== undefined && <Icon name="warning" />}
                    {formatMoment(post.at, now, zone)}
                    {post.blocked_by !== undefined && <span className="unseen">, {words.next.blocked}</span>}
                  </span>
                </span>
                {post.blocked_by === undefined && <PostMarks post={post} accounts={accounts} />}
              </Link>
              {post.blocked_by !== undefined && <Reconnect account={post.blocked_by} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  </>
)
