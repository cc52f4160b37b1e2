import {
  Attempt,
  type EventType,
  longestAttemptMessage,
  mostAttemptsTold,
  PostId,
  PostStatus,
  ResultError,
  statesBefore,
  type TargetEvent,
  TargetId,
  TargetState,
  Timestamp,
  WorkspaceId
} from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { type SqlError, SqlSchema } from "effect/sql"
import { isWanted } from "../events/isWanted.ts"
import { assignments } from "../sql/Columns.ts"
import { type NewTarget, targetRows } from "./NewTarget.ts"
import { ContentRow, contentRowColumns, editedColumns, postColumns, PostRow } from "./PostColumns.ts"
import { targetColumns, TargetRow } from "./TargetColumns.ts"

const AttemptRow = Schema.Struct({
  at: Timestamp,
  step: Attempt.fields.step,
  state: TargetState,
  message: Attempt.fields.message
})
export interface AttemptRow extends Schema.Schema.Type<typeof AttemptRow> {}

const OwnedPost = Schema.Struct({ ...PostRow.fields, workspace_id: WorkspaceId })

/** A person's word on whether an unconfirmed target was published. */
type Confirmation =
  | {
      readonly event: "confirm_published"
      readonly url: string | null
      /** A thread published in one call is live as a whole. */
      readonly atOnce: boolean
      /** Set when items of a thread are missing. */
      readonly error: ResultError | null
      /** What is missing of a post that is live. */
      readonly warning: string | null
    }
  | { readonly event: "confirm_not_published"; readonly error: ResultError }

interface Wanted {
  readonly wanted: boolean
}

/** What a request brings about. */
const changeEvents: ReadonlyArray<EventType> = [
  "post.updated",
  "post.deleted",
  "post.approval_requested",
  "post.scheduled"
]

const isTold = (rows: Effect.Effect<ReadonlyArray<Wanted>, SqlError.SqlError>) =>
  Effect.orDie(Effect.map(rows, ([row]) => row!.wanted))

const { status, caption, scheduled_at, ...edited } = editedColumns

export class PostRepository extends Context.Service<PostRepository>()(
  "@carillon/server/posts/PostRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const ofPost = sql.literal(postColumns)
      const ofTarget = sql.literal(targetColumns)
      const json = (value: unknown) => (value === null ? null : sql.json(value))
      const assigned = assignments(sql)

      /** Part of a statement on posts: whether someone asks for its events. */
      const wanted = (now: Date) =>
        sql`${isWanted(sql, sql`posts.workspace_id`, changeEvents, now)} as wanted`

      const recordset = (targets: ReadonlyArray<NewTarget>) => {
        return sql`jsonb_to_recordset(${sql.json(targetRows(targets))}::jsonb) as t (
          id uuid, social_account_id bigint, platform text, board_id text, state text, due_at timestamptz,
          next_step_at timestamptz, item_count smallint, lead float8, cost int)`
      }

      const insertTargets = (
        workspaceId: WorkspaceId,
        postId: PostId,
        targets: ReadonlyArray<NewTarget>,
        now: Date
      ) => sql`
        insert into targets
          (id, post_id, workspace_id, social_account_id, platform, board_id, state, due_at, next_step_at, item_count, lead, cost,
            created_at)
        select id, ${postId}, ${workspaceId}, social_account_id, platform, board_id, state, due_at, next_step_at, item_count,
          lead * interval '1 millisecond', cost, ${now}
        from ${recordset(targets)}`

      const linkMedia = (postId: PostId, mediaIds: ReadonlyArray<string>) => sql`
      insert into post_media (post_id, media_id) select ${postId}, unnest(${mediaIds}::uuid[])`

      /** Locks the post's row against the engine's settlements and other edits. */
      const lock = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace_id: WorkspaceId, id: PostId }),
        Result: PostRow,
        execute: ({ workspace_id, id }) => sql`
        select ${ofPost} from posts p where p.workspace_id = ${workspace_id} and p.id = ${id} for update`
      })

      const lockTargets = SqlSchema.findAll({
        Request: PostId,
        Result: TargetRow,
        execute: (postId) =>
          sql`select ${ofTarget} from targets t where t.post_id = ${postId} order by t.id for update`
      })

      /** A post that already goes out at once was sent when it was. */
      const sentAt = ({ scheduled_at, status, updated_at }: PostRow) =>
        status === "draft" || scheduled_at !== null
          ? sql`null`
          : sql`case when status = 'draft' or scheduled_at is not null then ${DateTime.toDateUtc(updated_at)}::timestamptz
              else sent_at end`

      const update = Effect.fn("PostRepository.update")(function* (
        workspaceId: WorkspaceId,
        row: PostRow,
        targets: ReadonlyArray<NewTarget>,
        mediaIds: ReadonlyArray<string>
      ) {
        const now = DateTime.toDateUtc(row.updated_at)
        const [updated] = yield* sql<Wanted>`
        update posts set
          ${assigned({ status, caption, scheduled_at }, row)}, sent_at = ${sentAt(row)}, ${assigned(edited, row)},
          version = version + 1, updated_at = ${now}
        where id = ${row.id}
        returning ${wanted(now)}`
        yield* sql`delete from post_media where post_id = ${row.id}`
        if (mediaIds.length > 0) yield* linkMedia(row.id, mediaIds)
        const same = sql.literal(
          "t.social_account_id = n.social_account_id and t.board_id is not distinct from n.board_id"
        )
        yield* sql`
        delete from targets t where t.post_id = ${row.id}
          and not exists (select from (select * from ${recordset(targets)}) n where ${same})`
        // A raised fence takes the target from the process that holds it. Whatever was prepared for the old version is dropped.
        const changed = yield* sql<{ social_account_id: bigint; board_id: string | null }>`
        update targets t set
          fence = t.fence + 1, state = n.state, due_at = n.due_at, next_step_at = n.next_step_at, lease_until = null,
          lead = n.lead * interval '1 millisecond', cost = n.cost, item_count = n.item_count, step = 'prepare', handle = null, attempts = 0, error = null
        from (select * from ${recordset(targets)}) n
        where t.post_id = ${row.id} and ${same}
        returning t.social_account_id, t.board_id`
        const added = targets.filter(
          (target) =>
            !changed.some(
              ({ social_account_id, board_id }) =>
                Number(social_account_id) === target.social_account_id && board_id === target.board_id
            )
        )
        if (added.length > 0) yield* insertTargets(workspaceId, row.id, added, now)
        return updated!.wanted
      })

      /** A person's decision on a waiting post, whose row is locked. */
      const decide = (row: PostRow) => sql<Wanted>`
        update posts set ${assigned({ approval: edited.approval, warnings: edited.warnings }, row)},
          version = ${row.version}, updated_at = ${DateTime.toDateUtc(row.updated_at)}
        where id = ${row.id}
        returning ${wanted(DateTime.toDateUtc(row.updated_at))}`

      /** Failed targets start over, threads after their last live item, and are due at `dueAt`. The post is scheduled again. */
      const restart = Effect.fn("PostRepository.restart")(function* (
        id: PostId,
        targetIds: ReadonlyArray<TargetId>,
        events: ReadonlyArray<TargetEvent>,
        dueAt: DateTime.Utc,
        at: DateTime.Utc
      ) {
        const now = DateTime.toDateUtc(at)
        const due = DateTime.toDateUtc(dueAt)
        yield* sql`
        update targets set
          fence = fence + 1, state = 'waiting', due_at = ${due}, next_step_at = greatest(${now}::timestamptz, ${due}::timestamptz - lead),
          step = 'prepare',
          handle = null, attempts = 0, error = null
        where id = any(${targetIds}::uuid[]) and state in ${sql.in(events.flatMap(statesBefore))}`
        yield* sql`
        update posts set status = 'scheduled', version = version + 1, updated_at = ${now} where id = ${id}`
      })

      /** A person gives an address or none; it stands in for the platform's id. */
      const dataAt = (url: string | null, warning: string | null = null) =>
        url === null && warning === null
          ? sql`null::jsonb`
          : sql`jsonb_build_object('id', ${url ?? ""}::text, 'url', ${url}::text, 'username', a.username) ||
              ${warning === null ? sql`'{}'::jsonb` : sql`jsonb_build_object('warnings', jsonb_build_array(${warning}::text))`}`

      /** False, with nothing changed, when the target is in no state that a person can confirm. */
      const confirm = Effect.fn("PostRepository.confirm")(function* (
        id: TargetId,
        seen: Confirmation,
        at: DateTime.Utc
      ) {
        const rows = yield* sql`
        update targets t set
          fence = t.fence + 1, next_step_at = null,
          ${
            seen.event === "confirm_published"
              ? // The marker's time is the best known time of publication.
                sql`state = 'published', published_at = coalesce(t.published_at, t.marked_at, ${DateTime.toDateUtc(at)}::timestamptz),
                platform_data = coalesce(t.platform_data, ${dataAt(seen.url, seen.warning)}),
                items = case when t.item_count is null then t.items else t.items || jsonb_build_array(${dataAt(seen.url)}) ||
                  ${seen.atOnce ? sql`to_jsonb(array_fill(null::text, array[t.item_count - 1]))` : sql`'[]'::jsonb`} end,
                error = ${json(seen.error)}::jsonb`
              : sql`state = case when t.items = '[]' then 'failed' else 'published' end, error = ${sql.json(seen.error)}::jsonb`
          }
        from social_accounts a
        where t.id = ${id} and a.id = t.social_account_id and t.state in ${sql.in(statesBefore(seen.event))}
        returning t.id`
        return rows.length > 0
      })

      const dismiss = (id: TargetId, dismissed: boolean) =>
        dismissed
          ? sql`
        insert into dismissed_results (target_id, fence) select id, fence from targets where id = ${id}
        on conflict (target_id) do update set fence = excluded.fence`
          : sql`delete from dismissed_results where target_id = ${id}`

      /** Sets the status that follows from the post's targets. The post's row is locked. */
      const follow = (id: PostId, status: PostStatus, at: DateTime.Utc) => sql`
        update posts set status = ${status}, version = version + 1, updated_at = ${DateTime.toDateUtc(at)},
          published_at = (select min(published_at) from targets where post_id = ${id})
        where id = ${id}`

      const byId = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace_id: WorkspaceId, id: PostId }),
        Result: PostRow,
        execute: ({ workspace_id, id }) => sql`
        select ${ofPost} from posts p where p.workspace_id = ${workspace_id} and p.id = ${id}`
      })

      const targetsOf = SqlSchema.findAll({
        Request: PostId,
        Result: TargetRow,
        execute: (postId) => sql`select ${ofTarget} from targets t where t.post_id = ${postId} order by t.id`
      })

      /** Whole posts of any workspace, in the order of their ids. Consistent only if the caller has locked them. */
      const withTargets = Effect.fn("PostRepository.withTargets")(function* (ids: ReadonlyArray<string>) {
        if (ids.length === 0) return []
        const posts = yield* ownedPosts(ids)
        const targets = Map.groupBy(yield* targetsOfAll(ids), ({ post_id }) => post_id)
        return posts.map(({ workspace_id, ...row }) => ({
          workspace_id,
          post: row,
          targets: targets.get(row.id) ?? []
        }))
      })

      const ownedPosts = SqlSchema.findAll({
        Request: Schema.Array(Schema.String),
        Result: OwnedPost,
        execute: (ids) => sql`
        select p.workspace_id, ${ofPost} from posts p where p.id = any(${ids}::uuid[]) order by p.id`
      })

      const targetsOfAll = SqlSchema.findAll({
        Request: Schema.Array(Schema.String),
        Result: TargetRow,
        execute: (ids) => sql`
        select ${ofTarget} from targets t where t.post_id = any(${ids}::uuid[]) order by t.id`
      })

      const contents = SqlSchema.findAll({
        Request: Schema.Struct({ workspace_id: WorkspaceId, ids: Schema.Array(Schema.String) }),
        Result: ContentRow,
        execute: ({ workspace_id, ids }) => sql`
        select ${sql.literal(contentRowColumns)} from posts p where p.workspace_id = ${workspace_id} and p.id = any(${ids}::uuid[])`
      })

      const result = SqlSchema.findOneOption({
        Request: Schema.Struct({ workspace_id: WorkspaceId, id: TargetId }),
        Result: Schema.Struct({ ...TargetRow.fields, attempts_log: Schema.Array(AttemptRow) }),
        // An attempt that was marked began before it ended; one that was not is recorded when it ends.
        execute: ({ workspace_id, id }) => sql`
        select ${ofTarget}, (
          select coalesce(json_agg(one order by one.fence), '[]') from (
            select a.fence, coalesce(a.ended_at, a.started_at) as at,
              case when a.ended_at = a.started_at then 'prepare' else 'publish' end as step,
              coalesce(a.outcome, 'unknown') as state,
              left(a.error ->> 'message', ${longestAttemptMessage}::int) as message
            from attempts a where a.target_id = t.id order by a.fence desc limit ${mostAttemptsTold}::int
          ) one
        ) as attempts_log
        from targets t where t.workspace_id = ${workspace_id} and t.id = ${id}`
      })

      const remove = (id: PostId, now: DateTime.Utc) => sql<Wanted>`
        delete from posts where id = ${id} returning ${wanted(DateTime.toDateUtc(now))}`

      return {
        /** Each of these three answers whether someone asks for what happened. */
        update: (...args: Parameters<typeof update>) => Effect.orDie(update(...args)),
        decide: (...args: Parameters<typeof decide>) => isTold(decide(...args)),
        remove: (...args: Parameters<typeof remove>) => isTold(remove(...args)),
        restart: (...args: Parameters<typeof restart>) => Effect.orDie(restart(...args)),
        confirm: (...args: Parameters<typeof confirm>) => Effect.orDie(confirm(...args)),
        dismiss: (...args: Parameters<typeof dismiss>) => Effect.orDie(dismiss(...args)),
        follow: (...args: Parameters<typeof follow>) => Effect.orDie(follow(...args)),
        lock: (workspaceId: WorkspaceId, id: PostId) => Effect.orDie(lock({ workspace_id: workspaceId, id })),
        lockTargets: (id: PostId) => Effect.orDie(lockTargets(id)),
        byId: (workspaceId: WorkspaceId, id: PostId) => Effect.orDie(byId({ workspace_id: workspaceId, id })),
        targetsOf: (id: PostId) => Effect.orDie(targetsOf(id)),
        withTargets: (ids: ReadonlyArray<string>) => Effect.orDie(withTargets(ids)),
        contents: (workspaceId: WorkspaceId, ids: ReadonlyArray<string>) =>
          Effect.orDie(contents({ workspace_id: workspaceId, ids })),
        result: (workspaceId: WorkspaceId, id: TargetId) =>
          Effect.orDie(result({ workspace_id: workspaceId, id }))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
