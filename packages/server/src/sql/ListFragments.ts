import type { Page } from "@carillon/domain"
import type { SqlClient, Statement } from "effect/sql"

/** The parts that the statements of all long lists are made of. */
export const listFragments = (sql: SqlClient.SqlClient) => {
  /** Numbers of our own as text: the plan depends on them. */
  const number = (value: number) => sql.literal(String(value))

  /** One select per value: each is sorted by its index and merged with the others, which `= any(…)` would not be. */
  const either = (selects: ReadonlyArray<Statement.Fragment>): Statement.Fragment =>
    selects.reduce((whole, select) => sql`${whole} union all ${select}`)

  /** One row more than the page: it tells whether there is another page. */
  const slice = ({ limit, offset }: Page) => sql`limit ${number(limit + 1)} offset ${number(offset)}`

  const where = (conditions: ReadonlyArray<Statement.Fragment>) =>
    conditions.length === 0 ? sql`` : sql`where ${sql.and(conditions)}`

  /** The page's rows, each with `counted`: how many rows `found` has, counted to one more than `countedTo`. One row of nulls if there are none. */
  const counted = (found: Statement.Fragment, countedTo: number, page: Statement.Fragment) =>
    // Planned for these very values, because only then does PostgreSQL know whether they are rare.
    sql<Record<string, unknown>>`
      select counted, r.* from (
        select count(*)::int as counted from (select 1 from ${found} limit ${number(countedTo + 1)}) c
      ) c left join lateral (${page}) r on true`.unprepared

  return { number, either, slice, where, counted }
}
