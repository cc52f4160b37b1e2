import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The process that holds a target, by the number of its advisory lock (decision 25). null: only the lease tells that it is held. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table targets add column holder int`
})
