import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** People who sign in with a browser. Today there is one, the owner; the tables allow members of single workspaces. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table members (
      id uuid primary key,
      name text not null,
      -- argon2id with its parameters and salt.
      password_hash text not null,
      -- An owner reaches every workspace, a member those of memberships.
      role text not null check (role in ('owner', 'member')),
      created_at timestamptz not null
    )`
  yield* sql`create unique index members_by_name on members (lower(name))`
  // Two first visits at once make one owner.
  yield* sql`create unique index members_one_owner on members (role) where role = 'owner'`

  yield* sql`
    create table memberships (
      member_id uuid not null references members (id) on delete cascade,
      workspace_id uuid not null references workspaces (id) on delete cascade,
      primary key (member_id, workspace_id)
    )`

  yield* sql`
    create table sessions (
      -- A hash of the cookie's value.
      token_hash bytea primary key,
      member_id uuid not null references members (id) on delete cascade,
      created_at timestamptz not null,
      last_used_at timestamptz not null,
      expires_at timestamptz not null
    )`
  yield* sql`create index sessions_by_member on sessions (member_id)`

  yield* sql`
    create table owner_links (
      ticket_hash bytea primary key,
      expires_at timestamptz not null
    )`

  // Counters that all processes share: refused passwords, registrations.
  yield* sql`
    create table throttles (
      bucket text primary key,
      taken integer not null,
      resets_at timestamptz not null
    )`
})
