import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** On a platform with boards, each board of a post is a target of its own. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table targets add column board_id text`
  yield* sql`alter table social_accounts add column default_board_id text`
})
