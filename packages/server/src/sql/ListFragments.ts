import type { Page } from "@carillon/domain"
import type { SqlClient, Statement } from "effect/sql"

/** The common parts of the statements of all long lists. */
export const listFragments = (sql: SqlClient.SqlClient) => {
  /** Our own numbers as text, because the plan depends on them. */
  const number = (value: number) => sql.literal(String(value))

  /**
   * The first rows of several selects, merged: one select for each value, because `= any(…)` does not keep the order of
   * an index. Each is ordered and limited by itself: only then does PostgreSQL read no further than it must in its index,
   * and not the table when it believes that most rows fit.
   */
  const merged = (selects: ReadonlyArray<Statement.Fragment>, order: Statement.Fragment, atMost: number) =>
    selects
      .map((select) => sql`(${select} ${order} limit ${number(atMost)})`)
      .reduce((whole, select) => sql`${whole} union all ${select}`)

  /** One row more than the page tells whether there is another page. */
  const slice = ({ limit, offset }: Page) => sql`limit ${number(limit + 1)} offset ${number(offset)}`

  /** How many rows a page needs, with the one that tells of another page. */
  const reach = ({ limit, offset }: Page) => offset + limit + 1

  /**
   * The page's rows, each with `counted`: the number of rows in `found`, counted to one beyond `countedTo`. One row of
   * nulls if there are none. `found` is asked for no more rows than that.
   */
  const counted = (
    found: (atMost: number) => Statement.Fragment,
    countedTo: number,
    page: Statement.Fragment
  ) =>
    // Planned for these very values, because only then does PostgreSQL know whether they are rare.
    sql<Record<string, unknown>>`
      select counted, r.* from (
        select count(*)::int as counted from (select 1 from ${found(countedTo + 1)} limit ${number(countedTo + 1)}) c
      ) c left join lateral (${page}) r on true`.unprepared

  return { number, merged, slice, reach, counted }
}
