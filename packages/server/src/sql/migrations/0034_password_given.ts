import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When the person at a session last gave the password; what shows secrets asks for it again. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A process of the version before may still sign somebody in.
  yield* sql`alter table sessions add column password_given_at timestamptz not null default now()`
  yield* sql`update sessions set password_given_at = created_at`
})
