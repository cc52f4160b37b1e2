import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // None where the app showed a code instead of sending a browser (RFC 8628).
  yield* sql`alter table grants alter column redirect_uri drop not null`
})
