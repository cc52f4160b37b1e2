import { MediaId } from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { AppConfig } from "../../AppConfig.ts"
import { mediaFragments } from "./MediaFragments.ts"

const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: MediaId })))

/** Finds and forgets items that nobody needs any more. */
export class MediaSweepRepository extends Context.Service<MediaSweepRepository>()(
  "@carillon/server/media/files/MediaSweepRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { mediaRetentionDays } = yield* AppConfig
      const { expiresAt } = yield* mediaFragments

      const bytesRemoved = (ids: ReadonlyArray<MediaId>) =>
        Effect.orDie(sql`update media set bytes_removed = true where id = any(${ids}::uuid[])`)

      /** Deleted items whose bytes may still be in the store, because a process died before it removed them. */
      const withBytesLeft = Effect.flatMap(
        sql`select m.id from media m where m.deleted_at is not null and not m.bytes_removed`,
        decodeIds
      ).pipe(
        Effect.map((rows) => rows.map(({ id }) => id)),
        Effect.orDie
      )

      const forgetSome = (before: Date, removeBytes: (id: MediaId) => Effect.Effect<void>) =>
        Effect.gen(function* () {
          const rows = yield* sql`
          select o.id from media o
          where (o.status in ('reserved', 'failed') and o.created_at < ${before} or o.deleted_at < ${before})
            and not exists (select 1 from post_media u where u.media_id = o.id)
            and not exists (select 1 from media_imports i where i.media_id = o.id and i.next_try_at is not null)
          limit 100 for update skip locked`
          const forgotten = (yield* decodeIds(rows)).map(({ id }) => id)
          yield* Effect.forEach(forgotten, removeBytes, { discard: true })
          // Last, because it locks the workspaces' totals, and reservations wait for that.
          yield* sql`delete from media where id = any(${forgotten}::uuid[])`
          return forgotten.length
        }).pipe(sql.withTransaction, Effect.orDie)

      /**
       * Forgets items without bytes and posts: reservations that were never filled, failed fetches, and deleted
       * items. Bytes that a dead process has left in the store under their ids go first.
       */
      const forget = Effect.fnUntraced(function* (
        before: DateTime.Utc,
        removeBytes: (id: MediaId) => Effect.Effect<void>
      ) {
        const limit = DateTime.toDateUtc(before)
        while ((yield* forgetSome(limit, removeBytes)) > 0);
      })

      const expireOne = (id: MediaId, now: Date) =>
        Effect.gen(function* () {
          yield* sql`select id from media where id = ${id} for update`
          // Asked under the lock: earlier users of the item have committed, and no new one can begin.
          const gone = yield* sql`
          update media m set deleted_at = ${now}
          where m.id = ${id} and ${expiresAt} <= ${now} returning m.id`
          return gone.length > 0
        }).pipe(sql.withTransaction)

      /** Deletes some expired items, and gives them. */
      const expire = Effect.fnUntraced(function* (at: DateTime.Utc) {
        const now = DateTime.toDateUtc(at)
        const due = yield* decodeIds(
          yield* sql`
          select m.id from media m
          where m.created_at < ${now} and m.deleted_at is null and ${expiresAt} <= ${now} limit 100`
        )
        return yield* Effect.filter(
          due.map(({ id }) => id),
          (id) => expireOne(id, now)
        )
      }, Effect.orDie)

      return {
        expire: Option.isNone(mediaRetentionDays) ? () => Effect.succeed([]) : expire,
        withBytesLeft,
        bytesRemoved,
        forget
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
