import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Lists find the targets that are tried again. There are few among all that wait. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create index targets_failed_tries on targets (workspace_id, post_id, id) where stage = 'open' and error is not null`
})
