import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Social accounts, connections that are under way, and this service's apps at the platforms. */
export const accounts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table social_accounts (
      id bigint generated always as identity primary key,
      workspace_id uuid not null references workspaces (id) on delete cascade,
      platform text not null,
      remote_id text not null,
      username text not null,
      display_name text,
      -- The platform's address of the picture, for the next try; the copy is in avatar.
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
      -- When its tokens are renewed ahead of their end; null: they do not end, or cannot be renewed.
      refresh_at timestamptz,
      -- Until then one process alone renews them: platforms that rotate tokens drop the loser of a race.
      refreshing_until timestamptz,
      refresh_failures integer not null default 0,
      default_board_id text,
      avatar bytea,
      avatar_version text,
      -- Who sees the account's posts that do not say it.
      default_privacy_level text,
      -- When its access ends for good, and how many days ahead of it a person was last told.
      access_expires_at timestamptz,
      expiry_notice int,
      -- What the account's server takes, and when it was last asked.
      limits jsonb,
      limits_asked_at timestamptz,
      unique (workspace_id, platform, remote_id)
    )`
  yield* sql`
    create index social_accounts_to_refresh on social_accounts (refresh_at)
    where status = 'connected' and refresh_at is not null`
  // Finds the same account in other workspaces, whose commits may be under way too.
  yield* sql`create index social_accounts_by_remote on social_accounts (platform, remote_id)`

  yield* sql`
    create table account_connections (
      id uuid primary key,
      workspace_id uuid not null references workspaces (id) on delete cascade,
      platform text not null,
      login text not null,
      redirect_url text,
      -- open: nobody has followed the link; started: a browser is at the platform; choosing: between several accounts.
      step text not null check (step in ('open', 'started', 'choosing', 'ended')),
      -- Hashes of the secret that the flow's next request must bring: the link, the state, or the choice.
      ticket_hash bytea not null unique,
      -- A hash of the cookie in the browser that followed the link.
      browser_hash bytea,
      -- Encrypted: the code verifier, then the accounts to choose from.
      secrets bytea,
      expires_at timestamptz not null,
      -- The actor who asked for the link.
      begun_by jsonb not null,
      -- Each server of a platform has an address of its own.
      redirect_uri text not null
    )`
  yield* sql`create index account_connections_by_expiry on account_connections (expires_at)`

  // The operator's apps at the platforms, as far as they were entered in the console.
  yield* sql`
    create table platform_apps (
      app text primary key,
      client_id text not null,
      -- Encrypted.
      client_secret bytea not null,
      stored_at timestamptz not null
    )`

  // The use of a platform's daily quota by the operator's app, where the platform itself does not tell it.
  yield* sql`
    create table platform_quotas (
      app text not null,
      bucket text not null,
      -- The day in the platform's own time zone.
      day date not null,
      used integer not null,
      primary key (app, bucket, day)
    )`

  yield* sql`
    create table mastodon_apps (
      server text not null,
      redirect_uri text not null,
      scopes text not null,
      client_id text not null,
      -- Encrypted.
      client_secret bytea not null,
      registered_at timestamptz not null,
      primary key (server, redirect_uri, scopes)
    )`
})
