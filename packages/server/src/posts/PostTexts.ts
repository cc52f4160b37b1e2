import type { Access } from "@carillon/domain"
import type { SqlClient, Statement } from "effect/sql"
import { int8s } from "../sql/Rows.ts"
import { targetFilters } from "./TargetFilters.ts"

const excerptLength = 120

/** The words of posts `p` in SQL, as a credential sees them: what is written for other accounts is not shown and not found. */
export const postTexts = (sql: SqlClient.SqlClient, access: Access) => {
  const { ofAccount } = targetFilters(sql)
  const own = access === null ? sql`true` : ofAccount(access)

  /** The beginning of the post's caption, else of what the first account that gets one gets. */
  const excerpt = sql`left(coalesce(nullif(p.caption, ''), (
    select w.caption from targets t cross join lateral (
      select coalesce(
        (select o ->> 'caption' from jsonb_array_elements(p.account_configurations) o
          where (o ->> 'account_id')::bigint = t.social_account_id limit 1),
        p.platform_configurations -> t.platform ->> 'caption') as caption
    ) w
    where t.post_id = p.id and ${own} and w.caption <> ''
    order by array_position(p.social_accounts, t.social_account_id) limit 1
  )), ${sql.literal(String(excerptLength))}) as excerpt`

  /** Whether a text is in the post's caption, in one for an account or a platform, or in one of a thread. `of` has their columns. */
  const says = (of: Statement.Fragment, text: string) => {
    const has = (words: Statement.Fragment) => sql`strpos(lower(${words}), lower(${text})) > 0`
    const inThread = (thread: Statement.Fragment) => sql`exists (
      select from jsonb_path_query(${thread}, '$[*].caption') i where ${has(sql`i #>> '{}'`)})`
    const inEntry = sql`(${has(sql`o ->> 'caption'`)} or ${inThread(sql`o -> 'thread'`)})`
    const ofOwnAccount =
      access === null ? sql`true` : sql`(o ->> 'account_id')::bigint = any(${int8s(access)}::bigint[])`
    const ofOwnPlatform =
      access === null
        ? sql`true`
        : sql`exists (select from targets t where t.post_id = ${of}.id and t.platform = name and ${own})`
    return sql`(${has(sql`${of}.caption`)}
      or (${of}.thread is not null and ${inThread(sql`${of}.thread`)})
      or (${of}.account_configurations is not null and exists (
        select from jsonb_array_elements(${of}.account_configurations) o where ${ofOwnAccount} and ${inEntry}))
      or (${of}.platform_configurations is not null and exists (
        select from jsonb_each(${of}.platform_configurations) e (name, o) where ${ofOwnPlatform} and ${inEntry})))`
  }

  return { excerpt, says }
}
