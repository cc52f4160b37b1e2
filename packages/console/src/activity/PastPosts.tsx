import type { CalendarPost } from "@carillon/sdk"
import { Link } from "@tanstack/react-router"
import type { Accounts } from "../data/accounts.ts"
import { type PostState, signs, stateOf } from "../post/PostState.ts"
import { addDays, type Day } from "../time/days.ts"
import { shortDay } from "../time/zone.ts"
import { Icon } from "../ui/Icon.tsx"
import type { pastDays } from "./comingNext.ts"
import { words } from "./en.ts"
import { PostMarks } from "./PostMarks.tsx"
import { PostThumb } from "./PostThumb.tsx"
import { textWithin } from "./textWithin.ts"

const outcomeWords = (post: CalendarPost, state: PostState) => {
  const { published = 0, rejected = 0, repaired = 0, total } = post.progress
  const text = textWithin(post.excerpt)
  if (repaired > 0 && published + repaired === total) return words.happened.repaired(text)
  if (rejected > 0) return words.happened.rejected(text, rejected, total)
  if (published === total) return words.happened.live(text, total)
  if (published > 0) return words.happened.part(text, published, total)
  if (state === "doubt") return words.happened.doubt(text)
  if (state === "blocked") return words.happened.blocked(text)
  return state === "failed" ? words.happened.failed(text) : words.happened.going(text)
}

const PastPost = ({ accounts, post }: { readonly post: CalendarPost; readonly accounts: Accounts }) => {
  const state = stateOf(post)
  const [text, outcome] = outcomeWords(post, state)
  return (
    <li>
      <Link to="/posts/$id" params={{ id: post.id }} className="line">
        <time dateTime={post.at}>{post.local}</time>
        <span className={`sign ${state}`} aria-hidden="true">
          <Icon name={signs[state] ?? "clock"} />
        </span>
        <PostThumb post={post} />
        <span className="text">
          <strong>{text}</strong>
          <span>{outcome}</span>
        </span>
        <PostMarks post={post} accounts={accounts} />
        <Icon name="right" />
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
  return (
    <section className="card happened" aria-label={words.happened.title}>
      {days.length === 0 && <p className="none">{words.happened.nothing}</p>}
      {days.map(({ date, more, posts }) => (
        <div key={date}>
          <h2>
            {named.has(date) && <strong>{named.get(date)}</strong>} {shortDay(date)}
          </h2>
          <ul>
            {posts.map((post) => (
              <PastPost key={post.id} post={post} accounts={accounts} />
            ))}
            {more > 0 && (
              <li>
                <Link to="/" search={{ view: "agenda", date }} className="line more">
                  {words.happened.more(more)}
                </Link>
              </li>
            )}
          </ul>
        </div>
      ))}
    </section>
  )
}
