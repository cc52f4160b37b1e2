import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Posts are listed by any status of their approval, which nearly all of them do not have. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`create index posts_by_approval on posts (workspace_id, (approval ->> 'status'), id) where approval is not null`
  yield* sql`drop index posts_waiting_for_approval`
})
