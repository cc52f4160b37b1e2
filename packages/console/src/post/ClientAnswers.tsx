import { useClientReviews } from "../data/clientReviews.ts"
import { workspace } from "../data/api.ts"
import { useNow } from "../time/useNow.ts"
import { Icon } from "../ui/Icon.tsx"
import { clientWords as words } from "./clientWords.ts"
import { formatMoment } from "./formatMoment.ts"

interface Props {
  readonly postId: string | undefined
  /** The present version of the post. */
  readonly version: string | undefined
}

/** What clients said of a post, the newest first; nothing where none did. */
export const ClientAnswers = ({ postId, version }: Props) => {
  const { data: reviews = [] } = useClientReviews(postId)
  const now = useNow(false)
  if (reviews.length === 0) return null
  return (
    <section
      className="max-h-48 overflow-y-auto rounded-control bg-tint px-3 py-2 text-sm"
      aria-label={words.said}
      data-client-answers
    >
      <ul className="flex flex-col gap-2">
        {reviews.map(({ answer, comment, created_at, id, link_name, name, version: seen }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-2">
            <strong className="min-w-0 wrap-anywhere">{name}</strong>
            {answer !== null && (
              <span
                className="inline-flex items-center gap-1 font-semibold text-good data-no:text-bad"
                data-no={answer === "no" || undefined}
              >
                <Icon name={answer === "yes" ? "check" : "cross"} />
                {words[answer]}
              </span>
            )}
            <small className="text-soft">
              {[
                link_name === name ? null : link_name,
                formatMoment(created_at, now, workspace.timezone),
                version === undefined || seen === version ? null : words.earlier
              ]
                .filter((part) => part !== null)
                .join(", ")}
            </small>
            {comment !== null && (
              <p dir="auto" className="w-full whitespace-pre-line">
                {comment}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
