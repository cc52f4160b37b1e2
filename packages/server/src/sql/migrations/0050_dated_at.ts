import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The time that a post is dated at: when it was published, before that when it is planned for, and when it was sent if it
 * goes out at once. A draft without a time has none. The migration 0009 gave it the time of its creation for good.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `sent_at`: when a draft or planned post was sent out at once. One that was made to go out at once has none.
  yield* sql`
    alter table posts
      drop column planned_at,
      add column sent_at timestamptz,
      add column dated_at timestamptz generated always as (
        coalesce(published_at, scheduled_at, case when status <> 'draft' then coalesce(sent_at, created_at) end)
      ) stored`
  // They went with the old column.
  yield* sql`create index posts_by_workspace on posts (workspace_id, id) include (dated_at)`
  yield* sql`create index posts_by_status on posts (workspace_id, status, id) include (dated_at)`
  yield* sql`create index posts_by_time on posts (workspace_id, dated_at) include (id, status)`
  yield* sql`create index posts_undated on posts (workspace_id, id) where dated_at is null`
})
