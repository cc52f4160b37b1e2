import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`update targets set next_step_at = null where state in ('draft', 'published', 'failed', 'unconfirmed', 'cancelled')`
  // Two of one account could be under way so far; nobody sends them again without asking.
  yield* sql`update targets set state = 'unknown' where state = 'committing'`
  yield* sql`
    alter table targets
      -- When a look-up found nothing after the last commit; only a second one, later, is believed.
      add column looked_up_at timestamptz,
      -- What is not over has a next step with a time; nothing else has.
      add constraint targets_next_step check (
        (next_step_at is not null) = (state in ('waiting', 'claimed', 'committing', 'unknown')))`

  // None of these but the last names the state, so that a write of the state alone need not touch them.
  yield* sql`drop index targets_due`
  yield* sql`create index targets_due on targets (next_step_at) where next_step_at is not null`
  yield* sql`create index targets_due_by_workspace on targets (workspace_id, next_step_at) where next_step_at is not null`
  yield* sql`drop index targets_waiting_by_account`
  yield* sql`create index targets_by_account on targets (social_account_id, due_at, id) where next_step_at is not null`
  // One commit per account at a time, whatever the processes believe.
  yield* sql`create unique index targets_committing on targets (social_account_id) where state = 'committing'`
})
