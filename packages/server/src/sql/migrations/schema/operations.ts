import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Events and their deliveries, repeated requests, counters that all processes share, and scheduled backups. */
export const operations = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table webhooks (
      id uuid primary key,
      workspace_id uuid not null references workspaces (id) on delete cascade,
      url text not null,
      events text[] not null,
      description text,
      status text not null check (status in ('active', 'paused')),
      status_reason text,
      -- Encrypted: the signing secret, and the former ones while they still sign.
      secrets bytea not null,
      -- The first failure since the last success.
      failing_since timestamptz,
      created_at timestamptz not null,
      updated_at timestamptz not null
    )`
  yield* sql`create index webhooks_by_workspace on webhooks (workspace_id, created_at desc, id desc)`

  yield* sql`
    create table events (
      -- Given under the lock of the event's subject, so it follows the order of the subject's changes.
      sequence bigint generated always as identity primary key,
      id uuid not null,
      workspace_id uuid not null,
      type text not null,
      -- The event's subject: a post, a media item or an account.
      subject text not null,
      -- json and not jsonb: every try has to send the same bytes.
      data json not null,
      created_at timestamptz not null
    )`

  yield* sql`
    create table webhook_deliveries (
      id uuid primary key,
      webhook_id uuid not null references webhooks (id) on delete cascade,
      event_sequence bigint not null references events (sequence) on delete cascade,
      -- Deliveries of one endpoint and one subject go out one after the other. null: out of turn, by hand.
      subject text,
      status text not null check (status in ('pending', 'sending', 'delivered', 'failed')),
      attempts integer not null default 0,
      -- A process may take it from this time on: the next try, or the end of the lease while it is being sent.
      next_attempt_at timestamptz,
      -- Every claim raises it. Only the holder of the present value may write.
      fence integer not null default 0,
      last_attempt_at timestamptz,
      response_status integer,
      response_excerpt text,
      error text,
      created_at timestamptz not null,
      finished_at timestamptz,
      -- The process that holds it, as for targets (decision 25). null: its lease alone says so.
      holder int
    )`
  // Deliveries that are not over, to find the endpoints with anything to send, and their due ones.
  yield* sql`
    create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at)
    where status in ('pending', 'sending')`
  yield* sql`
    create index webhook_deliveries_in_turn on webhook_deliveries (webhook_id, subject, event_sequence)
    where status in ('pending', 'sending')`
  yield* sql`
    create index webhook_deliveries_by_webhook on webhook_deliveries (webhook_id, created_at desc, id desc)`
  yield* sql`create index webhook_deliveries_by_event on webhook_deliveries (event_sequence)`

  yield* sql`
    create table idempotency_keys (
      workspace_id uuid not null,
      -- The id of the API key, or 'bootstrap'.
      owner text not null,
      key text not null,
      -- A hash of the method, the address and the body.
      request_hash bytea not null,
      -- The first answer, encrypted, because some hold secrets. Null while the request is running.
      answer bytea,
      -- While the request runs: the process that runs it, and until when no other may.
      run_id uuid,
      running_until timestamptz,
      expires_at timestamptz not null,
      primary key (workspace_id, owner, key)
    )`
  yield* sql`create index idempotency_keys_expired on idempotency_keys (expires_at)`

  // Refused passwords, registrations.
  yield* sql`
    create table throttles (
      bucket text primary key,
      taken integer not null,
      resets_at timestamptz not null
    )`

  // Who makes a scheduled backup now, and what became of the last. One row, made by the first.
  yield* sql`
    create table backup_runs (
      only_one boolean primary key default true check (only_one),
      started_at timestamptz not null,
      -- A process makes it until then; past, or its holder not seen to live, another one may.
      lease_until timestamptz,
      holder int,
      ended_at timestamptz,
      -- null: it was made.
      error text,
      -- Of the last one that was made.
      name text,
      size_bytes bigint,
      succeeded_at timestamptz
    )`
})
