import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What the server of an account takes, and when it was last asked. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table social_accounts add column limits jsonb, add column limits_asked_at timestamptz`
})
