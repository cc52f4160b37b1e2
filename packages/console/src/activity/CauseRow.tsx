import { Link } from "@tanstack/react-router"
import { workspace } from "../data/api.ts"
import { PostLine } from "../post/PostLine.tsx"
import { Actions } from "../ui/Actions.tsx"
import { Button } from "../ui/Button.tsx"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { CauseActions, type CauseActionsProps } from "./CauseActions.tsx"
import type { AffectedPost, Cause } from "./causesOf.ts"
import { causeText, nameOf } from "./causeText.ts"
import { dismissResults } from "./dismissResults.ts"
import { words } from "./en.ts"
import type { CauseElements } from "./useCauseFocus.ts"

const signs: Readonly<Record<Cause["kind"], readonly [IconName, color: string]>> = {
  reconnect: ["cross", "bg-bad-tint text-bad"],
  doubt: ["question", "bg-doubt-tint text-doubt"],
  restored: ["question", "bg-doubt-tint text-doubt"],
  failed: ["cross", "bg-bad-tint text-bad"],
  ends: ["clock", "bg-tint text-brand"],
  approval: ["clock", "bg-tint text-brand"],
  approvals: ["clock", "bg-tint text-brand"]
}

const mostPosts = 3

const chip =
  "flex items-center rounded-control border border-line p-1 pe-2 text-ink no-underline hover:bg-sunk max-sm:min-h-touch"

const Posts = ({ more, posts }: { readonly posts: ReadonlyArray<AffectedPost>; readonly more: number }) => (
  <ul className="flex flex-wrap items-center gap-2 pt-2">
    {posts.slice(0, mostPosts).map(({ id, picture, text }) => (
      <li key={id} className="max-w-post min-w-0">
        <Link to="/posts/$id" params={{ id }} className={chip}>
          <PostLine size="small" picture={picture} text={nameOf(text)} />
        </Link>
      </li>
    ))}
    {more > 0 && <li className="text-xs text-soft">{words.andMore(more)}</li>}
  </ul>
)

interface Props extends Omit<CauseActionsProps, "look"> {
  readonly now: number
  readonly first: boolean
  readonly leaving: boolean
  readonly elements: CauseElements
}

/** A cause, the posts that wait for it, and the one thing to do. */
export const CauseRow = ({ answers, cause, elements, first, leaving, now, onAsk }: Props) => {
  const [title, text] = causeText(cause, now, workspace.timezone)
  const [sign, color] = signs[cause.kind]
  const id = `cause-${cause.key}`
  const total = cause.kind === "reconnect" ? Math.max(cause.total, cause.posts.length) : cause.posts.length
  return (
    <li
      ref={elements.row(cause.key)}
      className="grid grid-rows-open -outline-offset-2 transition-fold data-leaving:grid-rows-shut data-leaving:opacity-0"
      data-cause={cause.key}
      data-leaving={leaving || undefined}
      inert={leaving}
      tabIndex={-1}
      aria-labelledby={id}
    >
      <div className="overflow-hidden">
        <div className="grid grid-cols-row items-center gap-x-3 gap-y-2 px-4 py-3">
          <span
            className={`grid size-8 place-items-center self-start rounded-control ${color}`}
            aria-hidden="true"
          >
            <Icon name={sign} />
          </span>
          <div>
            <h3 id={id} className="text-base leading-tight font-semibold">
              {title}
            </h3>
            <p className="text-sm text-soft">{text}</p>
            {(cause.kind === "reconnect" || cause.kind === "restored" || cause.posts.length > 1) &&
              total > 0 && (
                <Posts posts={cause.posts} more={total - Math.min(mostPosts, cause.posts.length)} />
              )}
          </div>
          <div className="max-sm:col-span-full">
            <Actions ref={elements.actions(cause.key)}>
              <CauseActions answers={answers} cause={cause} look={first ? "main" : undefined} onAsk={onAsk} />
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
            </Actions>
          </div>
        </div>
      </div>
    </li>
  )
}
