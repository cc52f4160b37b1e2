import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Accounts that the service connected itself, on the test network. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    alter table social_accounts add column demo text check (demo in ('active', 'replaced', 'removed'))`
  // Those of 0.1.0, by their names and by who connected them.
  yield* sql`
    update social_accounts set demo = 'active'
    where username = case platform when 'sandbox' then 'demo' else platform || '-demo' end
      and exists (select from audit_entries
        where action = 'account.connected' and actor ->> 'type' = 'instance'
          and subject ->> 'id' = social_accounts.id::text)`
})
