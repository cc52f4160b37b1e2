import type { Found, Page } from "@carillon/domain"

/** A list is counted up to this: in one index, or where several are compared. Beyond, the count would cost more than the page. */
export const countedAlone = 2_500
export const countedTogether = 1_000

/** A text is searched for in this many of the newest rows that fit the other filters. */
export const searched = 20_000

/**
 * The page and its total, from the rows of a list's statement: one row more than the page has room for, if there is one,
 * and a count that stops one beyond `countedTo`. `complete`: false when the search did not reach all rows.
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
  // The last page knows the total, whatever it is.
  return complete && rows.length > 0 && rows.length <= limit
    ? { data, total: reached, total_relation: "exact" }
    : { data, total: Math.max(counted, reached), total_relation: "at_least" }
}
