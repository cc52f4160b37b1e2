import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Who made a post. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table posts add column created_by jsonb`
})
