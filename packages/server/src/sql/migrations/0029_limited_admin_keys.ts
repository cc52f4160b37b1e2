import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A key with the scope admin sees every account (decision 30). Keys limited to some accounts keep that limit and lose `admin`. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    update api_keys set scopes = '{posts:publish,media:write,accounts:write}'
    where social_accounts is not null and 'admin' = any(scopes)`
  yield* sql`
    alter table api_keys add constraint api_keys_admin_has_all_accounts
      check (social_accounts is null or not 'admin' = any(scopes))`
})
