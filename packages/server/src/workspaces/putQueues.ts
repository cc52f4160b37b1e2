import type { SqlClient, Statement } from "effect/sql"

/** A statement, or the end of one: sets the queues of workspaces from a relation with their columns. */
export const putQueues = (sql: SqlClient.SqlClient, relation: Statement.Fragment) => sql`
  insert into queues (workspace_id, timezone, slots, jitter_minutes)
  select workspace_id, timezone, slots, jitter_minutes from ${relation}
  on conflict (workspace_id) do update set
    timezone = excluded.timezone, slots = excluded.slots, jitter_minutes = excluded.jitter_minutes`
