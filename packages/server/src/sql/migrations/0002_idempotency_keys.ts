import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table idempotency_keys (
      workspace_id uuid not null,
      -- The id of the API key, or 'bootstrap'.
      owner text not null,
      key text not null,
      -- A hash of the method, the address and the body.
      request_hash bytea not null,
      -- The first answer, encrypted, because some hold secrets. Null while the request is running.
      answer bytea,
      -- While the request runs: the process that runs it, and until when no other may.
      run_id uuid,
      running_until timestamptz,
      expires_at timestamptz not null,
      primary key (workspace_id, owner, key)
    )`
  yield* sql`create index idempotency_keys_expired on idempotency_keys (expires_at)`
})
