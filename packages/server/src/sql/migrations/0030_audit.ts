import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The audit trail: who did what, and from where. Names are stored, because what they name may be gone later. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table audit_entries (
      id uuid primary key,
      workspace_id uuid not null references workspaces (id) on delete cascade,
      at timestamptz not null,
      action text not null,
      -- { type, id, name }. null: nobody knows.
      actor jsonb,
      subject jsonb,
      address text
    )`
  yield* sql`create index audit_entries_by_workspace on audit_entries (workspace_id, at desc, id desc)`
  yield* sql`create index audit_entries_by_time on audit_entries (at)`

  // The actor who asked for the link.
  yield* sql`alter table account_connections add column begun_by jsonb`
})
