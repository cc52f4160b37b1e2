import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The description of a medium, for people who cannot see it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table media add column alt_text text`
})
