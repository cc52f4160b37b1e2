import { Link } from "@tanstack/react-router"
import { workspace } from "../data/api.ts"
import { Button } from "../ui/Button.tsx"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { CauseActions, type CauseActionsProps } from "./CauseActions.tsx"
import type { AffectedPost, Cause } from "./causesOf.ts"
import { causeText, nameOf } from "./causeText.ts"
import { dismissResults } from "./dismissResults.ts"
import { words } from "./en.ts"
import type { CauseElements } from "./useCauseFocus.ts"

const signs: Readonly<Record<Cause["kind"], IconName>> = {
  reconnect: "cross",
  doubt: "question",
  restored: "question",
  failed: "cross",
  ends: "clock",
  approval: "clock",
  approvals: "clock"
}

const mostCards = 3

const Cards = ({ more, posts }: { readonly posts: ReadonlyArray<AffectedPost>; readonly more: number }) => (
  <ul className="cards">
    {posts.slice(0, mostCards).map(({ id, picture, text }) => (
      <li key={id}>
        <Link to="/posts/$id" params={{ id }} className="post-chip">
          {picture === null ? null : <img src={picture} alt="" width={28} height={28} loading="lazy" />}
          <span>{nameOf(text)}</span>
        </Link>
      </li>
    ))}
    {more > 0 && <li className="more">{words.andMore(more)}</li>}
  </ul>
)

interface Props extends Omit<CauseActionsProps, "look"> {
  readonly now: number
  readonly first: boolean
  readonly leaving: boolean
  readonly elements: CauseElements
}

/** A cause, the posts that wait for it, and the one thing to do. */
export const CauseRow = ({ answers, cause, elements, first, leaving, now, onAsk, rooms }: Props) => {
  const [title, text] = causeText(cause, now, workspace.timezone)
  const id = `cause-${cause.key}`
  const total = cause.kind === "reconnect" ? Math.max(cause.total, cause.posts.length) : cause.posts.length
  return (
    <li
      ref={elements.row(cause.key)}
      className={`cause ${cause.kind}`}
      data-cause={cause.key}
      data-leaving={leaving || undefined}
      inert={leaving}
      tabIndex={-1}
      aria-labelledby={id}
    >
      <div className="inner">
        <span className="sign" aria-hidden="true">
          <Icon name={signs[cause.kind]} />
        </span>
        <div className="told">
          <h3 id={id}>{title}</h3>
          <p>{text}</p>
          {(cause.kind === "reconnect" || cause.kind === "restored" || cause.posts.length > 1) &&
            total > 0 && <Cards posts={cause.posts} more={total - Math.min(mostCards, cause.posts.length)} />}
        </div>
        <div className="does" ref={elements.actions(cause.key)}>
          <CauseActions
            answers={answers}
            cause={cause}
            look={first ? "main" : undefined}
            onAsk={onAsk}
            rooms={rooms}
          />
          {cause.kind === "failed" && (
            <Button
              square
              look="quiet"
              aria-label={words.failed.leave}
              onPress={() => void dismissResults(cause.results)}
            >
              <Icon name="cross" />
            </Button>
          )}
        </div>
      </div>
    </li>
  )
}
