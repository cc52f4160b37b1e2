import { type MediaId, mediaOptions, PostId } from "@carillon/domain"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { isWanted } from "../events/isWanted.ts"
import { unfetched } from "../media/imports/FetchWarning.ts"
import { PostsUsingMedia } from "../media/PostsUsingMedia.ts"
import { PostEvents } from "./PostEvents.ts"

/** Where a draft names media, besides its own list. */
const NamingMedia = Schema.Struct({
  id: PostId,
  thread: Schema.Unknown,
  platform_configurations: Schema.Unknown,
  account_configurations: Schema.Unknown
})
const decodeNaming = Schema.decodeUnknownEffect(Schema.Array(NamingMedia))

interface Changed {
  readonly id: PostId
  readonly wanted: boolean
}

export const PostMediaRepositoryLayer = Layer.effect(
  PostsUsingMedia,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const events = yield* PostEvents

    /** Part of an update of posts. */
    const returned = (now: Date) =>
      sql`returning posts.id, ${isWanted(sql, sql`posts.workspace_id`, ["post.updated"], now)} as wanted`

    const tell = (posts: ReadonlyArray<Changed>) =>
      events.updated(posts.flatMap(({ id, wanted }) => (wanted ? [id] : [])))

    const takeOff = Effect.fn("PostsUsingMedia.takeOff")(function* (
      id: MediaId,
      drafts: ReadonlyArray<PostId>
    ) {
      if (drafts.length === 0) return
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const naming = yield* decodeNaming(
        yield* sql`
        select id, thread, platform_configurations, account_configurations from posts
        where id = any(${drafts}::uuid[]) order by id`
      )
      const changed: Array<Changed> = []
      for (const draft of naming) {
        const rows = yield* sql<Changed>`
        update posts set
          media = array_remove(media, ${id}::uuid), thread = ${jsonb(without(id, draft.thread))},
          platform_configurations = ${jsonb(without(id, draft.platform_configurations))},
          account_configurations = ${jsonb(without(id, draft.account_configurations))},
          version = version + 1, updated_at = ${now}
        where id = ${draft.id} ${returned(now)}`
        changed.push(...rows)
      }
      yield* sql`delete from post_media where post_id = any(${drafts}::uuid[]) and media_id = ${id}`
      yield* tell(changed)
    }, Effect.orDie)

    const changed = Effect.fn("PostsUsingMedia.changed")(function* (id: MediaId) {
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const rows = yield* sql<Changed>`
        update posts set version = version + 1, updated_at = ${now}
        where id in (select u.post_id from post_media u where u.media_id = ${id})
          and status = 'draft' and approval ->> 'status' = 'waiting' ${returned(now)}`
      yield* tell(rows)
    }, Effect.orDie)

    const warn = Effect.fn("PostsUsingMedia.warn")(function* (id: MediaId, warning: string | null) {
      const now = DateTime.toDateUtc(yield* DateTime.now)
      const rows = yield* sql<Changed>`
        update posts set version = version + 1, updated_at = ${now}, warnings = array(
            select w from unnest(posts.warnings) with ordinality as o (w, place)
            where not starts_with(w, ${unfetched(id)}) order by place
          ) || ${warning === null ? [] : [warning]}::text[]
        where posts.id in (select u.post_id from post_media u where u.media_id = ${id}) and posts.status = 'scheduled'
          and case when ${warning}::text is null
            then exists (select from unnest(posts.warnings) w where starts_with(w, ${unfetched(id)}))
            else posts.scheduled_at > ${now} and not ${warning}::text = any(posts.warnings) end ${returned(now)}`
      yield* tell(rows)
    }, Effect.orDie)

    return PostsUsingMedia.of({ takeOff, changed, warn })
  })
).pipe(Layer.provide(PostEvents.layer))

const jsonb = (value: unknown) => (value === null ? null : PgTypes.jsonb(value))

/** Configurations without a media id, wherever one is an override or an option. */
const without = (id: MediaId, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => without(id, item))
  if (typeof value !== "object" || value === null) return value
  const isIt = (item: unknown) => String(item).toLowerCase() === id
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (key === "media" && Array.isArray(inner)) return [[key, inner.filter((item) => !isIt(item))]]
      return mediaOptions.some((option) => option === key) && isIt(inner) ? [] : [[key, without(id, inner)]]
    })
  )
}
