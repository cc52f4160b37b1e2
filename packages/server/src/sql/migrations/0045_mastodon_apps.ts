import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The apps of this service at the servers of Mastodon accounts. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table mastodon_apps (
      server text not null,
      redirect_uri text not null,
      scopes text not null,
      client_id text not null,
      -- Encrypted.
      client_secret bytea not null,
      registered_at timestamptz not null,
      primary key (server, redirect_uri, scopes)
    )`
})
