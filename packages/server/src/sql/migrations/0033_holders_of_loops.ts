import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Which process holds a delivery or an import, as for targets (decision 40); null: its lease alone says so. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table webhook_deliveries add column holder int`
  yield* sql`alter table media_imports add column holder int`
})
