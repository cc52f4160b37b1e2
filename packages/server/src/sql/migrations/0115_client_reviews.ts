import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Links with which somebody without an account sees a post, what they say of it, and whether their yes approves it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table review_links (
      id uuid primary key,
      workspace_id uuid not null references workspaces (id) on delete cascade,
      post_id uuid not null references posts (id) on delete cascade,
      token_hash bytea not null unique,
      name text,
      created_by jsonb not null,
      -- In whose name a yes approves; null: nobody's, because a key or an app made it, or the member is gone.
      member_id uuid references members (id) on delete set null,
      created_at timestamptz not null,
      expires_at timestamptz not null,
      last_opened_at timestamptz
    )`
  yield* sql`create index review_links_post on review_links (post_id)`
  yield* sql`create index review_links_member on review_links (member_id) where member_id is not null`
  yield* sql`
    create table client_reviews (
      id uuid primary key,
      post_id uuid not null references posts (id) on delete cascade,
      link_id uuid references review_links (id) on delete set null,
      name text not null,
      answer text check (answer in ('yes', 'no')),
      comment text,
      version int not null,
      created_at timestamptz not null
    )`
  yield* sql`create index client_reviews_post on client_reviews (post_id)`
  yield* sql`create index client_reviews_link on client_reviews (link_id) where link_id is not null`
  yield* sql`alter table workspaces add column client_approval boolean not null default false`
})
