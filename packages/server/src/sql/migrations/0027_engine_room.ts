import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Leaves room for both the claim and the marker of every row of a page. A backlog claims a page's rows within milliseconds, before
 * anything of them can be cleaned away: with 40 % free a third found no room and wrote every index (decision 11).
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table targets set (fillfactor = 40)`
})
