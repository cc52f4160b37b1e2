import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The queue, posts, and their targets with everything that the engine keeps of them. */
export const posts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table queues (
      workspace_id uuid primary key references workspaces (id) on delete cascade,
      timezone text,
      slots jsonb not null,
      jitter_minutes integer not null check (jitter_minutes between 0 and 30)
    )`

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
      published_at timestamptz,
      -- The slot that the post holds, not the moment that jitter makes of it. It stays when the post is published: a slot is
      -- filled once.
      queue_slot timestamptz,
      -- An app's request for a person's approval, and the person's answer. null on nearly every post.
      approval jsonb,
      created_by jsonb,
      updated_by jsonb,
      thread jsonb,
      thread_fallback text,
      -- When a draft or scheduled post was sent out at once. One that was made to go out at once has none.
      sent_at timestamptz,
      -- When it was published, before that when it is scheduled for, and when it was sent if it goes out at once.
      dated_at timestamptz generated always as (
        coalesce(published_at, scheduled_at, case when status <> 'draft' then coalesce(sent_at, created_at) end)
      ) stored
    )`
  // Lists are in the order of the posts' ids, whose time is their created_at: one column that the indexes of both tables are
  // sorted by, so that PostgreSQL merges any two filters from their indexes alone (decision 12).
  yield* sql`create index posts_by_workspace on posts (workspace_id, id) include (dated_at)`
  yield* sql`create index posts_by_status on posts (workspace_id, status, id) include (dated_at)`
  yield* sql`create index posts_by_time on posts (workspace_id, dated_at) include (id, status)`
  yield* sql`create index posts_undated on posts (workspace_id, id) where dated_at is null`
  yield* sql`create index posts_waiting_for_approval on posts (workspace_id, id) where approval ->> 'status' = 'waiting'`
  yield* sql`
    create unique index posts_by_queue_slot on posts (workspace_id, queue_slot) where queue_slot is not null`
  // A post that somebody put at the time of a slot fills it too.
  yield* sql`
    create index posts_at_fixed_times on posts (workspace_id, scheduled_at)
    where status = 'scheduled' and queue_slot is null`

  // Which posts use an item anywhere: shared media, platform and account overrides.
  yield* sql`
    create table post_media (
      post_id uuid not null references posts (id) on delete cascade,
      media_id uuid not null references media (id),
      primary key (post_id, media_id)
    )`
  yield* sql`create index post_media_by_media on post_media (media_id)`

  // A claim and a marker change no column that an index names, so PostgreSQL writes them beside the row and no index (decision
  // 11): the lease is a column of its own, lists are of a stage that stays the same from waiting to committing, and what is
  // committing is a small table. The fill factor leaves room for both on each page: with 40 % free a third found none.
  yield* sql`
    create table targets (
      id uuid primary key,
      post_id uuid not null references posts (id) on delete cascade,
      workspace_id uuid not null,
      social_account_id bigint not null references social_accounts (id),
      platform text not null,
      state text not null check (state in (
        'draft', 'waiting', 'claimed', 'committing', 'unknown', 'published', 'failed', 'unconfirmed')),
      due_at timestamptz,
      -- The first step may start this long before the target is due.
      lead interval not null,
      -- A process may take the target from this time on.
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
      created_at timestamptz not null,
      -- When a look-up first found nothing after the last commit. Only a second, later one is believed.
      looked_up_at timestamptz,
      -- A process holds the target until then. When it is null or past, any process may take a due target.
      lease_until timestamptz,
      -- Lists are ordered by it: the state, with all states from waiting to committing as one.
      stage text not null generated always as (
        case when state in ('waiting', 'claimed', 'committing') then 'open' else state end) stored,
      -- On a platform with boards, each board of a post is a target of its own.
      board_id text,
      -- The process that holds it, by the number of its advisory lock (decision 25). null: only the lease tells that it is held.
      holder int,
      -- null: the target is no thread.
      item_count smallint,
      -- What the platform calls each item that is live, in order.
      items jsonb not null default '[]',
      -- Exactly the targets that are not over have a next step.
      constraint targets_next_step check (
        (next_step_at is not null) = (state in ('waiting', 'claimed', 'committing', 'unknown')))
    ) with (fillfactor = 40)`
  // Which of the engine's indexes a statement uses must not hang on statistics: those of a quiet hour say that hardly anything
  // is not over, and any index with the predicate "next_step_at is not null" looks equally cheap then. So only targets_due has
  // that one. The two others have a spelling each that means the same and is not deduced from it, nor one from the other: two
  // indexes with one predicate are read from end to end and their rows intersected.
  yield* sql`create index targets_due on targets (next_step_at) where next_step_at is not null`
  yield* sql`
    create index targets_due_by_workspace on targets (workspace_id, coalesce(next_step_at, 'infinity'))
    where num_nulls(next_step_at) = 0`
  yield* sql`
    create index targets_by_account on targets (social_account_id, due_at, id) where num_nonnulls(next_step_at) = 1`
  yield* sql`create index targets_by_post on targets (post_id)`
  yield* sql`create index targets_by_platform on targets (workspace_id, platform, post_id, id) include (stage)`
  yield* sql`create index targets_by_account_and_post on targets (workspace_id, social_account_id, post_id)`
  yield* sql`create index targets_by_stage on targets (workspace_id, stage, post_id, id)`
  // Threads that broke off: published, and yet with an error. There are few.
  yield* sql`
    create index targets_broken on targets (workspace_id, post_id, id) where state = 'published' and error is not null`
  // Targets that are tried again. There are few among all that wait.
  yield* sql`
    create index targets_failed_tries on targets (workspace_id, post_id, id) where stage = 'open' and error is not null`
  yield* sql`
    create index targets_published_by_account on targets (social_account_id, published_at) where published_at is not null`

  // Without a foreign key, which is checked row by row at every marker. A trigger deletes the rows of deleted targets.
  yield* sql`
    create table attempts (
      target_id uuid not null,
      fence integer not null,
      -- Written before the call ("about to commit"), so an attempt that has not ended may have succeeded.
      started_at timestamptz not null,
      ended_at timestamptz,
      outcome text,
      error jsonb,
      primary key (target_id, fence)
    )`
  // One commit per account at a time, whatever the processes believe. A row is there from the marker to the settlement.
  yield* sql`create table commits (social_account_id bigint primary key, target_id uuid not null)`
  yield* sql`
    create function delete_attempts() returns trigger language plpgsql as $$
    begin
      delete from attempts a using gone where a.target_id = gone.id;
      delete from commits c using gone where c.social_account_id = gone.social_account_id and c.target_id = gone.id;
      return null;
    end $$`
  yield* sql`
    create trigger targets_delete_attempts after delete on targets
    referencing old table as gone for each statement execute function delete_attempts()`

  // The posts on networks whose look-ups go by words, and whose each is: of accounts as the platforms know them, because two
  // workspaces may have connected the same one. A row outlives its target: the post stays on the platform.
  yield* sql`
    create table remote_posts (
      platform text not null,
      -- Its account's remote_id.
      account text not null,
      remote_id text not null,
      -- The target's id; for the items of a thread behind the first with the item's place.
      owner text not null,
      primary key (platform, account, remote_id)
    )`

  // Failures that the workspace leaves as they are. The fence rises when a target is tried again, so that a new failure is told.
  yield* sql`
    create table dismissed_results (
      target_id uuid primary key references targets (id) on delete cascade,
      fence integer not null
    )`

  // Posts that go out instead of failed results, one row for each such account: a repair that fails may be repaired in turn,
  // and whichever is live then stands for all.
  yield* sql`
    create table repairs (
      post_id uuid not null references posts (id) on delete cascade,
      social_account_id bigint not null,
      -- The result that was named.
      target_id uuid not null,
      -- The first failure.
      root_id uuid not null,
      -- Whether the request named this result, or another of the same post.
      named boolean not null,
      primary key (post_id, social_account_id)
    )`
  yield* sql`create index repairs_by_root on repairs (root_id)`
})
