import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Platforms that review a post after it was published are asked what they found. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // When a platform is asked next; a process that asks puts it off first. null: there is no review, or it is over.
  yield* sql`alter table targets add column review_at timestamptz`
  yield* sql`create index targets_by_review on targets (review_at) where review_at is not null`
  // There are few. Those with an error too are in targets_broken.
  yield* sql`
    create index targets_rejected on targets (workspace_id, post_id, id)
    where state = 'published' and error is null and platform_data ->> 'review' = 'rejected'`
})
