import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** An app's request for a person's approval, and the person's answer. Null on nearly every post. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table posts add column approval jsonb`
  yield* sql`create index posts_waiting_for_approval on posts (workspace_id, id) where approval ->> 'status' = 'waiting'`
})
