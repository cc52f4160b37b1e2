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
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Int8 } from "../../sql/Rows.ts"
import { mediaFragments } from "./MediaFragments.ts"
import type { MediaRow } from "./MediaRow.ts"

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
  approval: Schema.NullOr(
    Schema.Struct({ status: Approval.fields.status, grant_id: Schema.NullOr(Schema.String) })
  ),
  maker: Schema.NullOr(Schema.String)
})
interface PostRow extends Schema.Schema.Type<typeof PostRow> {}
const missing = { _tag: "missing" } as const
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

      const whileLockedOnce = <A>(
        workspaceId: WorkspaceId,
        id: MediaId,
        change: (users: ReadonlyArray<PostRow>, item: MediaRow) => Effect.Effect<A, unknown>
      ) =>
        Effect.gen(function* (): Effect.gen.Return<Option.Option<A | typeof missing>, unknown> {
          // Posts before the item: an edit of a draft holds its post and then asks for its media.
          const users = yield* lockUsers(id)
          const [item] = yield* select(owned(workspaceId, [id]), sql`for update of m`)
          if (item === undefined) return Option.some(missing)
          // A transaction that began to use the item before it was locked has committed by now.
          const present = yield* sql<{ id: PostId }>`
            select p.id from posts p join post_media u on u.post_id = p.id
            where u.media_id = ${id} and p.status in ('draft', 'scheduled')`
          return present.every((post) => users.some((user) => user.id === post.id))
            ? Option.some(yield* change(users, item))
            : Option.none()
        }).pipe(sql.withTransaction)

      /** Changes an item while it and the unpublished posts that use it stay as they are. */
      const whileLocked = Effect.fnUntraced(function* <A>(
        workspaceId: WorkspaceId,
        id: MediaId,
        change: (users: ReadonlyArray<PostRow>, item: MediaRow) => Effect.Effect<A, unknown>
      ) {
        while (true) {
          const changed = yield* whileLockedOnce(workspaceId, id, change)
          if (Option.isSome(changed)) return changed.value
        }
      }, Effect.orDie)

      /**
       * Changes the words of an item; `changed` runs if an app or a key gave it another alternative text. `in_use`: nothing was changed,
       * because these scheduled posts use it, and the credential is held or does not see them whole.
       */
      const update = (
        workspaceId: WorkspaceId,
        actor: Actor,
        id: MediaId,
        { name, alt_text }: UpdateMedia,
        changed: Effect.Effect<void>
      ) =>
        whileLocked(
          workspaceId,
          id,
          Effect.fnUntraced(function* (users, item) {
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
              update media set name = ${name ?? item.name}, alt_text = ${alt_text === undefined ? item.alt_text : alt_text}
              where id = ${id}`
            if (actor.member === null && alt_text !== undefined && alt_text !== item.alt_text) yield* changed
            return { _tag: "updated" } as const
          })
        )

      /** Deletes an item. `takeOff` takes it off the drafts that use it, within the same transaction. */
      const remove = (
        workspaceId: WorkspaceId,
        actor: Actor,
        id: MediaId,
        now: DateTime.Utc,
        takeOff: (drafts: ReadonlyArray<PostId>) => Effect.Effect<void>
      ): Effect.Effect<Removal> =>
        whileLocked(
          workspaceId,
          id,
          Effect.fnUntraced(function* (users) {
            const access = actor.social_accounts
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
            yield* sql`update media set deleted_at = ${DateTime.toDateUtc(now)} where id = ${id}`
            yield* sql`delete from media_imports where media_id = ${id}`
            return { _tag: "removed", drafts } as const
          })
        )

      return { update, remove }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
