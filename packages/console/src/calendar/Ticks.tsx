import { words } from "../post/en.ts"
import type { PostState } from "../post/PostState.ts"
import { type Rest, ticksOf } from "./restOf.ts"

/** Low for what is over, high for what needs somebody. */
const ticks: Readonly<Record<PostState, string>> = {
  planned: "h-2 border-wait/50 bg-wait/50",
  going: "h-2 border-wait bg-wait",
  sent: "h-1 border-good bg-good",
  draft: "h-2 border-dashed border-edge",
  approval: "h-3 border-brand",
  doubt: "h-3 border-doubt",
  blocked: "h-3 border-bad",
  failed: "h-4 border-bad bg-bad"
}

/** The states of posts that are not shown: a tick for each, and words for who cannot see them. */
export const Ticks = ({ rest }: { readonly rest: Rest }) => (
  <>
    <span
      className="flex h-4 min-w-0 items-center justify-end gap-px overflow-hidden max-sm:hidden"
      aria-hidden="true"
    >
      {ticksOf(rest).map((state, index) => (
        // Ticks have nothing but their place.
        // oxlint-disable-next-line react/no-array-index-key
        <span key={index} className={`w-1 flex-none rounded-xs border ${ticks[state]}`} />
      ))}
    </span>
    <span className="unseen">: {rest.map(({ count, state }) => words.countOf(count, state)).join(", ")}</span>
  </>
)
