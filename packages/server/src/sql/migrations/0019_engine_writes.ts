import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * A claim and a marker change no column that an index names, so PostgreSQL writes them beside the row and no index
 * (decision 11): the lease is a column of its own, lists are of a stage that stays the same from waiting to committing,
 * and what is committing is a small table.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    alter table targets
      -- A process holds the target until then. When it is null or past, any process may take a due target.
      add column lease_until timestamptz,
      -- Lists are ordered by it: the state, with all states from waiting to committing as one.
      add column stage text not null generated always as (
        case when state in ('waiting', 'claimed', 'committing') then 'open' else state end) stored,
      -- Leaves room for the claim and the marker on the row's page.
      set (fillfactor = 60)`

  yield* sql`drop index targets_by_platform`
  yield* sql`drop index targets_by_state`
  yield* sql`create index targets_by_platform on targets (workspace_id, platform, post_id, id) include (stage)`
  yield* sql`create index targets_by_stage on targets (workspace_id, stage, post_id, id)`

  // One commit per account at a time, whatever the processes believe. A row is there from the marker to the settlement.
  yield* sql`create table commits (social_account_id bigint primary key, target_id uuid not null)`
  yield* sql`
    insert into commits select social_account_id, id from targets where state = 'committing'`
  yield* sql`drop index targets_committing`
  yield* sql`
    create or replace function delete_attempts() returns trigger language plpgsql as $$
    begin
      delete from attempts a using gone where a.target_id = gone.id;
      delete from commits c using gone where c.social_account_id = gone.social_account_id and c.target_id = gone.id;
      return null;
    end $$`
})
