import { type MediaId, mediaOptions, PostId } from "@carillon/domain"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { unfetched } from "../media/imports/FetchWarning.ts"
import { PostsUsingMedia } from "../media/PostsUsingMedia.ts"

/** Where a draft names media, besides its own list. */
const NamingMedia = Schema.Struct({
  id: PostId,
  thread: Schema.Unknown,
  platform_configurations: Schema.Unknown,
  account_configurations: Schema.Unknown
})
const decodeNaming = Schema.decodeUnknownEffect(Schema.Array(NamingMedia))

export const PostMediaRepositoryLayer = Layer.effect(
  PostsUsingMedia,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

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
      for (const draft of naming) {
        yield* sql`
        update posts set
          media = array_remove(media, ${id}::uuid), thread = ${jsonb(without(id, draft.thread))},
          platform_configurations = ${jsonb(without(id, draft.platform_configurations))},
          account_configurations = ${jsonb(without(id, draft.account_configurations))},
          version = version + 1, updated_at = ${now}
        where id = ${draft.id}`
      }
      yield* sql`delete from post_media where post_id = any(${drafts}::uuid[]) and media_id = ${id}`
    }, Effect.orDie)

    const changed = Effect.fn("PostsUsingMedia.changed")(function* (id: MediaId) {
      yield* sql`
        update posts set version = version + 1, updated_at = ${DateTime.toDateUtc(yield* DateTime.now)}
        where id in (select u.post_id from post_media u where u.media_id = ${id})
          and status = 'draft' and approval ->> 'status' = 'waiting'`
    }, Effect.orDie)

    const warn = Effect.fn("PostsUsingMedia.warn")(function* (id: MediaId, warning: string | null) {
      const now = DateTime.toDateUtc(yield* DateTime.now)
      yield* sql`
        update posts p set version = version + 1, updated_at = ${now}, warnings = array(
            select w from unnest(p.warnings) with ordinality as o (w, place)
            where not starts_with(w, ${unfetched(id)}) order by place
          ) || ${warning === null ? [] : [warning]}::text[]
        where p.id in (select u.post_id from post_media u where u.media_id = ${id}) and p.status = 'scheduled'
          and case when ${warning}::text is null
            then exists (select from unnest(p.warnings) w where starts_with(w, ${unfetched(id)}))
            else p.scheduled_at > ${now} and not ${warning}::text = any(p.warnings) end`
    }, Effect.orDie)

    return PostsUsingMedia.of({ takeOff, changed, warn })
  })
)

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
