import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A person sees where they are signed in, and ends one session of several. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table sessions
      add column id uuid not null default gen_random_uuid(),
      -- Of the sign-in; null: it was before this was kept.
      add column address text,
      add column user_agent text`
})
