import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Posts that go out instead of failed results, one row for each such account. `target_id` is the result that was named,
 * `root_id` the first failure: a repair that fails may be repaired in turn, and whichever is live then stands for all.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table repairs (
      post_id uuid not null references posts (id) on delete cascade,
      social_account_id bigint not null,
      target_id uuid not null,
      root_id uuid not null,
      -- Whether the request named this result, or another of the same post.
      named boolean not null,
      primary key (post_id, social_account_id)
    )`
  yield* sql`create index repairs_by_root on repairs (root_id)`
})
