import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Which process holds a target, by the number of its advisory lock (decision 25); null: its lease alone says so. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table targets add column holder int`
})
