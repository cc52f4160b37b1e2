import type { Counter } from "./counters.ts"

/** Where a text is too long for the strictest of the networks. Joined texts are counted from `before`, the posts of the thread above. */
export const endOf = (
  counters: ReadonlyArray<Counter>,
  before: ReadonlyArray<{ readonly caption: string }> = []
): number | null => {
  const start = before.reduce((sum, { caption }) => sum + (caption === "" ? 0 : caption.length + 2), 0)
  const ends = counters.flatMap(({ end, isJoined, own }) =>
    own || end === null ? [] : [isJoined ? Math.max(0, end - start) : end]
  )
  return ends.length === 0 ? null : Math.min(...ends)
}
