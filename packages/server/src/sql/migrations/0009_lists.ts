import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Lists are in the order of the posts' ids, whose time is their created_at: one column that the indexes of both tables
 * are sorted by, so that PostgreSQL merges any two filters from their indexes alone (decision 12).
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The filters `from` and `to` compare this time.
  yield* sql`
    alter table posts add column planned_at timestamptz generated always as (coalesce(scheduled_at, created_at)) stored`
  yield* sql`drop index posts_by_workspace`
  yield* sql`drop index posts_by_status`
  yield* sql`create index posts_by_workspace on posts (workspace_id, id) include (planned_at)`
  yield* sql`create index posts_by_status on posts (workspace_id, status, id) include (planned_at)`
  yield* sql`create index posts_by_time on posts (workspace_id, planned_at) include (id, status)`

  yield* sql`drop index targets_by_platform`
  yield* sql`drop index targets_by_workspace`
  yield* sql`create index targets_by_platform on targets (workspace_id, platform, post_id, id) include (state)`
  yield* sql`create index targets_by_account_and_post on targets (workspace_id, social_account_id, post_id)`
  yield* sql`create index targets_by_state on targets (workspace_id, state, post_id, id)`

  yield* sql`drop index media_by_workspace`
  yield* sql`
    create index media_by_kind on media (workspace_id, kind, status, created_at desc, id desc) where deleted_at is null`
})
