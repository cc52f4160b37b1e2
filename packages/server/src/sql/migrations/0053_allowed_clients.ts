import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When a person first allowed an app that registered itself. Null: nobody has, and it makes room for others. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table oauth_records add column allowed_at timestamptz`
  yield* sql`
    update oauth_records set allowed_at = now()
    where model = 'Client' and payload ->> 'client_id' in (select client_id from grants)`
  yield* sql`
    update oauth_records set expires_at = least(expires_at, now() + interval '7 days')
    where model = 'Client' and allowed_at is null`
  yield* sql`
    create index oauth_records_not_allowed on oauth_records (expires_at) where model = 'Client' and allowed_at is null`
})
