import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // What X charged, counted before each call. Amounts are millionths of a US dollar.
  yield* sql`
    create table twitter_spending (
      -- The first day, in UTC.
      month date primary key,
      spent bigint not null default 0,
      post integer not null default 0,
      post_with_url integer not null default 0,
      media_metadata integer not null default 0,
      post_read integer not null default 0,
      user_read integer not null default 0,
      -- Since when X refuses calls because credits or a limit are used up, and what it said; null: it does not.
      refused_at timestamptz,
      refusal text
    )`
  // What a platform will charge for a target, in millionths of a US dollar; null: nothing.
  yield* sql`alter table targets add column cost integer`
  yield* sql`
    create index targets_by_cost on targets (platform, due_at) include (cost)
    where cost is not null and stage = 'open'`
  // When it was told that something will stop the account's posts; null: not, or that is over.
  yield* sql`alter table social_accounts add column warned_at timestamptz`
})
