import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Chains: what follows a post, and how far each of its targets has come with it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    alter table posts
      add column thread jsonb,
      add column thread_fallback text`
  yield* sql`
    alter table targets
      -- Null: the target is no chain.
      add column item_count smallint,
      -- What the platform calls each item that is live, in order.
      add column items jsonb not null default '[]'`
})
