import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A person's grant to a connected app. The row outlives its tokens for a while, to say how it ended.
  yield* sql`
    create table grants (
      id text primary key,
      member_id uuid not null references members (id) on delete cascade,
      workspace_id uuid not null references workspaces (id) on delete cascade,
      client_id text not null,
      client_name text not null,
      redirect_uri text not null,
      audience text not null,
      -- The scopes that the app asked for, and those that the person granted.
      asked_scopes text[] not null,
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
      primary key (model, id_hash)
    )`
  yield* sql`create index oauth_records_by_grant on oauth_records (grant_id) where grant_id is not null`
  yield* sql`create index oauth_records_by_uid on oauth_records (uid) where uid is not null`
  yield* sql`create index oauth_records_by_expiry on oauth_records (expires_at)`
})
