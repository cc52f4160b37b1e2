import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** How much was published to an account, and when last. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create index targets_published_by_account on targets (social_account_id, published_at) where published_at is not null`
})
