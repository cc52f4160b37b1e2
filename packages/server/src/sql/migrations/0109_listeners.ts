import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Events are stored for those who listen, too, and not only for webhooks. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table listeners (
      workspace_id uuid primary key references workspaces (id) on delete cascade,
      -- All events with a higher sequence are stored until then.
      since bigint not null,
      until timestamptz not null
    )`
})
