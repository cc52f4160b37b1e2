import type { Found, Page } from "@carillon/domain"

/** How far a list is counted: by one index, or where several have to be compared. Further would cost more than the page. */
export const countedAlone = 2_500
export const countedTogether = 1_000

/** How many of the newest rows that fit the other filters are searched for a text. */
export const searched = 20_000

/**
 * The page and its total, from what a list's statement brings: one row more than the page has room for, where there is
 * one, and how many there are, counted no further than one more than `countedTo`. `complete`: false when what was looked
 * through is not all there is.
 */
export const countedPage = <Row>(
  { limit, offset }: Page,
  rows: ReadonlyArray<Row>,
  counted: number,
  countedTo: number,
  complete = true
): Found<Row> => {
  const data = rows.slice(0, limit)
  const reached = rows.length === 0 ? 0 : offset + rows.length
  if (complete && counted <= countedTo) return { data, total: counted, total_relation: "exact" }
  // The last page knows how many there are, however many.
  return complete && rows.length > 0 && rows.length <= limit
    ? { data, total: reached, total_relation: "exact" }
    : { data, total: Math.max(counted, reached), total_relation: "at_least" }
}
