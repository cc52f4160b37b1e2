import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Who sees an account's posts that do not say it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table social_accounts add column default_privacy_level text`
})
