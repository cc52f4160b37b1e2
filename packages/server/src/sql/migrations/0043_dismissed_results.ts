import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Failures that the workspace leaves as they are. The fence rises when a target is tried again, so that a new failure is told. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table dismissed_results (
      target_id uuid primary key references targets (id) on delete cascade,
      fence integer not null
    )`
})
