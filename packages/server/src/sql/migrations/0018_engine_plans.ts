import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Which of the engine's indexes a statement uses must not hang on statistics: those of a quiet hour say that hardly
 * anything is not over, and any index with the predicate "next_step_at is not null" looks equally cheap then. So only
 * targets_due has that one. The two others have a spelling each that means the same and is not deduced from it, nor one
 * from the other: two indexes with one predicate are read from end to end and their rows intersected.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`drop index targets_due_by_workspace`
  yield* sql`
    create index targets_due_by_workspace on targets (workspace_id, coalesce(next_step_at, 'infinity'))
    where num_nulls(next_step_at) = 0`
  yield* sql`drop index targets_by_account`
  yield* sql`
    create index targets_by_account on targets (social_account_id, due_at, id) where num_nonnulls(next_step_at) = 1`

  // A foreign key is checked row by row at every marker. A trigger deletes the same rows in one statement.
  yield* sql`alter table attempts drop constraint attempts_target_id_fkey`
  yield* sql`
    create function delete_attempts() returns trigger language plpgsql as $$
    begin
      delete from attempts a using gone where a.target_id = gone.id;
      return null;
    end $$`
  yield* sql`
    create trigger targets_delete_attempts after delete on targets
    referencing old table as gone for each statement execute function delete_attempts()`
})
