import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The state `cancelled` goes, because no target was ever in it.
  yield* sql`
    alter table targets
      drop constraint targets_state_check,
      add constraint targets_state_check check (state in (
        'draft', 'waiting', 'claimed', 'committing', 'unknown', 'published', 'failed', 'unconfirmed'))`
})
