import { Link, useRouter } from "@tanstack/react-router"
import type { CalendarPost } from "@carillon/sdk"
import { useEffect, useRef, useState } from "react"
import { type Accounts, useAccounts } from "../data/accounts.ts"
import { workspace } from "../data/api.ts"
import { type PostState, signs, stateOf } from "../post/PostState.ts"
import { useAnswering } from "../post/useAnswering.tsx"
import { formatMoment } from "../post/formatMoment.ts"
import { resultRows, titleOf } from "../post/resultRows.ts"
import { useAnswers } from "../post/useAnswers.ts"
import { postsChanged, usePost } from "../data/posts.ts"
import { useNow } from "../time/useNow.ts"
import { addDays, firstWeekdayOf, weekOf } from "../time/days.ts"
import { shortDay, wallClock } from "../time/zone.ts"
import { Icon } from "../ui/Icon.tsx"
import { Mark } from "../ui/Mark.tsx"
import { networkName } from "../data/networkName.ts"
import { PageName } from "../ui/PageName.tsx"
import { ErrorState } from "../ui/ErrorState.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { Reconnect } from "../post/Reconnect.tsx"
import { CauseRow, saying } from "./CauseRow.tsx"
import { words } from "./en.ts"
import type { Cause } from "./causesOf.ts"
import { numbersOf } from "./numbersOf.ts"
import { comingNext, goingOut, happened, useHappened } from "./comingNext.ts"
import { needsLast } from "../data/needs.ts"
import { useNeeds } from "./useNeeds.ts"
import "./Activity.css"
import "../styles/columns.css"

/** Within a sentence, without the point of its own. */
const textOf = (post: CalendarPost) => titleOf(post.excerpt).replace(/\.$/u, "") || words.noText

const Marks = ({ accounts, post }: { readonly post: CalendarPost; readonly accounts: Accounts }) => (
  <span className="marks" aria-hidden="true">
    {post.social_accounts.slice(0, 4).map((id) => {
      const account = accounts.get(id)
      return account === undefined ? null : <Mark key={id} platform={account.platform} />
    })}
    {post.social_accounts.length > 4 && <span className="mark more">+{post.social_accounts.length - 4}</span>}
  </span>
)

const Thumb = ({ post }: { readonly post: CalendarPost }) => (
  <span className="thumb" aria-hidden="true">
    {post.thumbnail_url !== undefined && <img src={post.thumbnail_url} alt="" loading="lazy" />}
  </span>
)

const happenedTo = (post: CalendarPost, state: PostState) => {
  const { published = 0, rejected = 0, repaired = 0, total } = post.progress
  const text = textOf(post)
  if (repaired > 0 && published + repaired === total) return words.happened.repaired(text)
  if (rejected > 0) return words.happened.rejected(text, rejected, total)
  if (published === total) return words.happened.live(text, total)
  if (published > 0) return words.happened.part(text, published, total)
  if (state === "doubt") return words.happened.doubt(text)
  if (state === "blocked") return words.happened.blocked(text)
  return state === "failed" ? words.happened.failed(text) : words.happened.going(text)
}

/** How long a row takes to fold away. */
const folding = 160

/** The causes, and for a moment those that are solved, so that they fold away where they are. */
const useFolding = (causes: ReadonlyArray<Cause>) => {
  const [shown, setShown] = useState(causes)
  const gone = new Set(shown.map(({ key }) => key))
  for (const { key } of causes) gone.delete(key)
  const leaving = [...gone].join()
  useEffect(() => {
    if (leaving === "") return setShown(causes)
    const timer = setTimeout(() => setShown(causes), folding)
    return () => clearTimeout(timer)
  }, [causes, leaving])
  const fresh = new Map(causes.map((cause) => [cause.key, cause]))
  return leaving === ""
    ? causes.map((cause) => ({ cause, leaving: false }))
    : shown.map((cause) => ({ cause: fresh.get(cause.key) ?? cause, leaving: gone.has(cause.key) }))
}

/** What is done first for a row: its first button or link. */
const deedOf = (row: Element | null | undefined) =>
  row?.querySelector<HTMLElement>(".does a, .does button") ?? null

const Needs = ({
  causes,
  sent,
  next
}: {
  readonly causes: ReadonlyArray<Cause>
  readonly sent: number
  readonly next: string | null
}) => {
  const router = useRouter()
  const rooms = { compose: "/compose" in router.routesByPath, accounts: "/accounts" in router.routesByPath }
  const now = useNow(false)
  const answers = useAnswers()
  const { ask, dialog } = useAnswering(answers)
  const rows = useFolding(causes)
  const list = useRef<HTMLUListElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const current = useRef<string | null>(null)
  const [said, setSaid] = useState("")
  const [known, setKnown] = useState(causes)

  // Where the row goes that a person was at, the focus moves on to the next one.
  useEffect(() => {
    setKnown(causes)
    const at = known.findIndex(({ key }) => key === current.current)
    if (at < 0 || causes.some(({ key }) => key === current.current)) return
    const after = [...known.slice(at + 1), ...known.slice(0, at).toReversed()].find(({ key }) =>
      causes.some((one) => one.key === key)
    )
    current.current = after?.key ?? null
    setSaid(after === undefined ? words.allSolved : words.solved(saying(after, Date.now())[0]))
    const away = document.activeElement
    const isElsewhere =
      away !== null &&
      away !== document.body &&
      list.current?.contains(away) !== true &&
      away.closest(".dialog") === null
    if (isElsewhere) return
    const row = after && list.current?.querySelector(`[data-cause="${CSS.escape(after.key)}"]`)
    const target = deedOf(row) ?? heading.current
    target?.focus()
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [causes])

  return (
    <section
      className="card needs"
      aria-labelledby="needs"
      onFocus={({ target }) => {
        current.current = target.closest<HTMLElement>("[data-cause]")?.dataset["cause"] ?? current.current
      }}
    >
      <header>
        <h2 id="needs" ref={heading} tabIndex={-1}>
          {words.needs}
        </h2>
        {causes.length > 0 && (
          <>
            <span className="needs-count">{causes.length}</span>
            <span className="hint">
              {words.keys} <kbd>J</kbd> <kbd>K</kbd>
            </span>
          </>
        )}
      </header>
      {rows.length === 0 ? (
        <div className="room-state">
          <svg className="drawing" viewBox="0 0 72 56" aria-hidden="true">
            <path d="M14 8h44" />
            <path d="M36 12c8 0 13 6 13 14v8c0 4 2 6 4 8H19c2-2 4-4 4-8v-8c0-8 5-14 13-14Z" />
            <circle cx="36" cy="47" r="3.5" className="clapper" />
          </svg>
          <h3>{words.nothing.title}</h3>
          <p>
            {words.nothing.sent(sent)}
            {next !== null && ` ${words.nothing.next(next)}`}
          </p>
        </div>
      ) : (
        <ul ref={list} className="causes">
          {rows.map(({ cause, leaving }, index) => (
            <CauseRow
              key={cause.key}
              cause={cause}
              now={now}
              first={index === 0}
              leaving={leaving}
              rooms={rooms}
              answers={answers}
              onAsk={ask}
            />
          ))}
        </ul>
      )}
      <div role="status" className="unseen">
        {said}
      </div>
      {dialog}
    </section>
  )
}

const GoingOut = ({ accounts, row }: { readonly row: CalendarPost; readonly accounts: Accounts }) => {
  const { data: post } = usePost(row.id)
  const results = post === undefined ? [] : resultRows(post.results, accounts, Date.now())
  return (
    <li className="going">
      <Link to="/posts/$id" params={{ id: row.id }} className="next-row">
        <Thumb post={row} />
        <span className="what">
          <span className="text">{textOf(row)}</span>
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

const firstWeekday = firstWeekdayOf(navigator.language)

/** What needs a person, then what happened; at the side what goes out now and next. */
export const Activity = () => {
  const needs = useNeeds()
  const now = useNow(false)
  const zone = workspace.timezone
  const today = wallClock(new Date(now), zone).day
  const { data, error, refetch } = useHappened(today)
  const accounts = useAccounts()
  // What has gone out may need a person now.
  const underway = data === undefined ? 0 : goingOut(data.days, now).length
  const before = useRef(0)
  useEffect(() => {
    if (underway < before.current) void postsChanged()
    before.current = underway
  }, [underway])
  const room = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const at = document.activeElement
      // A letter belongs to the field, menu or dialog that has the focus.
      const isOurs = at === document.body || at?.id === "room" || room.current?.contains(at) === true
      if (!isOurs || event.ctrlKey || event.metaKey || event.altKey) return
      const rows = [
        ...(room.current?.querySelectorAll<HTMLElement>("[data-cause]:not([data-leaving])") ?? [])
      ]
      const from = rows.findIndex((row) => row.contains(at))
      const step = { j: 1, k: -1 }[event.key.toLowerCase()]
      if (step !== undefined) {
        const first = step > 0 ? 0 : rows.length - 1
        rows[from < 0 ? first : Math.min(Math.max(from + step, 0), rows.length - 1)]?.focus()
        event.preventDefault()
      } else if (event.key === "Enter" && rows[from] === at) {
        deedOf(rows[from])?.click()
        event.preventDefault()
      }
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [])

  const failure = needs.error ?? error
  if ((needs.causes === undefined || data === undefined) && failure !== null)
    return (
      <ErrorState
        title={words.failedToLoad}
        error={failure}
        onRetry={() => {
          needs.refetch()
          void refetch()
        }}
      />
    )
  const title = (
    <div className="bar">
      <h1>
        <PageName />
      </h1>
    </div>
  )
  if (needs.causes === undefined || data === undefined)
    return (
      <div className="activity">
        {title}
        <Skeleton rows={6} height={64} />
      </div>
    )

  const past = happened(data.days, today, now)
  const moving = goingOut(data.days, now)
  const next = comingNext(data.days, now, 4)
  const week = numbersOf(data.days, weekOf(today, firstWeekday))
  const named = new Map([
    [today, words.today],
    [addDays(today, -1), words.yesterday]
  ])

  return (
    <div ref={room} className="activity">
      {title}
      <div className="columns">
        <div className="wide">
          <Needs
            causes={needs.causes}
            sent={week.posts}
            next={next[0] === undefined ? null : formatMoment(next[0].at, now, zone)}
          />
          {needs.causes.length > 0 && <p className="note">{words.lastDays(needsLast)}</p>}
          <section className="card happened" aria-label={words.happened.title}>
            {past.length === 0 && <p className="none">{words.happened.nothing}</p>}
            {past.map(({ date, more, posts }) => (
              <div key={date}>
                <h2>
                  {named.has(date) && <strong>{named.get(date)}</strong>} {shortDay(date)}
                </h2>
                <ul>
                  {posts.map((post) => {
                    const state = stateOf(post)
                    const icon = signs[state] ?? "clock"
                    return (
                      <li key={post.id}>
                        <Link to="/posts/$id" params={{ id: post.id }} className="line">
                          <time dateTime={post.at}>{post.local}</time>
                          <span className={`sign ${state}`} aria-hidden="true">
                            <Icon name={icon} />
                          </span>
                          <Thumb post={post} />
                          <span className="text">
                            <strong>{happenedTo(post, state)[0]}</strong>
                            <span>{happenedTo(post, state)[1]}</span>
                          </span>
                          <Marks post={post} accounts={accounts} />
                          <Icon name="right" />
                        </Link>
                      </li>
                    )
                  })}
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
        </div>
        <div className="side">
          <section className="card" aria-labelledby="going-out">
            <h2 id="going-out">{words.now.title}</h2>
            {moving.length === 0 ? (
              <p className="none">{words.now.none}</p>
            ) : (
              <ul>
                {moving.slice(0, 3).map((row) => (
                  <GoingOut key={row.id} row={row} accounts={accounts} />
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
                      <Thumb post={post} />
                      <span className="what">
                        <span className="text">{textOf(post)}</span>
                        <span className={post.blocked_by === undefined ? "when" : "when blocked"}>
                          {post.blocked_by !== undefined && <Icon name="warning" />}
                          {formatMoment(post.at, now, zone)}
                          {post.blocked_by !== undefined && (
                            <span className="unseen">, {words.next.blocked}</span>
                          )}
                        </span>
                      </span>
                      {post.blocked_by === undefined && <Marks post={post} accounts={accounts} />}
                    </Link>
                    {post.blocked_by !== undefined && <Reconnect account={post.blocked_by} />}
                  </li>
                ))}
              </ul>
            )}
          </section>
          <section className="card week" aria-labelledby="week">
            <h2 id="week">{words.week.title}</h2>
            <p className="note">{words.week.each}</p>
            <dl>
              {(["sent", "failed", "planned"] as const).map((one) => (
                <div key={one} className={week[one] === 0 ? "zero" : one}>
                  <dt>{words.week[one]}</dt>
                  <dd>{week.atLeast ? words.week.atLeast(week[one]) : week[one]}</dd>
                </div>
              ))}
            </dl>
          </section>
        </div>
      </div>
    </div>
  )
}
