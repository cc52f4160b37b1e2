import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Each list of media is one index, or a few that are merged, with the name in it that `q` looks at (decision 12). Media
 * are written seldom, and their bytes cost more than any index.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`drop index media_by_kind`
  yield* sql`
    create index media_by_kind on media (workspace_id, kind, status, created_at desc, id desc) include (name)
    where deleted_at is null`
  yield* sql`
    create index media_by_workspace on media (workspace_id, created_at desc, id desc) include (name)
    where deleted_at is null`
})
