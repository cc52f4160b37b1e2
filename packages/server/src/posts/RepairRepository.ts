import { PlatformId, PostId, TargetId, TargetState, WorkspaceId } from "@carillon/domain"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Int8 } from "../sql/Rows.ts"
import { liveMember, rootOf } from "./RepairColumns.ts"

/** A target of the post whose failure is repaired. */
const Origin = Schema.Struct({
  id: TargetId,
  social_account_id: Int8,
  platform: PlatformId,
  board_id: Schema.NullOr(Schema.String),
  /** The first failure of its group, which may be itself. */
  root_id: TargetId
})
export interface Origin extends Schema.Schema.Type<typeof Origin> {}

/** A target of a group that has not failed. `live`: at least its beginning is published. */
const Standing = Schema.Struct({
  root_id: TargetId,
  id: TargetId,
  post_id: PostId,
  state: TargetState,
  live: Schema.Boolean
})
export interface Standing extends Schema.Schema.Type<typeof Standing> {}

/** A failed target that a post goes out instead of. `named`: its request names it. */
export interface Tie {
  readonly social_account_id: number
  readonly target_id: TargetId
  readonly root_id: TargetId
  readonly named: boolean
}

const Ids = Schema.Array(TargetId)

export class RepairRepository extends Context.Service<RepairRepository>()(
  "@carillon/server/posts/RepairRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const root = sql.literal(rootOf)

      /** All targets of the post that the named one belongs to; empty: there is no such target. */
      const originsBeside = SqlSchema.findAll({
        Request: Schema.Struct({ workspace_id: WorkspaceId, id: TargetId }),
        Result: Origin,
        execute: ({ workspace_id, id }) => sql`
        select t.id, t.social_account_id, t.platform, t.board_id, ${root} as root_id
        from targets t where t.workspace_id = ${workspace_id} and t.post_id = (select post_id from targets where id = ${id})
        order by t.id`
      })

      const rootsOf = SqlSchema.findAll({
        Request: Ids,
        Result: Schema.Struct({ id: TargetId, root_id: TargetId }),
        execute: (ids) =>
          sql`select t.id, ${root} as root_id from targets t where t.id = any(${ids}::uuid[]) order by t.id`
      })

      const tiesOf = SqlSchema.findAll({
        Request: PostId,
        Result: Schema.Struct({
          social_account_id: Int8,
          target_id: TargetId,
          root_id: TargetId,
          named: Schema.Boolean
        }),
        execute: (id) =>
          sql`select social_account_id, target_id, root_id, named from repairs where post_id = ${id} order by named desc, target_id`
      })

      /**
       * Locks groups by the rows of their first failures. Newer posts come first, and within a post the lower id, as where a
       * post's own targets are locked before: two that need the same groups must not wait for each other in a circle.
       */
      const lock = (roots: ReadonlyArray<TargetId>) => sql`
        select id from targets where id = any(${roots}::uuid[]) order by post_id desc, id for no key update`

      const standing = SqlSchema.findAll({
        Request: Ids,
        Result: Standing,
        execute: (roots) => sql`
        select k.root_id, m.id, m.post_id, m.state, ${sql.literal(liveMember)} as live from (
          select g.id as root_id, g.id from unnest(${roots}::uuid[]) g (id)
          union all
          select r.root_id, t.id from repairs r join targets t on t.post_id = r.post_id and t.social_account_id = r.social_account_id
          where r.root_id = any(${roots}::uuid[])
        ) k join targets m on m.id = k.id where m.state <> 'failed' order by m.id`
      })

      const keep = (postId: PostId, ties: ReadonlyArray<Tie>) => sql`
        insert into repairs (post_id, social_account_id, target_id, root_id, named)
        select ${postId}, social_account_id, target_id, root_id, named
        from jsonb_to_recordset(${sql.json(ties)}::jsonb) as r (social_account_id bigint, target_id uuid, root_id uuid, named boolean)
        on conflict (post_id, social_account_id) do nothing`

      return {
        originsBeside: (workspaceId: WorkspaceId, id: TargetId) =>
          Effect.orDie(originsBeside({ workspace_id: workspaceId, id })),
        rootsOf: (ids: ReadonlyArray<TargetId>) => Effect.orDie(rootsOf(ids)),
        tiesOf: (id: PostId) => Effect.orDie(tiesOf(id)),
        lock: (roots: ReadonlyArray<TargetId>) => Effect.orDie(lock(roots)),
        /** Of groups that are locked, what has not failed. */
        standing: (roots: ReadonlyArray<TargetId>) => Effect.orDie(standing(roots)),
        keep: (postId: PostId, ties: ReadonlyArray<Tie>) => Effect.orDie(keep(postId, ties))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
