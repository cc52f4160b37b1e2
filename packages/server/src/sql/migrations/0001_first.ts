import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
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
      social_accounts bigint[],
      expires_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz not null
    )`
  yield* sql`create index api_keys_by_workspace on api_keys (workspace_id, created_at desc, id desc)`

  yield* sql`
    create table social_accounts (
      id bigint generated always as identity primary key,
      workspace_id uuid not null references workspaces (id) on delete cascade,
      platform text not null,
      remote_id text not null,
      username text not null,
      display_name text,
      avatar_url text,
      status text not null check (status in ('connected', 'needs_reconnect', 'disconnected')),
      status_reason text,
      -- Encrypted; null once disconnected.
      credentials bytea,
      token_expires_at timestamptz,
      -- The platform asked to wait until then; nothing of the account starts earlier.
      paused_until timestamptz,
      connected_at timestamptz not null,
      created_at timestamptz not null,
      unique (workspace_id, platform, remote_id)
    )`

  yield* sql`
    create table media (
      id uuid primary key,
      workspace_id uuid not null references workspaces (id) on delete cascade,
      name text not null,
      mime_type text not null,
      kind text not null check (kind in ('image', 'video', 'document')),
      size_bytes bigint not null,
      status text not null check (status in ('reserved', 'ready', 'failed')),
      width integer,
      height integer,
      duration_ms integer,
      sha256 text,
      -- Codecs and other facts that only some platforms ask for.
      probe jsonb,
      upload_expires_at timestamptz not null,
      created_at timestamptz not null,
      deleted_at timestamptz
    )`
  yield* sql`
    create index media_by_workspace on media (workspace_id, created_at desc, id desc) where deleted_at is null`

  yield* sql`
    create table posts (
      id uuid primary key,
      workspace_id uuid not null references workspaces (id) on delete cascade,
      status text not null check (status in ('draft', 'scheduled', 'published', 'failed')),
      caption text,
      scheduled_at timestamptz,
      social_accounts bigint[] not null,
      media uuid[] not null,
      platform_configurations jsonb,
      account_configurations jsonb,
      processing_enabled boolean not null,
      warnings text[] not null,
      -- Every change raises it. It is the ETag.
      version integer not null default 1,
      created_at timestamptz not null,
      updated_at timestamptz not null,
      published_at timestamptz
    )`
  yield* sql`create index posts_by_workspace on posts (workspace_id, created_at desc, id desc)`
  yield* sql`create index posts_by_status on posts (workspace_id, status, created_at desc, id desc)`

  // Which posts use an item anywhere: shared media, platform and account overrides.
  yield* sql`
    create table post_media (
      post_id uuid not null references posts (id) on delete cascade,
      media_id uuid not null references media (id),
      primary key (post_id, media_id)
    )`
  yield* sql`create index post_media_by_media on post_media (media_id)`

  yield* sql`
    create table targets (
      id uuid primary key,
      post_id uuid not null references posts (id) on delete cascade,
      workspace_id uuid not null,
      social_account_id bigint not null references social_accounts (id),
      platform text not null,
      state text not null check (state in (
        'draft', 'waiting', 'claimed', 'committing', 'unknown', 'published', 'failed', 'unconfirmed', 'cancelled')),
      due_at timestamptz,
      -- The first step may start this long before the target is due.
      lead interval not null,
      -- A process may take the target from this time on: the next step of a waiting one, the end of the lease of a claimed one.
      next_step_at timestamptz,
      -- Taking the target from its holder raises it. Only the holder of the present value may write.
      fence integer not null default 0,
      -- When "about to commit" was stored last.
      marked_at timestamptz,
      -- The platform's uploads, containers and record keys, which must not be lost.
      handle jsonb,
      step text not null default 'prepare' check (step in ('prepare', 'poll', 'commit')),
      attempts integer not null default 0,
      error jsonb,
      platform_data jsonb,
      published_at timestamptz,
      created_at timestamptz not null
    )`
  // The engine's one index holds only targets that are not over.
  yield* sql`
    create index targets_due on targets (next_step_at)
    where state in ('waiting', 'claimed', 'committing', 'unknown')`
  yield* sql`create index targets_by_post on targets (post_id)`
  yield* sql`create index targets_by_platform on targets (workspace_id, platform, created_at desc, post_id desc)`
  yield* sql`create index targets_by_workspace on targets (workspace_id, created_at desc, id desc)`
  yield* sql`create index targets_waiting_by_account on targets (social_account_id, due_at) where state = 'waiting'`

  yield* sql`
    create table attempts (
      target_id uuid not null references targets (id) on delete cascade,
      fence integer not null,
      -- Written before the call ("about to commit"), so an attempt that has not ended may have succeeded.
      started_at timestamptz not null,
      ended_at timestamptz,
      outcome text,
      error jsonb,
      primary key (target_id, fence)
    )`
})
