import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Several people with different rights: owners, roles in a workspace, and who made what outlives a session. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`drop index members_one_owner`
  yield* sql`
    alter table memberships
      add column role text not null default 'reader' check (role in ('manager', 'editor', 'writer', 'reader')),
      -- null: every account of the workspace, later ones too.
      add column social_accounts bigint[],
      add column created_at timestamptz not null default now(),
      add constraint memberships_manager_has_all_accounts check (social_accounts is null or role <> 'manager')`
  yield* sql`create index memberships_by_workspace on memberships (workspace_id)`
  // The member, or the member who made the key with which it was made; null: nobody is known.
  yield* sql`alter table api_keys add column created_by uuid references members (id)`
  yield* sql`alter table webhooks add column created_by uuid references members (id)`
  yield* sql`
    create table invitations (
      id uuid primary key,
      workspace_id uuid not null references workspaces (id) on delete cascade,
      role text not null check (role in ('owner', 'manager', 'editor', 'writer', 'reader')),
      social_accounts bigint[],
      -- A hash of what the link ends with.
      ticket_hash bytea not null unique,
      created_by jsonb not null,
      -- It ends with their right to invite; null: a key made it.
      invited_by uuid references members (id) on delete cascade,
      created_at timestamptz not null,
      expires_at timestamptz not null
    )`
  yield* sql`create index invitations_by_workspace on invitations (workspace_id, created_at desc, id desc)`
})
