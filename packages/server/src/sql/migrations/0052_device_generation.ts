import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Counts how often the browsers of a member were forgotten: by a new password, or by signing out everywhere. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table members add column device_generation integer not null default 0`
})
