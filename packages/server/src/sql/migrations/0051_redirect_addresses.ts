import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Each server of a platform has a redirect address of its own. null: begun by a release that had one for all of them. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table account_connections add column redirect_uri text`
})
