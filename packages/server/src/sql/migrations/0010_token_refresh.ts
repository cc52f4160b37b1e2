import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    alter table social_accounts
      -- When its tokens are renewed ahead of their end; null: they do not end, or cannot be renewed.
      add column refresh_at timestamptz,
      -- Until then one process alone renews them: platforms that rotate tokens drop the loser of a race.
      add column refreshing_until timestamptz,
      add column refresh_failures integer not null default 0`
  yield* sql`
    create index social_accounts_to_refresh on social_accounts (refresh_at)
    where status = 'connected' and refresh_at is not null`
})
