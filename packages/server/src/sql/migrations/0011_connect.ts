import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table account_connections (
      id uuid primary key,
      workspace_id uuid not null references workspaces (id) on delete cascade,
      platform text not null,
      login text not null,
      redirect_url text,
      -- open: nobody has followed the link; started: a browser is at the platform; choosing: between several accounts.
      step text not null check (step in ('open', 'started', 'choosing', 'ended')),
      -- Hashes of the secret that the flow's next request must bring: the link, the state, or the choice.
      ticket_hash bytea not null unique,
      -- A hash of the cookie in the browser that followed the link.
      browser_hash bytea,
      -- Encrypted: the code verifier, then the accounts to choose from.
      secrets bytea,
      expires_at timestamptz not null
    )`
  yield* sql`create index account_connections_by_expiry on account_connections (expires_at)`
})
