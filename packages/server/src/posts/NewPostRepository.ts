import { type PostId, warnedAccount, type WorkspaceId } from "@carillon/domain"
import { Context, DateTime, Duration, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { SocialAccountRepository, type SocialAccountRow } from "../accounts/SocialAccountRepository.ts"
import { Events, type Waiting } from "../events/Events.ts"
import { IdempotencyRepository, type KeptAnswer } from "../http/IdempotencyRepository.ts"
import { makeWriteBatcher } from "../engine/WriteBatcher.ts"
import { encoded, namesOf, typesOf } from "../sql/Columns.ts"
import { int8s } from "../sql/Rows.ts"
import { type NewTarget, targetRows } from "./NewTarget.ts"
import { eventsOf } from "./eventsOf.ts"
import { firstPostIdAt } from "./PostIds.ts"
import { newPostColumns, type PostRow } from "./PostColumns.ts"

/** A new post with all that belongs to it. */
export interface NewPost {
  readonly workspace_id: WorkspaceId
  readonly row: PostRow
  readonly targets: ReadonlyArray<NewTarget>
  /** All the media that it uses, those for single platforms and accounts too. */
  readonly media: ReadonlyArray<string>
  /** The accounts from the cache that it was planned with, which must not have changed; empty: they were just read. */
  readonly cachedAccounts: ReadonlyArray<SocialAccountRow>
  /** The record of its idempotency key. If that cannot be written, neither is the post. */
  readonly record: KeptAnswer | null
  /** As its events tell it. */
  readonly post: unknown
}

/** What is new about a written post: warnings that only the statement could give. */
export interface Written {
  readonly warnings: ReadonlyArray<string>
}

/** Posts in one statement. */
const largestGroup = 64

/** How long the same post again is likely to be an accident, and among how many posts in one statement. */
const sameWithin = Duration.minutes(10)
const lookedThrough = 200

/** What a new post gets in each of its columns. */
const given = Object.keys(newPostColumns).map((name) =>
  name === "warnings"
    ? "warnings || coalesce((select s.warnings from same s where s.id = fit.id), '{}')"
    : name
)

/** For each account that a post without a key goes to, how the warning begins that names the first such post. */
const beginnings = ({ row, targets, record }: NewPost) => {
  // Where a request has a key, its post is meant.
  const platforms = new Map(
    record === null
      ? targets
          // A repair is like what it repairs.
          .filter(({ social_account_id: id }) => !row.repairs?.some((one) => one.social_account_id === id))
          .map(({ social_account_id: id, platform }) => [id, platform])
      : []
  )
  return [...platforms].map(([account, platform]) => ({
    post: row.id,
    account,
    beginning: `${warnedAccount(platform, account)} got the same caption and media from the post `
  }))
}
/** Where all posts have a key: the look would cost the statement its generic plan, which is a third of its time. */
const noneSame = "same (id, warnings) as (select null::uuid, null::text[] where false)"
const sameEnding =
  " within the last ten minutes. If one of them is a mistake, delete it; an Idempotency-Key keeps a repeated request from creating a second post."

/** Writes new posts. Either all of a post is there afterwards, or nothing. */
export class NewPostRepository extends Context.Service<NewPostRepository>()(
  "@carillon/server/posts/NewPostRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const events = yield* Events
      const accounts = yield* SocialAccountRepository
      const keys = yield* IdempotencyRepository

      /** A part of that statement: the warnings of the posts `fit` that say the same as another. */
      const sameAs = (unkeyed: ReturnType<typeof beginnings>, now: DateTime.Utc) => sql`
          same as materialized (
            -- For each account the first post that says the same, among the newest of the account.
            select f.id, array_agg(a.beginning || s.id || ${sameEnding} order by a.position) as warnings
            -- Of an unnest the planner expects few rows. Of a JSON list it expects so many that it would compile the statement.
            from unnest(
              ${unkeyed.map(({ post }) => post)}::uuid[], ${int8s(unkeyed.map(({ account }) => account))}::bigint[],
              ${unkeyed.map(({ beginning }) => beginning)}::text[]
            ) with ordinality as a (post, id, beginning, position)
            join fit f on f.id = a.post
            cross join lateral (
              select p.id from (
                select t.post_id from targets t
                where t.workspace_id = f.workspace_id and t.social_account_id = a.id
                  and t.post_id >= ${firstPostIdAt(DateTime.subtractDuration(now, sameWithin))}::uuid
                order by t.post_id desc
                limit ${Math.max(10, Math.floor(lookedThrough / unkeyed.length))}
              ) t
              cross join lateral (select * from posts where id = t.post_id offset 0) p
              where p.status <> 'failed' and p.caption is not distinct from f.caption and p.media = f.media
                and p.thread is not distinct from f.thread
                and p.platform_configurations is not distinct from f.platform_configurations
                and p.account_configurations is not distinct from f.account_configurations
              order by p.id
              limit 1
            ) s
            group by f.id
          )`

      /** Writes the posts in one statement and returns those that were written. */
      const insertAll = Effect.fnUntraced(function* (posts: ReadonlyArray<NewPost>) {
        const now = yield* DateTime.now
        const rows = posts.map(({ workspace_id, row, media, cachedAccounts, record }) => ({
          ...encoded(newPostColumns, { ...row, workspace_id }),
          all_media: media,
          cached: cachedAccounts.length > 0,
          ...(record === null ? {} : keys.toRow(record))
        }))
        const targets = posts.flatMap((post) =>
          targetRows(post.targets).map((target) => ({ ...target, post_id: post.row.id }))
        )
        const told = posts.map(({ workspace_id, row, post: data }) => ({
          workspace_id,
          subject: row.id,
          types: eventsOf(null, row),
          data
        }))
        const unkeyed = posts.flatMap(beginnings)
        const written = yield* sql<Waiting & { id: PostId; same: ReadonlyArray<string> }>`
          with given as materialized (
            select * from json_to_recordset(${JSON.stringify(rows)}::json) as g (
              ${sql.literal(typesOf(newPostColumns))}, all_media uuid[], cached boolean, owner text, key text, request_hash bytea, answer bytea,
              expires_at timestamptz)
          ), changed as materialized (
            ${accounts.changed([...new Set(posts.flatMap(({ cachedAccounts }) => cachedAccounts))])}
          ), fit as materialized (
            select * from given g
            where not (cached and exists (select from changed c where c.id = any(g.social_accounts)))
          ), record as (
            ${keys.keeping(sql`fit where key is not null`, now)}
          ), ${unkeyed.length === 0 ? sql.literal(noneSame) : sameAs(unkeyed, now)}, post as (
            insert into posts (${sql.literal(namesOf(newPostColumns))}, updated_at)
            select ${sql.literal(given.join(", "))}, created_at
            from fit
            where key is null or (workspace_id, owner, key) in (select r.workspace_id, r.owner, r.key from record r)
            returning id, workspace_id, created_at
          ), target as (
            insert into targets
              (id, post_id, workspace_id, social_account_id, platform, board_id, state, due_at, next_step_at, item_count, lead, cost,
                created_at)
            select t.id, post.id, post.workspace_id, social_account_id, platform, board_id, state, due_at, next_step_at, item_count,
              lead * interval '1 millisecond', cost, post.created_at
            from post join json_to_recordset(${JSON.stringify(targets)}::json) as t (
              id uuid, post_id uuid, social_account_id bigint, platform text, board_id text, state text,
              due_at timestamptz, next_step_at timestamptz, item_count smallint, lead float8, cost int) on t.post_id = post.id
          ), media as (
            insert into post_media (post_id, media_id)
            select post.id, unnest(g.all_media) from post join given g on g.id = post.id
          ), ${events.appending(told, now, sql`e.subject in (select id::text from post)`)}
          select id, coalesce((select s.warnings from same s where s.id = post.id), '{}') as same, ${events.toWake()}
          from post`
        if (written[0] !== undefined) yield* events.wake(written[0])
        return new Map(written.map(({ id, same }): [string, Written] => [id, { warnings: same }]))
      })

      /** Null: the post was not written. The transaction around it has locked what the post uses. */
      const insert = (post: NewPost) =>
        Effect.orDie(Effect.map(insertAll([post]), (written) => written.get(post.row.id) ?? null))

      const each = (posts: ReadonlyArray<NewPost>) =>
        Effect.forEach(posts, (post) => Effect.exit(insert(post)), { concurrency: "unbounded" })

      const group = yield* makeWriteBatcher<NewPost, Exit.Exit<Written | null>>({
        run: (posts) =>
          insertAll(posts).pipe(
            Effect.map((written) => posts.map(({ row }) => Exit.succeed(written.get(row.id) ?? null))),
            Effect.catch((error) =>
              // If the database is away, retrying the posts one by one will not help.
              error.reason._tag === "ConnectionError"
                ? Effect.succeed(posts.map(() => Exit.die(error)))
                : // One bad post, such as one with an id that exists, must not fail the others.
                  each(posts)
            )
          ),
        max: largestGroup,
        concurrency: 2,
        minParallel: 16
      })

      /** Null: the post was not written. In one statement with the posts of requests that run at the same time. */
      const insertTogether = (post: NewPost) => Effect.flatten(group(post))

      return { insert, insertTogether }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make).pipe(
    Layer.provide([Events.layer, SocialAccountRepository.layer, IdempotencyRepository.layer])
  )
}
