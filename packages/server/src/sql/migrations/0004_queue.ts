import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table queues (
      workspace_id uuid primary key references workspaces (id) on delete cascade,
      timezone text,
      slots jsonb not null,
      jitter_minutes integer not null check (jitter_minutes between 0 and 30)
    )`

  // The slot that the post holds, not the moment that jitter makes of it. It stays when the post is published: a
  // slot is filled once.
  yield* sql`alter table posts add column queue_slot timestamptz`
  yield* sql`
    create unique index posts_by_queue_slot on posts (workspace_id, queue_slot) where queue_slot is not null`
  // A post that somebody put at the time of a slot fills it too.
  yield* sql`
    create index posts_at_fixed_times on posts (workspace_id, scheduled_at)
    where status = 'scheduled' and queue_slot is null`
})
