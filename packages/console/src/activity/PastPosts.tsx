import type { CalendarPost } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import type { Accounts } from "../data/accounts.ts"
import { AccountAvatars } from "../post/AccountAvatars.tsx"
import { accountNames } from "../post/accountNames.ts"
import { PostLine } from "../post/PostLine.tsx"
import { type PostState, stateOf } from "../post/PostState.ts"
import { addDays, type Day } from "../time/days.ts"
import { shortDay } from "../time/zone.ts"
import { Card } from "../ui/Card.tsx"
import { Icon } from "../ui/Icon.tsx"
import type { pastDays } from "./comingNext.ts"
import { words } from "./en.ts"
import { textWithin } from "./textWithin.ts"

const outcomeWords = (post: CalendarPost, state: PostState) => {
  const { published = 0, rejected = 0, repaired = 0, total } = post.progress
  const text = textWithin(post.excerpt)
  if (repaired > 0 && published + repaired === total) return words.happened.repaired(text)
  if (rejected > 0) return words.happened.rejected(text, rejected, total)
  // The posts of a thread before the one that failed are live.
  if (state === "failed" && published === total) return words.happened.broke(text)
  if (published === total) return words.happened.live(text, total)
  if (published > 0) return words.happened.part(text, published, total)
  if (state === "doubt") return words.happened.doubt(text)
  if (state === "blocked") return words.happened.blocked(text)
  return state === "failed" ? words.happened.failed(text) : words.happened.going(text)
}

const line = "flex items-center gap-3 px-4 text-ink no-underline -outline-offset-2 hover:bg-sunk"

const PastPost = ({ accounts, post }: { readonly post: CalendarPost; readonly accounts: Accounts }) => {
  const state = stateOf(post)
  const [text, outcome] = outcomeWords(post, state)
  return (
    <li>
      <Link to="/posts/$id" params={{ id: post.id }} className={line}>
        <PostLine
          size="medium"
          time={<time dateTime={post.at}>{post.local}</time>}
          state={state}
          picture={post.thumbnail_url ?? null}
          text={text}
          detail={outcome}
          accounts={<AccountAvatars accounts={accounts} ids={post.social_accounts} />}
        />
        <span className="unseen">{accountNames(post.social_accounts, accounts)}</span>
        <span className="text-soft">
          <Icon name="right" />
        </span>
      </Link>
    </li>
  )
}

interface Props {
  readonly days: ReturnType<typeof pastDays>
  readonly today: Day
  readonly accounts: Accounts
}

/** What became of the posts of the last days. */
export const PastPosts = ({ accounts, days, today }: Props) => {
  const named = new Map([
    [today, words.today],
    [addDays(today, -1), words.yesterday]
  ])
  if (days.length === 0) return null
  return (
    <Card label={words.happened.title}>
      {days.map(({ date, more, posts }) => (
        <div key={date}>
          <h2 className="px-4 pt-3 text-base font-normal text-soft">
            {named.has(date) && <strong className="font-semibold text-ink">{named.get(date)}</strong>}{" "}
            {shortDay(date)}
          </h2>
          <ul className="pb-2">
            {posts.map((post) => (
              <PastPost key={post.id} post={post} accounts={accounts} />
            ))}
            {more > 0 && (
              <li>
                <Link to="/" search={{ view: "agenda", date }} className={`${line} min-h-touch text-sm`}>
                  {words.happened.more(more)}
                </Link>
              </li>
            )}
          </ul>
        </div>
      ))}
    </Card>
  )
}
