import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The operator's apps at the platforms, as far as they were entered here. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table platform_apps (
      app text primary key,
      client_id text not null,
      -- Encrypted.
      client_secret bytea not null,
      stored_at timestamptz not null
    )`
})
