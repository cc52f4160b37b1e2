import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When an account's access ends for good, and how many days ahead of it a person was last told. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table social_accounts add column access_expires_at timestamptz`
  yield* sql`alter table social_accounts add column expiry_notice int`
})
