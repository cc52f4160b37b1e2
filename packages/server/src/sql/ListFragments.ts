import type { Page } from "@carillon/domain"
import type { SqlClient, Statement } from "effect/sql"

/** The parts that the statements of all long lists are made of. */
export const listFragments = (sql: SqlClient.SqlClient) => {
  /** Numbers of our own as text: the plan depends on them. */
  const number = (value: number) => sql.literal(String(value))

  /**
   * The first rows of several selects, merged: one for each value, because `= any(…)` does not keep the order of an index.
   * Each is ordered and limited by itself. Only so does PostgreSQL read it from its index, in order and no further, and
   * not from the table when it believes that most of its rows fit.
   */
  const merged = (selects: ReadonlyArray<Statement.Fragment>, order: Statement.Fragment, atMost: number) =>
    selects
      .map((select) => sql`(${select} ${order} limit ${number(atMost)})`)
      .reduce((whole, select) => sql`${whole} union all ${select}`)

  /** One row more than the page: it tells whether there is another page. */
  const slice = ({ limit, offset }: Page) => sql`limit ${number(limit + 1)} offset ${number(offset)}`

  /** How many rows have to be found for a page, and for knowing whether there is another one. */
  const reach = ({ limit, offset }: Page) => offset + limit + 1

  /**
   * The page's rows, each with `counted`: how many rows `found` has, counted to one more than `countedTo`. One row of
   * nulls if there are none. `found` is asked for no more than so many rows.
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
