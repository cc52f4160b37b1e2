import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`update targets set next_step_at = null where state in ('draft', 'published', 'failed', 'unconfirmed', 'cancelled')`
  // Two commits of one account could be under way until now. `unknown` has the platform asked before either is sent again.
  yield* sql`update targets set state = 'unknown' where state = 'committing'`
  yield* sql`
    alter table targets
      -- When a look-up first found nothing after the last commit. Only a second, later one is believed.
      add column looked_up_at timestamptz,
      -- Exactly the targets that are not over have a next step.
      add constraint targets_next_step check (
        (next_step_at is not null) = (state in ('waiting', 'claimed', 'committing', 'unknown')))`

  // Only the last of these indexes names the state, so a write of the state alone touches no other.
  yield* sql`drop index targets_due`
  yield* sql`create index targets_due on targets (next_step_at) where next_step_at is not null`
  yield* sql`create index targets_due_by_workspace on targets (workspace_id, next_step_at) where next_step_at is not null`
  yield* sql`drop index targets_waiting_by_account`
  yield* sql`create index targets_by_account on targets (social_account_id, due_at, id) where next_step_at is not null`
  // One commit per account at a time, whatever the processes believe.
  yield* sql`create unique index targets_committing on targets (social_account_id) where state = 'committing'`
})
