import type { Found, Page } from "@carillon/domain"

/** How far a list is counted: in one index, or where several are compared. Beyond, the count would outweigh the page. */
export const countedAlone = 2_500
export const countedTogether = 1_000

/** How many of the newest rows that fit the other filters are searched for a text. */
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
