/** One million posts in one workspace and a hundred thousand in each of five others, made inside the database. */

export interface ListWorkspace {
  readonly id: string
  readonly posts: number
  /** The first id of its accounts; they are numbered on from there in the order of `accounts`. */
  readonly firstAccount: number
}

const workspaceId = (index: number) => `00000000-0000-7000-8000-00000000000${index}`

export const workspaces = (large: number, small: number): ReadonlyArray<ListWorkspace> =>
  Array.from({ length: 6 }, (_, index) => ({
    id: workspaceId(index),
    posts: index === 0 ? large : small,
    firstAccount: 1 + index * accounts.length
  }))

/**
 * The accounts of each workspace, and how many of ten thousand posts go to each. Common, rare (1 in 5,000) and absent
 * platforms and accounts; every fifth post goes to Mastodon besides.
 */
export const accounts = [
  { platform: "bluesky", share: 3000 },
  { platform: "bluesky", share: 2000 },
  { platform: "bluesky", share: 498 },
  { platform: "bluesky", share: 2 },
  { platform: "instagram", share: 3000 },
  { platform: "facebook", share: 1498 },
  { platform: "youtube", share: 2 },
  { platform: "mastodon", share: 0 },
  { platform: "tiktok", share: 0 },
  { platform: "bluesky", share: 0 }
] as const

const uuidAt = (time: string, salt: string) =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${salt}), 1, 3) ||
    '8' || substr(md5(${salt}), 4, 15))::uuid`

const words =
  "array['bells','tower','market','river','morning','lantern','harbour','garden','bridge','winter','song','bread']"

export const lastCreated = "2026-11-01T00:00:00Z"
const span = "interval '1000 days'"
/** A scheduled post is planned this far ahead of its creation, so that nothing is overdue. */
const ahead = "interval '3000 days'"

const approval = (status: "waiting" | "approved") =>
  JSON.stringify({
    status,
    wants: "now",
    queue_timezone: null,
    asked_by: { type: "app", name: "App" },
    grant_id: "grant",
    asked_at: lastCreated,
    decided_at: null,
    reason: null
  })

/** The statements that fill an empty, migrated database; the user has to be a superuser. */
export const fill = (large: number, small: number): ReadonlyArray<string> => [
  // Foreign keys hold by construction; checking them takes longer than all the rest.
  "set session_replication_role = replica",
  ...workspaces(large, small).flatMap(({ id, posts, firstAccount }, index) => [
    `insert into workspaces (id, name, created_at) values ('${id}', 'Workspace ${index}', '2023-01-01')`,
    ...accounts.map(
      ({ platform }, at) => `insert into social_accounts
        (id, workspace_id, platform, remote_id, username, status, connected_at, created_at) overriding system value
      values (${firstAccount + at}, '${id}', '${platform}', 'remote-${at}', 'account-${at}', 'connected', '2023-01-01', '2023-01-01')`
    ),
    // Nine of ten published, one scheduled, 1 in 5,000 a draft, half of them without a time, none failed; 1 in 5,000 of the
    // published is a thread that broke off. 1 in 10,000 waits for approval, and as many have it. One in ten has words of its own for its account.
    `insert into posts (id, workspace_id, status, caption, scheduled_at, social_accounts, media, processing_enabled,
      warnings, approval, created_at, updated_at, published_at, account_configurations)
    select ${uuidAt("created", `'${index}-' || i`)}, '${id}',
      case when i % 5000 = 7 then 'draft' when i % 10 = 3 then 'scheduled' else 'published' end,
      (select string_agg((${words})[1 + (hashint8(i * 31 + n) & 2147483647) % 12], ' ') from generate_series(1, 60) n)
        || case when i % 5000 = 11 then ' quetzal' else '' end,
      case when i % 10 = 3 then created + ${ahead} when i % 5 = 0 or i % 10000 = 7 then null else planned end,
      array[account] || case when i % 5 = 1 then array[${firstAccount + 7}] else '{}' end, '{}', true, '{}',
      case when i % 10000 = 7 then '${approval("waiting")}'::jsonb when i % 10000 = 11 then '${approval("approved")}' end,
      created, created, case when i % 10 = 3 or i % 5000 = 7 then null when i % 5 = 0 then created else planned end,
      case when i % 10 = 2 then jsonb_build_array(jsonb_build_object('account_id', account, 'caption',
        repeat((${words})[1 + i % 12] || ' ', 30) || case when i % 5000 = 12 then 'onyx' else '' end)) end
    from (
      select i, date_trunc('milliseconds', timestamptz '${lastCreated}' - ${span} + ${span} * (i::float8 / ${posts})) as created,
        ${firstAccount} + case ${thresholds()} end as account
      from (select i, (hashint8(i * 7 + 1) & 2147483647) % 10000 as draw from generate_series(1, ${posts}) i) drawn
    ) made cross join lateral (select created + (hashint8(i) & 2147483647) % 43200 * interval '1 minute' as planned) plan`
  ]),
  `insert into targets (id, post_id, workspace_id, social_account_id, platform, state, due_at, next_step_at, lead,
    platform_data, published_at, error, created_at)
  select ${uuidAt("p.created_at", "p.id::text || a.id")}, p.id, p.workspace_id, a.id, a.platform,
    case p.status when 'scheduled' then 'waiting' else p.status end,
    p.scheduled_at, case when p.status = 'scheduled' then p.scheduled_at end, '1.5 seconds',
    case when p.status = 'published' then jsonb_build_object('id', p.id, 'url', null, 'username', null) end,
    p.published_at, case when p.status = 'published' and hashtext(p.id::text) % 5000 = 0 then '{"code":"banned_word"}'::jsonb end,
    p.created_at
  from posts p cross join lateral unnest(p.social_accounts) account join social_accounts a on a.id = account`,
  `insert into media (id, workspace_id, name, mime_type, kind, size_bytes, status, upload_expires_at, created_at)
  select ${uuidAt("created", "'media-' || i")}, '${workspaceId(0)}',
    case when i % 5000 = 11 then 'quetzal' else 'bells' end || i || '.jpg',
    case when i % 5000 = 7 then 'application/pdf' else 'image/jpeg' end,
    case when i % 5000 = 7 then 'document' else 'image' end, 1000,
    case when i % 5000 = 9 then 'reserved' else 'ready' end, created, created
  from (select i, timestamptz '${lastCreated}' - ${span} + ${span} * (i::float8 / ${large}) as created
    from generate_series(1, ${large}) i) made`,
  "set session_replication_role = default"
]

/** Does at once what autovacuum does in time: statistics, and the visibility map for index-only scans. */
export const settle = ["vacuum analyze posts", "vacuum analyze targets", "vacuum analyze media", "checkpoint"]

const thresholds = () => {
  let sum = 0
  return accounts
    .flatMap(({ share }, at) => {
      if (share === 0) return []
      sum += share
      return [`when draw < ${sum} then ${at}`]
    })
    .join(" ")
}
