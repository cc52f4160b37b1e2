import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What the platform granted when the account was connected; null: nobody asked. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table social_accounts add column granted_scopes jsonb`
})
