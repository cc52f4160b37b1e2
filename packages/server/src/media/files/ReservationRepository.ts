import type { MediaError, MediaId, WorkspaceId } from "@carillon/domain"
import { PgTypes } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { Int8 } from "../../sql/Rows.ts"
import type { NewMedia, StoredFile } from "./MediaRow.ts"

/** Items from their reservation until their bytes are there, or will not come. */
export class ReservationRepository extends Context.Service<ReservationRepository>()(
  "@carillon/server/media/files/ReservationRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const insert = Effect.fnUntraced(function* (item: NewMedia, reservedBy: string | null = null) {
        yield* sql`
        insert into media ${sql.insert({
          ...item,
          reserved_by: reservedBy,
          size_bytes: item.size_bytes === null ? null : BigInt(item.size_bytes),
          status: "reserved",
          upload_expires_at:
            item.upload_expires_at === null ? null : DateTime.toDateUtc(item.upload_expires_at),
          created_at: DateTime.toDateUtc(item.created_at)
        })}`
      }, Effect.orDie)

      const decodeBytes = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ bytes: Int8 })))

      /** The bytes of a workspace with its reservations. While a transaction adds to them, nobody else does. */
      const bytesHeld = Effect.fnUntraced(function* (workspaceId: WorkspaceId) {
        const rows = yield* decodeBytes(
          yield* sql`select bytes from media_usage where workspace_id = ${workspaceId}`
        )
        return rows[0]?.bytes ?? 0
      }, Effect.orDie)

      /** The bytes that the reserver of this item has reserved and may still send, the item's own left out. */
      const otherBytesReserved = Effect.fnUntraced(function* (id: MediaId, now: DateTime.Utc) {
        const rows = yield* decodeBytes(
          yield* sql`
            select coalesce(sum(o.size_bytes), 0)::bigint as bytes
            from media m join media o on o.workspace_id = m.workspace_id and o.reserved_by = m.reserved_by
            where m.id = ${id} and o.id <> m.id and o.status = 'reserved' and o.deleted_at is null
              and o.upload_expires_at > ${DateTime.toDateUtc(now)}`
        )
        return rows[0]!.bytes
      }, Effect.orDie)

      /** Sets the kind of a reserved item's file, when that is only known later; false: it has been filled or is gone. */
      const describe = Effect.fnUntraced(function* (
        id: MediaId,
        file: Pick<StoredFile, "name" | "mime_type" | "kind" | "size_bytes">
      ) {
        const rows = yield* sql`
          update media set name = ${file.name}, mime_type = ${file.mime_type}, kind = ${file.kind},
            size_bytes = ${BigInt(file.size_bytes)}
          where id = ${id} and status = 'reserved' and deleted_at is null returning id`
        return rows.length > 0
      }, Effect.orDie)

      /** Locks an item that has no bytes yet; false: it was filled or deleted meanwhile. */
      const lockWithout = (id: MediaId) =>
        Effect.map(
          sql`select id from media where id = ${id} and status in ('reserved', 'failed') and deleted_at is null for update`,
          (rows) => rows.length > 0
        )

      /**
       * Makes an item without bytes ready. `publish` runs under the item's lock, so that of two uploads only one reaches
       * the store, and `filled` as part of the change. false: the item was filled or deleted meanwhile, and neither
       * was run.
       */
      const fill = <E>(
        id: MediaId,
        file: StoredFile,
        publish: Effect.Effect<void, E>,
        filled: Effect.Effect<void>
      ) =>
        Effect.gen(function* () {
          if (!(yield* lockWithout(id))) return false
          yield* sql`
          update media set status = 'ready', error = null, name = ${file.name}, mime_type = ${file.mime_type}, kind = ${file.kind},
            size_bytes = ${BigInt(file.size_bytes)}, sha256 = ${file.sha256}, width = ${file.width},
            height = ${file.height}, duration_ms = ${file.duration_ms}, probe = ${jsonb(file.probe)}
          where id = ${id}`
          yield* publish
          yield* filled
          return true
        }).pipe(sql.withTransaction, databaseFailureIsADefect)

      /** Gives it up in the same way. */
      const giveUp = <E>(
        id: MediaId,
        error: MediaError,
        confirm: Effect.Effect<void, E>,
        givenUp: Effect.Effect<void>
      ) =>
        Effect.gen(function* () {
          if (!(yield* lockWithout(id))) return false
          yield* confirm
          yield* sql`update media set status = 'failed', error = ${jsonb(error)} where id = ${id}`
          yield* givenUp
          return true
        }).pipe(sql.withTransaction, databaseFailureIsADefect)

      const users = (id: MediaId, lock: Statement.Fragment = sql``) =>
        sql<{ id: string }>`
        select p.id from posts p join post_media u on u.post_id = p.id
        where u.media_id = ${id}
          and (p.status = 'scheduled' or p.status = 'draft' and p.approval ->> 'status' = 'waiting')
        order by p.id ${lock}`

      const withUsersLockedOnce = <A, E>(id: MediaId, end: Effect.Effect<A, E>) =>
        Effect.gen(function* () {
          // Posts before the item, as in every transaction that locks both.
          const locked = yield* users(id, sql`for no key update of p`)
          yield* sql`select id from media where id = ${id} for update`
          const present = yield* users(id)
          // One may have begun to use the item before it was locked.
          return present.every((post) => locked.some((user) => user.id === post.id))
            ? Option.some(yield* end)
            : Option.none<A>()
        }).pipe(sql.withTransaction, databaseFailureIsADefect)

      /** Runs the end of a fetch while the posts that use the item, scheduled or waiting for approval, stay as they are. */
      const withUsersLocked = Effect.fnUntraced(function* <A, E>(id: MediaId, end: Effect.Effect<A, E>) {
        while (true) {
          const ended = yield* withUsersLockedOnce(id, end)
          if (Option.isSome(ended)) return ended.value
        }
      })

      return { insert, bytesHeld, otherBytesReserved, describe, fill, giveUp, withUsersLocked }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

const databaseFailureIsADefect = <A, E, R>(effect: Effect.Effect<A, E | SqlError.SqlError, R>) =>
  Effect.catchIf(effect, isSqlError, Effect.die) as Effect.Effect<A, Exclude<E, SqlError.SqlError>, R>

const isSqlError = (error: unknown): error is SqlError.SqlError =>
  typeof error === "object" && error !== null && "_tag" in error && error._tag === "SqlError"

const jsonb = (value: unknown) => (value === null ? null : PgTypes.jsonb(value))
