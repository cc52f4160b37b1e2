/**
 * A failure and the posts that go out instead of it are a group, of which at most one target has not failed
 * (docs/decisions/0070-repairs.md). These are its words in SQL, for targets `t`, other targets `m` and posts `p`.
 */

/** The first failure of the group of `t`; without repairs `t` itself. */
export const rootOf = `coalesce(
  (select r.root_id from repairs r where r.post_id = t.post_id and r.social_account_id = t.social_account_id), t.id)`

/** What its platform rejected afterwards is not live. It has not failed either: nothing else goes out instead. */
export const liveMember =
  "((m.state = 'published' or m.published_at is not null) and m.platform_data ->> 'review' is distinct from 'rejected')"

/** What has not failed in the group of a failed `t`. */
const standing = (columns: string) => `
  select ${columns} from (select ${rootOf} as id offset 0) g cross join lateral (
    select g.id union all
    select o.id from repairs r cross join lateral (
      select id from targets where post_id = r.post_id and social_account_id = r.social_account_id offset 0) o
    where r.root_id = g.id
  ) k cross join lateral (select * from targets where id = k.id and id <> t.id and state <> 'failed' offset 0) m`

/** Whether `t` failed and another post of its group is live. */
export const isRepaired = `(t.state = 'failed' and exists (${standing("1")} where ${liveMember}))`

/** What the result of `t` tells of repairs. */
export const repairColumns =
  "(select r.target_id from repairs r where r.post_id = t.post_id and r.social_account_id = t.social_account_id) as repairs, " +
  `case when t.state = 'failed' then (${standing(
    `json_build_object('post_id', m.post_id, 'post_result_id', m.id, 'state', m.state, 'live', ${liveMember}, 'url', m.platform_data ->> 'url')`
  )} limit 1) end as repair`

/** The failures that `p` goes out instead of, first the one that its request named. */
export const repairsOfPost =
  "(select json_agg(json_build_object('social_account_id', r.social_account_id, 'target_id', r.target_id) " +
  "order by r.named desc, r.target_id) from repairs r where r.post_id = p.id) as repairs"
