import {
  Approval,
  type CurrentActor,
  isHeld,
  isOwn,
  type MediaId,
  needsPerson,
  PostId,
  seesAll,
  seesSome,
  type UpdateMedia,
  type WorkspaceId
} from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Int8 } from "../../sql/Rows.ts"
import { mediaFragments } from "./MediaFragments.ts"

type Actor = CurrentActor["Service"]

/**
 * `in_use`: nothing was changed, because these scheduled posts need the item; `hidden`: so do posts that the credential
 * does not see whole. `removed`: it was taken off these drafts.
 */
export type Removal =
  | { readonly _tag: "missing" }
  | { readonly _tag: "in_use"; readonly posts: ReadonlyArray<PostId>; readonly hidden: boolean }
  /** It, or this draft that uses it, is a person's to decide about. */
  | { readonly _tag: "kept"; readonly draft: PostId | null }
  | { readonly _tag: "removed"; readonly drafts: ReadonlyArray<PostId> }

const PostRow = Schema.Struct({
  id: PostId,
  status: Schema.Literals(["draft", "scheduled"]),
  social_accounts: Schema.Array(Int8),
  approval: Schema.NullOr(Schema.Struct({ status: Approval.fields.status, grant_id: Schema.String })),
  maker: Schema.NullOr(Schema.String)
})
interface PostRow extends Schema.Schema.Type<typeof PostRow> {}
const decodePosts = Schema.decodeUnknownEffect(Schema.Array(PostRow))

/** Changes and deletes items, as far as the posts that use them allow. */
export class MediaChangeRepository extends Context.Service<MediaChangeRepository>()(
  "@carillon/server/media/files/MediaChangeRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { select, owned } = yield* mediaFragments

      const postColumns = sql.literal(
        "p.id, p.status, p.social_accounts, p.approval, p.created_by ->> 'maker' as maker"
      )

      /** Why only a person may change or delete an item: it, or a draft that uses it, is theirs to decide about. */
      const keptFor = Effect.fnUntraced(function* (actor: Actor, id: MediaId, users: ReadonlyArray<PostRow>) {
        const draft = users.find((post) => post.status === "draft" && needsPerson(actor, post))
        const [item] = isHeld(actor)
          ? yield* sql<{ reserved_by: string | null }>`select reserved_by from media where id = ${id}`
          : []
        return draft === undefined && (item === undefined || isOwn(actor, item.reserved_by))
          ? null
          : ({ _tag: "kept", draft: draft?.id ?? null } as const)
      })

      /**
       * Changes the words of an item. `in_use`: nothing was changed, because these scheduled posts use it, and the
       * credential is held or does not see them whole.
       */
      const update = Effect.fnUntraced(
        function* (workspaceId: WorkspaceId, actor: Actor, id: MediaId, { name, alt_text }: UpdateMedia) {
          // A post that begins to use the item holds it, so all users are seen from here on.
          const rows = yield* select(owned(workspaceId, [id]), sql`for update of m`)
          if (rows.length === 0) return { _tag: "missing" } as const
          const users = yield* decodePosts(
            yield* sql`
              select ${postColumns}
              from posts p join post_media u on u.post_id = p.id
              where u.media_id = ${id} and p.status in ('draft', 'scheduled') order by p.id`
          )
          const access = actor.social_accounts
          const inUse = users.filter(
            (post) => post.status === "scheduled" && (isHeld(actor) || !seesAll(post, access))
          )
          if (inUse.length > 0) {
            const posts = inUse.filter((post) => seesSome(post, access)).map((post) => post.id)
            return { _tag: "in_use", posts } as const
          }
          const kept = yield* keptFor(actor, id, users)
          if (kept !== null) return kept
          yield* sql`
            update media set name = coalesce(${name ?? null}, name),
              alt_text = case when ${alt_text === undefined} then alt_text else ${alt_text ?? null} end
            where id = ${id}`
          return { _tag: "updated" } as const
        },
        sql.withTransaction,
        Effect.orDie
      )

      /** The unpublished posts that use an item, locked. */
      const lockUsers = (id: MediaId) =>
        Effect.flatMap(
          sql`
          select ${postColumns} from posts p
          where p.id in (select u.post_id from post_media u where u.media_id = ${id})
            and p.status in ('draft', 'scheduled')
          order by p.id for update`,
          decodePosts
        )

      const removeOnce = Effect.fnUntraced(function* (
        workspaceId: WorkspaceId,
        actor: Actor,
        id: MediaId,
        now: Date,
        takeOff: (drafts: ReadonlyArray<PostId>) => Effect.Effect<void>
      ) {
        const access = actor.social_accounts
        // Posts before the item: an edit of a draft holds its post and then asks for its media.
        const users = yield* lockUsers(id)
        const rows = yield* select(owned(workspaceId, [id]), sql`for update of m`)
        if (rows.length === 0) return { _tag: "missing" } as const
        // A transaction that began to use the item before it was locked has committed by now.
        const present = yield* sql<{ id: PostId }>`
        select p.id from posts p join post_media u on u.post_id = p.id
        where u.media_id = ${id} and p.status in ('draft', 'scheduled')`
        if (present.some((post) => !users.some((user) => user.id === post.id)))
          return { _tag: "again" } as const
        const hidden = users.some((post) => !seesAll(post, access))
        const needed = users.filter((post) => post.status === "scheduled")
        if (hidden || needed.length > 0) {
          const posts = needed.filter((post) => seesSome(post, access)).map((post) => post.id)
          return { _tag: "in_use", posts, hidden } as const
        }
        const kept = yield* keptFor(actor, id, users)
        if (kept !== null) return kept
        const drafts = users.map((post) => post.id)
        yield* takeOff(drafts)
        yield* sql`update media set deleted_at = ${now} where id = ${id}`
        yield* sql`delete from media_imports where media_id = ${id}`
        return { _tag: "removed", drafts } as const
      }, sql.withTransaction)

      /** Deletes an item. `takeOff` takes it off the drafts that use it, within the same transaction. */
      const remove = Effect.fnUntraced(function* (
        workspaceId: WorkspaceId,
        actor: Actor,
        id: MediaId,
        now: DateTime.Utc,
        takeOff: (drafts: ReadonlyArray<PostId>) => Effect.Effect<void>
      ) {
        while (true) {
          const removal = yield* removeOnce(workspaceId, actor, id, DateTime.toDateUtc(now), takeOff)
          if (removal._tag !== "again") return removal satisfies Removal as Removal
        }
      }, Effect.orDie)

      return { update, remove }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
