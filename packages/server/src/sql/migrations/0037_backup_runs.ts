import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The scheduled backups of the instance: who makes one now, and what became of the last. One row, made by the first. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

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
