import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A choice between accounts is a resource of whoever began the connection. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table account_connections
      -- The account that is to be connected again; null: whatever the person chooses.
      add column reconnects bigint,
      -- A reconnection offers the sign-in's other accounts too.
      add column offer_others boolean not null default false,
      -- The accounts that it ended with, in the order offered; null: it has not, or connected none.
      add column connected bigint[]`
})
