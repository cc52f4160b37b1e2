import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Workspaces, and who may do what in them: keys, members, connected apps, and the trail of what they did. */
export const workspaces = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table workspaces (
      id uuid primary key,
      name text not null,
      timezone text not null default 'UTC',
      lateness_limit_seconds integer not null default 86400,
      created_at timestamptz not null
    )`

  yield* sql`
    create table api_keys (
      id text primary key,
      workspace_id uuid not null references workspaces (id) on delete cascade,
      name text not null,
      secret_hash bytea not null,
      scopes text[] not null,
      -- null: every account of the workspace, later ones too.
      social_accounts bigint[],
      expires_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz not null,
      constraint api_keys_admin_has_all_accounts check (social_accounts is null or not 'admin' = any(scopes))
    )`
  yield* sql`create index api_keys_by_workspace on api_keys (workspace_id, created_at desc, id desc)`

  // People who sign in with a browser. Today there is one, the owner; the tables allow members of single workspaces.
  yield* sql`
    create table members (
      id uuid primary key,
      name text not null,
      -- argon2id with its parameters and salt.
      password_hash text not null,
      -- An owner reaches every workspace, a member those of memberships.
      role text not null check (role in ('owner', 'member')),
      created_at timestamptz not null,
      -- null: when the member was made.
      password_set_at timestamptz,
      -- How often the member's browsers were forgotten: by a new password, or by signing out everywhere.
      device_generation integer not null default 0
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
      expires_at timestamptz not null,
      -- What shows secrets asks for the password again.
      password_given_at timestamptz not null
    )`
  yield* sql`create index sessions_by_member on sessions (member_id)`

  yield* sql`
    create table owner_links (
      ticket_hash bytea primary key,
      expires_at timestamptz not null
    )`

  // A person's grant to a connected app. The row outlives its tokens for a while, to say how it ended.
  yield* sql`
    create table grants (
      id text primary key,
      member_id uuid not null references members (id) on delete cascade,
      workspace_id uuid not null references workspaces (id) on delete cascade,
      client_id text not null,
      client_name text not null,
      -- null: the app showed a code instead of sending a browser (RFC 8628).
      redirect_uri text,
      audience text not null,
      asked_scopes text[] not null,
      -- Those of asked_scopes that the person granted.
      scopes text[] not null,
      -- null: every account of the workspace, later ones too.
      social_accounts bigint[],
      needs_approval boolean not null,
      created_at timestamptz not null,
      last_used_at timestamptz,
      ended_at timestamptz,
      ended_because text check (ended_because in ('person', 'app', 'reuse'))
    )`
  yield* sql`create index grants_by_member on grants (member_id, created_at desc)`

  // The authorization server's records: clients, interactions, codes, tokens. Ids are hashed, because a token's id is the token.
  yield* sql`
    create table oauth_records (
      model text not null,
      id_hash bytea not null,
      payload jsonb not null,
      grant_id text,
      uid text,
      expires_at timestamptz,
      consumed_at timestamptz,
      -- When a person first allowed an app that registered itself. null: nobody has, and it makes room for others.
      allowed_at timestamptz,
      primary key (model, id_hash)
    )`
  yield* sql`create index oauth_records_by_grant on oauth_records (grant_id) where grant_id is not null`
  yield* sql`create index oauth_records_by_uid on oauth_records (uid) where uid is not null`
  yield* sql`create index oauth_records_by_expiry on oauth_records (expires_at)`
  yield* sql`
    create index oauth_records_not_allowed on oauth_records (expires_at) where model = 'Client' and allowed_at is null`

  // Names are stored, because what they name may be gone later.
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
})
