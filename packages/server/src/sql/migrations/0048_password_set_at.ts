import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When a member last chose a password. Null: when they were made, or by an older release. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table members add column password_set_at timestamptz`
})
