import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Who changed a post last, and when. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table posts add column updated_by jsonb`
})
