import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A small copy of an account's picture, and its version. `avatar_url` stays the platform's address, for the next try. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table social_accounts add column avatar bytea, add column avatar_version text`
})
