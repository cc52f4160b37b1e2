import { type RefObject, useRef } from "react"
import { workspace } from "../data/api.ts"
import { useAnswering } from "../post/useAnswering.tsx"
import { useAnswers } from "../post/useAnswers.ts"
import { useNow } from "../time/useNow.ts"
import { Badge } from "../ui/Badge.tsx"
import { Card } from "../ui/Card.tsx"
import { CauseRow } from "./CauseRow.tsx"
import type { Cause } from "./causesOf.ts"
import { causeText } from "./causeText.ts"
import { words } from "./en.ts"
import { useCauseFocus } from "./useCauseFocus.ts"
import { useFolding } from "./useFolding.ts"

interface Props {
  readonly causes: ReadonlyArray<Cause>
  /** The element in which the keys work. */
  readonly room: RefObject<HTMLElement | null>
  /** Posts that went out this week. */
  readonly sent: number
  /** When the next one goes out. */
  readonly next: string | null
}

/** What needs a person, one row for each cause. */
export const CauseList = ({ causes, next, room, sent }: Props) => {
  const now = useNow(false)
  const answers = useAnswers()
  const { ask, dialog } = useAnswering(answers)
  const rows = useFolding(causes)
  const heading = useRef<HTMLHeadingElement>(null)
  const { elements, solved } = useCauseFocus(causes, room, heading)
  return (
    <Card
      title={words.needs}
      heading={heading}
      beside={
        causes.length > 0 && (
          <>
            <Badge>{causes.length}</Badge>
            <span className="ms-auto text-sm text-soft max-sm:hidden">
              {words.keys} <kbd>J</kbd> <kbd>K</kbd>
            </span>
          </>
        )
      }
    >
      {rows.length === 0 ? (
        <div className="flex flex-col items-center gap-2 px-4 py-12 text-center">
          <svg
            className="h-12 fill-none stroke-edge"
            viewBox="0 0 72 56"
            strokeWidth="1.5"
            strokeLinecap="round"
            aria-hidden="true"
          >
            <path d="M14 8h44" />
            <path d="M36 12c8 0 13 6 13 14v8c0 4 2 6 4 8H19c2-2 4-4 4-8v-8c0-8 5-14 13-14Z" />
            <circle cx="36" cy="47" r="3.5" className="stroke-brand" />
          </svg>
          <h3 className="text-base">{words.nothing.title}</h3>
          <p className="text-sm text-soft">
            {words.nothing.sent(sent)}
            {next !== null && ` ${words.nothing.next(next)}`}
          </p>
        </div>
      ) : (
        <ul className="divide-y divide-hair">
          {rows.map(({ cause, leaving }, index) => (
            <CauseRow
              key={cause.key}
              cause={cause}
              elements={elements}
              now={now}
              first={index === 0}
              leaving={leaving}
              answers={answers}
              onAsk={ask}
            />
          ))}
        </ul>
      )}
      <div role="status" className="unseen">
        {solved !== null &&
          (solved.next === null
            ? words.allSolved
            : words.solved(causeText(solved.next, now, workspace.timezone)[0]))}
      </div>
      {dialog}
    </Card>
  )
}
