import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The posts on networks whose look-ups go by words, and whose each is: of accounts as the platforms know them, because two
 * workspaces may have connected the same one. A row outlives its target: the post stays on the platform.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table remote_posts (
      platform text not null,
      -- Its account's remote_id.
      account text not null,
      remote_id text not null,
      -- The target's id; for the items of a chain behind the first with the item's place.
      owner text not null,
      primary key (platform, account, remote_id)
    )`
  yield* sql`
    insert into remote_posts (platform, account, remote_id, owner)
    select t.platform, a.remote_id, i.data->>'id', t.id || case when i.place = 1 then '' else '-' || i.place - 1 end
    from targets t join social_accounts a on a.id = t.social_account_id
    cross join lateral jsonb_array_elements(
      case when t.items = '[]' then jsonb_build_array(t.platform_data) else t.items end
    ) with ordinality as i (data, place)
    where t.platform in ('discord', 'instagram', 'mastodon', 'pinterest') and t.platform_data is not null
      and i.data->>'id' is not null
    on conflict do nothing`
  // Whose commits are under way to the account of another workspace, too.
  yield* sql`create index social_accounts_by_remote on social_accounts (platform, remote_id)`
})
