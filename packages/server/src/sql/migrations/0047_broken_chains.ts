import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Lists find the chains that broke off: published, and yet with an error. There are few. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create index targets_broken on targets (workspace_id, post_id, id) where state = 'published' and error is not null`
})
