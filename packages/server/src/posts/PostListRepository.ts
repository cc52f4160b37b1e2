import {
  type Page,
  type Period,
  type PostFilter,
  type PostStatus,
  Progress,
  statesOf,
  type WorkspaceId,
  type Access
} from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import type { Statement } from "effect/sql"
import { countedAlone, countedPage, countedTogether, searched } from "../sql/CountedPage.ts"
import { listFragments } from "../sql/ListFragments.ts"
import { Instant, Int8, int8s } from "../sql/Rows.ts"
import { firstPostIdAt } from "./PostIds.ts"
import { postTexts } from "./PostTexts.ts"
import {
  type Accounts,
  accountsAsked,
  emptyPage,
  markedWithin,
  mostArms,
  targetFilters
} from "./TargetFilters.ts"
import { PostRow, postColumns } from "./PostColumns.ts"
import { lostAccounts, progressOfTargets } from "./TargetColumns.ts"

const decodePosts = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      ...PostRow.fields,
      progress: Progress,
      lost: Schema.Array(Int8),
      excerpt: Schema.NullOr(Schema.String),
      seen_platforms: Schema.Array(Schema.String),
      seen_published_at: Schema.NullOr(Instant)
    })
  )
)

/** The filter with its days resolved: `dated` of the posts' own times, `made` of their creation. */
export interface PostsAsked extends Omit<PostFilter, "from" | "to" | "created_from" | "created_to"> {
  readonly dated?: Period
  readonly made?: Period
}

/** The statuses that are asked for, none within another: no post is found twice. */
const statusesOf = (asked: NonNullable<PostFilter["status"]>) => {
  const statuses = new Set(asked.map((one) => (one === "posted" ? "published" : one)))
  if (statuses.has("scheduled")) {
    statuses.delete("processing")
    statuses.delete("waiting")
  }
  return [...statuses]
}

/**
 * The list of posts. Each filter has an index in the order of the posts' ids. A statement with two filters
 * leaves the choice of the index to PostgreSQL. It is planned for its own values, so PostgreSQL knows which are rare.
 */
export class PostListRepository extends Context.Service<PostListRepository>()(
  "@carillon/server/posts/PostListRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const { number, merged, slice, reach, counted } = listFragments(sql)
      const { wentWrong, heldUp, repaired, ofAccount, ofPlatform } = targetFilters(sql)

      const newest = sql`order by id desc`
      const textColumns = sql`p.id, p.caption, p.thread, p.account_configurations, p.platform_configurations`

      const inResults = (workspaceId: WorkspaceId, results: NonNullable<PostFilter["result"]>) =>
        results.flatMap((one) => {
          switch (one) {
            case "failed":
              return [sql`t.stage = ${one} and not ${repaired}`, ...wentWrong]
            case "unconfirmed":
              return [sql`t.stage = ${one}`]
            case "waiting":
              return heldUp(workspaceId)
          }
        })

      /** The given accounts, narrowed to the given platforms; an account has exactly one. */
      const accountsOn = (accounts: Accounts, { platform }: PostsAsked) =>
        accounts === undefined
          ? Effect.void
          : platform === undefined
            ? Effect.succeed(accounts)
            : Effect.map(
                sql<{ id: bigint }>`
                select a.id from social_accounts a
                where a.id = any(${int8s(accounts)}::bigint[]) and a.platform = any(${platform}::text[])`,
                (rows) => rows.map(({ id }) => Number(id))
              )

      /**
       * A credential for some accounts sees a status that follows from their targets alone. Each condition pairs a status
       * of the whole post, which has an index, with the targets that lead to the status that is asked for.
       */
      const withStatus = (
        workspaceId: WorkspaceId,
        status: PostStatus | "processing" | "waiting",
        access: Access,
        now: DateTime.Utc
      ) => {
        const is = (whole: PostStatus) => sql`p.status = ${whole}`
        // Nothing is published before the post's time.
        const begun = sql`${is("scheduled")}
          and p.dated_at <= ${DateTime.toDateUtc(DateTime.addDuration(now, markedWithin))}`
        if (status === "draft" || (access === null && status !== "processing" && status !== "waiting"))
          return [is(status)]
        const own = sql`
          select 1 from targets t where t.workspace_id = ${workspaceId} and t.post_id = p.id
            and ${access === null ? sql`true` : ofAccount(access)}`
        const inStages = (stages: ReadonlyArray<string>) => sql`${own} and t.stage = any(${stages}::text[])`
        // `offset 0` keeps this a check of each post. As a join, PostgreSQL would read all targets for one page.
        const any = (...stages: ReadonlyArray<string>) => sql`exists (${inStages(stages)} offset 0)`
        const sending = sql`exists (${own} and t.state = any(${statesOf("publishing")}::text[]) offset 0)`
        const open = ["open", "unknown"]
        // A failed post has such a target, and they are rare, so PostgreSQL may join here and begin with them.
        const lost = sql`exists (${inStages(["failed", "unconfirmed"])})`
        switch (status) {
          case "scheduled":
            return [sql`${is("scheduled")} and ${any(...open)}`]
          case "published":
            return [
              sql`${is("published")} and ${any("published")}`,
              sql`${begun} and ${any("published")} and not ${any(...open)}`
            ]
          case "waiting":
            return [
              sql`${is("scheduled")} and ${any(...open)} and num_nulls(p.scheduled_at) = 0 and not (${begun} and ${sending})`
            ]
          // domain's isProcessing. The index alone tells the few that have begun from all that are planned.
          case "processing":
            return [
              sql`p.id = any(array(select p.id from posts p where p.workspace_id = ${workspaceId} and ${begun}))
                and ${any(...open)} and (p.scheduled_at is null
                or ${sending})`
            ]
          case "failed":
            return [
              is("failed"),
              sql`${is("published")} and ${lost} and not ${any("published")}`,
              sql`${is("scheduled")} and ${lost} and not ${any("published", ...open)}`
            ]
        }
      }

      /** Conditions on a column of posts' ids, which hold the time of their creation. */
      const madeWithin = (id: Statement.Fragment, { start, stop }: Period = {}) => [
        ...(start ? [sql`${id} >= ${firstPostIdAt(start)}::uuid`] : []),
        ...(stop ? [sql`${id} < ${firstPostIdAt(stop)}::uuid`] : [])
      ]

      /** Posts by conditions on their targets alone. */
      const byTargets = (
        workspaceId: WorkspaceId,
        conditions: ReadonlyArray<Statement.Fragment>,
        made: Period | undefined
      ) => {
        // A post may have several targets on one platform.
        const arms = conditions.map(
          (condition) => sql`
          select distinct t.post_id as id from targets t
          where ${sql.and([sql`t.workspace_id = ${workspaceId}`, condition, ...madeWithin(sql`t.post_id`, made)])}`
        )
        return (atMost: number) =>
          arms.length === 1
            ? sql`(${arms[0]!} ${newest} limit ${number(atMost)}) k`
            : sql`(select distinct id from (${merged(arms, newest, atMost)}) a ${newest}) k`
      }

      /** Posts by all filters, one select for each status, of the posts and of their approval. */
      const byPosts = (
        workspaceId: WorkspaceId,
        { platform, status, result, approval, dated, made, undated }: PostsAsked,
        accounts: Accounts,
        access: Access,
        now: DateTime.Utc,
        columns = sql`p.id`
      ) => {
        const targets = [
          ...(accounts ? [ofAccount(accounts)] : platform ? [ofPlatform(platform)] : []),
          ...(result ? [sql.or(inResults(workspaceId, result))] : [])
        ]
        const approvals = approval
          ? [...new Set(approval)].map((one) => [sql`p.approval ->> 'status' = ${one}`])
          : [[]]
        const { start, stop } = dated ?? {}
        const conditions = [
          sql`p.workspace_id = ${workspaceId}`,
          ...(undated === undefined ? [] : [undated ? sql`p.dated_at is null` : sql`p.dated_at is not null`]),
          ...(start ? [sql`p.dated_at >= ${DateTime.toDateUtc(start)}`] : []),
          ...(stop ? [sql`p.dated_at < ${DateTime.toDateUtc(stop)}`] : [])
        ]
        const select = (
          of: ReadonlyArray<Statement.Fragment>,
          ...within: ReadonlyArray<Period | undefined>
        ) => {
          const ids = (id: Statement.Fragment) => within.flatMap((one) => madeWithin(id, one))
          const there = sql.and([
            sql`t.workspace_id = ${workspaceId}`,
            ...targets,
            sql`t.post_id = p.id`,
            ...ids(sql`t.post_id`)
          ])
          const has = targets.length > 0 ? [sql`exists (select 1 from targets t where ${there})`] : []
          const every = [...conditions, ...ids(sql`p.id`), ...has, ...of]
          return approvals.map(
            (one) => sql`select ${columns} from posts p where ${sql.and([...every, ...one])}`
          )
        }
        // Only a draft can be dated at a time before it was made. Of all others, the newer ones and their targets need not be read.
        const before = stop && { stop: DateTime.add(stop, { hours: 1 }) }
        const after = before && { start: before.stop }
        if (status)
          return statusesOf(status).flatMap((one) =>
            withStatus(workspaceId, one, access, now).flatMap((condition) =>
              select([condition], made, one === "draft" ? undefined : before)
            )
          )
        return after
          ? [...select([], made, before), ...select([sql`p.status = 'draft'`], made, after)]
          : select([], made)
      }

      const progress = sql.literal(progressOfTargets)

      /** The posts, each with a summary of the targets that the credential sees. */
      const postsWith = (ids: Statement.Fragment, access: Access) => sql`
        select ${sql.literal(postColumns)}, ${postTexts(sql, access).excerpt}, g.* from (${ids}) k join posts p on p.id = k.id cross join lateral (
          select ${
            access === null
              ? sql`'{}'::text[] as seen_platforms, null::timestamptz as seen_published_at`
              : sql`array_agg(distinct t.platform) as seen_platforms, min(t.published_at) as seen_published_at`
          }, ${progress} as progress, ${sql.literal(lostAccounts)}
          from targets t join social_accounts a on a.id = t.social_account_id where t.post_id = p.id and ${access === null ? sql`true` : ofAccount(access)}
        ) g order by p.id desc`

      const decoded = Effect.fnUntraced(function* (
        rows: ReadonlyArray<Record<string, unknown>>,
        page: Page,
        countedTo: number
      ) {
        const posts = yield* decodePosts(rows.filter(({ id }) => id !== null))
        const { counted, unsearched } = rows[0]!
        return countedPage(page, posts, Number(counted), countedTo, unsearched !== true)
      })

      /** Searches captions. `withText` is the same source with them, where they come without a join. */
      const search = Effect.fnUntraced(function* (
        found: (atMost: number) => Statement.Fragment,
        withText: ((atMost: number) => Statement.Fragment) | undefined,
        access: Access,
        page: Page,
        q: string
      ) {
        const needed = Math.max(reach(page), countedTogether + 1)
        const newestOf = (source: typeof found) =>
          sql`(select k.* from ${source(searched)} order by k.id desc limit ${number(searched)}) c`
        const { says } = postTexts(sql, access)
        const matching = withText
          ? sql`${newestOf(withText)} where ${says(sql`c`, q)}`
          : // `offset 0` makes PostgreSQL look up each caption by its post's id. Otherwise it would read all posts.
            sql`${newestOf(found)} cross join lateral (
              select 1 from posts p where p.id = c.id and ${says(sql`p`, q)} offset 0) p`
        const rows = yield* sql<Record<string, unknown>>`
        with hits as materialized (
          select c.id from ${matching} order by c.id desc limit ${number(needed)}
        )
        select counted, unsearched, r.* from (
          select (select count(*)::int from (select 1 from hits limit ${number(countedTogether + 1)}) c) as counted,
            exists (select 1 from ${found(searched + 1)} offset ${number(searched)}) as unsearched
        ) c left join lateral (${postsWith(sql`select id from hits order by id desc ${slice(page)}`, access)}) r on true
        `.unprepared
        return yield* decoded(rows, page, countedTogether)
      })

      const posts = Effect.fnUntraced(function* (
        workspaceId: WorkspaceId,
        access: Access,
        filter: PostsAsked,
        page: Page
      ) {
        const { status, result, approval, platform, dated, made, undated, q } = filter
        const accounts = yield* accountsOn(accountsAsked(filter, access), filter)
        if (accounts?.length === 0) return emptyPage
        const now = yield* DateTime.now
        const ofTargets = (accounts ?? platform ?? result) !== undefined
        const fewArms = result !== undefined || (accounts?.length ?? 0) <= mostArms
        const targetsOnly = ofTargets && !status && !approval && !dated && undated === undefined && fewArms
        const arms = targetsOnly ? [] : byPosts(workspaceId, filter, accounts, access, now)
        const there = accounts ? ofAccount(accounts) : platform ? ofPlatform(platform) : sql`true`
        const found = targetsOnly
          ? byTargets(
              workspaceId,
              (result && inResults(workspaceId, result).map((one) => sql`${one} and ${there}`)) ??
                accounts?.map((id) => ofAccount([id])) ??
                platform!.map((name) => ofPlatform([name])),
              made
            )
          : (atMost: number) => sql`(${merged(arms, newest, atMost)}) k`
        if (q !== undefined) {
          const texts = byPosts(workspaceId, filter, accounts, access, now, textColumns)
          const withText = (atMost: number) => sql`(${merged(texts, newest, atMost)}) k`
          return yield* search(found, ofTargets ? undefined : withText, access, page, q)
        }
        const filters = [status, result, approval, accounts ?? platform, dated, undated, made].filter(
          (one) => one !== undefined
        )
        const countedTo = filters.length > 1 ? countedTogether : countedAlone
        const rows = yield* counted(
          found,
          countedTo,
          postsWith(sql`select k.id from ${found(reach(page))} order by k.id desc ${slice(page)}`, access)
        )
        return yield* decoded(rows, page, countedTo)
      })

      return {
        posts: (...args: Parameters<typeof posts>) => Effect.orDie(posts(...args))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
