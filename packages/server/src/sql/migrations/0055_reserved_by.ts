import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The credential that reserved an upload, whose open reservations have a bound. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table media add column reserved_by text`
  yield* sql`
    create index media_by_reserver on media (workspace_id, reserved_by) where status = 'reserved' and deleted_at is null`
})
