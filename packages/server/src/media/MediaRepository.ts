import {
  Approval,
  type CurrentActor,
  isHeld,
  isOwn,
  MediaError,
  type MediaFilter,
  MediaId,
  MediaKind,
  MediaStatus,
  MimeType,
  needsPerson,
  type Page,
  PostId,
  WorkspaceId,
  type Access,
  seesAll,
  seesSome,
  toPostId,
  type UpdateMedia
} from "@carillon/domain"
import { PgTypes } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { AppConfig } from "../AppConfig.ts"
import { countedAlone, countedPage, countedTogether, searched } from "../sql/CountedPage.ts"
import { listFragments } from "../sql/ListFragments.ts"
import { Instant, Int8, int8s } from "../sql/Rows.ts"

type Actor = CurrentActor["Service"]

/** Facts that only some platforms ask for: container, codecs, frame rate, animation. */
export const ProbeDetails = Schema.Record(
  Schema.String,
  Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])
)
export interface ProbeDetails extends Schema.Schema.Type<typeof ProbeDetails> {}

/** The codecs for the rules: null where there is no sound, and where the probe does not know. */
export const codecsOf = (probe: ProbeDetails | null) => ({
  video_codec: codec(probe?.["video_codec"]),
  audio_codec: codec(probe?.["audio_codec"])
})

/** The transfer curve of a video with a high dynamic range, `pq` or `hlg`. Videos from before it was read have none. */
export const transferOf = (probe: ProbeDetails | null) => {
  const transfer = probe?.["transfer"]
  return transfer === "pq" || transfer === "hlg" ? transfer : null
}

const codec = (found: unknown) =>
  typeof found === "string" && found !== "unknown" && found !== "none" ? found : null

/**
 * A row of `media`. `used_by` are the visible posts that use the item anywhere, newest first, a thousand at most. Type
 * and size are null until a fetch has found them; `importing`: it is being fetched, or will be; a failed one is being
 * fetched.
 */
export const MediaRow = Schema.Struct({
  id: MediaId,
  workspace_id: WorkspaceId,
  name: Schema.String,
  alt_text: Schema.NullOr(Schema.String),
  mime_type: Schema.NullOr(MimeType),
  kind: Schema.NullOr(MediaKind),
  size_bytes: Schema.NullOr(Int8),
  status: MediaStatus,
  error: Schema.NullOr(MediaError),
  importing: Schema.Boolean,
  next_try_at: Schema.NullOr(Instant),
  width: Schema.NullOr(Schema.Int),
  height: Schema.NullOr(Schema.Int),
  duration_ms: Schema.NullOr(Schema.Int),
  sha256: Schema.NullOr(Schema.String),
  probe: Schema.NullOr(ProbeDetails),
  upload_expires_at: Schema.NullOr(Instant),
  created_at: Instant,
  deleted_at: Schema.NullOr(Instant),
  expires_at: Schema.NullOr(Instant),
  used_by: Schema.Array(PostId)
})
export interface MediaRow extends Schema.Schema.Type<typeof MediaRow> {}

export type NewMedia = Pick<
  MediaRow,
  "id" | "workspace_id" | "name" | "mime_type" | "kind" | "size_bytes" | "upload_expires_at" | "created_at"
>

/** The facts that the bytes turned out to have. */
export type MediaFacts = Pick<MediaRow, "width" | "height" | "duration_ms" | "probe">

/** Bytes as they are in the store. */
export interface StoredFile extends MediaFacts {
  readonly name: string
  readonly mime_type: MimeType
  readonly kind: MediaKind
  readonly size_bytes: number
  readonly sha256: string
}

/** An item whose bytes are in the store. */
export type ReadyMedia = MediaRow & StoredFile

export const isReady = (row: MediaRow): row is ReadyMedia =>
  row.status === "ready" &&
  row.mime_type !== null &&
  row.kind !== null &&
  row.size_bytes !== null &&
  row.sha256 !== null

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

const columns = `
  m.id, m.workspace_id, m.name, m.alt_text, m.mime_type, m.kind, m.size_bytes, m.status, m.error, m.width, m.height,
  m.duration_ms, m.sha256, m.probe, m.upload_expires_at, m.created_at, m.deleted_at,
  exists(select 1 from media_imports i
    where i.media_id = m.id and i.next_try_at is not null and (m.status = 'reserved' or i.held)) as importing,
  (select i.next_try_at from media_imports i where i.media_id = m.id) as next_try_at`

/**
 * When an item expires: so long after it was made or a post with it was last changed, and not while a draft or a
 * scheduled post needs it.
 */
const expiry = (days: number) => `
  (select case when m.status <> 'reserved' and m.deleted_at is null
      and not coalesce(bool_or(p.status in ('draft', 'scheduled')), false)
    then greatest(m.created_at, max(p.updated_at)) + interval '${days} days' end
  from post_media u join posts p on p.id = u.post_id where u.media_id = m.id)`

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(MediaRow))

const PostRow = Schema.Struct({
  id: PostId,
  status: Schema.Literals(["draft", "scheduled"]),
  social_accounts: Schema.Array(Int8),
  approval: Schema.NullOr(Schema.Struct({ status: Approval.fields.status, grant_id: Schema.String })),
  maker: Schema.NullOr(Schema.String)
})
interface PostRow extends Schema.Schema.Type<typeof PostRow> {}
const decodePosts = Schema.decodeUnknownEffect(Schema.Array(PostRow))

const decodeIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: MediaId })))

export class MediaRepository extends Context.Service<MediaRepository>()(
  "@carillon/server/media/MediaRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { mediaRetentionDays } = yield* AppConfig
      const expiresAt = sql.literal(
        Option.match(mediaRetentionDays, { onNone: () => "null::timestamptz", onSome: expiry })
      )
      /** The condition that a credential sees something of a post. */
      const seen = (post: Statement.Fragment, access: Access) =>
        access === null
          ? sql`true`
          : sql`exists (
            select 1 from targets t where t.post_id = ${post} and t.social_account_id = any(${int8s(access)}::bigint[]))`
      const all = (access: Access) => sql`${sql.literal(columns)}, ${expiresAt} as expires_at, array(
        select u.post_id from post_media u where u.media_id = m.id and ${seen(sql`u.post_id`, access)}
        order by u.post_id desc limit 1000) as used_by`
      const { number, merged, slice, reach, counted } = listFragments(sql)

      const select = (
        conditions: ReadonlyArray<Statement.Fragment>,
        rest: Statement.Fragment = sql``,
        access: Access = null
      ) =>
        Effect.flatMap(
          sql`select ${all(access)} from media m where ${sql.and(conditions)} ${rest}`,
          decodeRows
        )

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

      /** An item of any workspace, deleted ones too: for holders of a signed URL. */
      const byId = Effect.fnUntraced(function* (id: MediaId) {
        const rows = yield* select([sql`m.id = ${id}`])
        return rows[0] ?? null
      }, Effect.orDie)

      const owned = (workspaceId: WorkspaceId, ids: ReadonlyArray<MediaId>) => [
        sql`m.workspace_id = ${workspaceId}`,
        sql`m.id = any(${ids}::uuid[])`,
        sql`m.deleted_at is null`
      ]

      const byIds = (workspaceId: WorkspaceId, ids: ReadonlyArray<MediaId>, access: Access = null) =>
        Effect.orDie(select(owned(workspaceId, ids), sql``, access))

      /**
       * Inside the caller's transaction: the existing items, kept from deletion until it ends. In the order of
       * their ids, so that two transactions never wait for each other.
       */
      const lockForUse = (workspaceId: WorkspaceId, ids: ReadonlyArray<MediaId>) =>
        Effect.orDie(select(owned(workspaceId, ids), sql`order by m.id for share of m`))

      const list = Effect.fnUntraced(function* (
        workspaceId: WorkspaceId,
        access: Access,
        filter: MediaFilter,
        page: Page
      ) {
        const { q, type, status } = filter
        const posts = filter.post_id?.flatMap((text) => toPostId(text) ?? [])
        const used = sql`exists (
          select 1 from post_media u where u.media_id = m.id and ${seen(sql`u.post_id`, access)})`
        const marks = [
          ...(filter.unused === undefined ? [] : [filter.unused ? sql`not ${used}` : used]),
          ...(filter.described === undefined
            ? []
            : [filter.described ? sql`m.alt_text is not null` : sql`m.alt_text is null`])
        ]
        const arm = (condition: Statement.Fragment) => sql`
          select m.id, m.created_at, m.name from media m
          where m.workspace_id = ${workspaceId} and ${sql.and([condition, ...marks])}`
        const kinds = type?.map((one) => sql`m.kind = ${one}`) ??
          // An item that is still being fetched has no type yet.
          [...MediaKind.literals.map((one) => sql`m.kind = ${one}`), sql`m.kind is null`]
        const statuses = status ?? MediaStatus.literals
        const arms =
          posts !== undefined
            ? // A published post shows its media even when the bytes are gone.
              [
                arm(sql`m.id in (select u.media_id from post_media u
                  where u.post_id = any(${posts}::uuid[]) and ${seen(sql`u.post_id`, access)})
                and ${sql.or(kinds)} and m.status = any(${statuses}::text[])`)
              ]
            : type === undefined && status === undefined
              ? [arm(sql`m.deleted_at is null`)]
              : kinds.flatMap((kind) =>
                  statuses.map((one) => arm(sql`m.deleted_at is null and ${kind} and m.status = ${one}`))
                )
        const newest = sql`order by created_at desc, id desc`
        const found = (atMost: number) => sql`(${merged(arms, newest, atMost)}) k`
        const rowsOf = (source: Statement.Fragment) => sql`
          select ${all(access)} from (select k.id from ${source} ${newest} ${slice(page)}) k
          join media m on m.id = k.id order by m.created_at desc, m.id desc`
        const countedTo = q === undefined ? countedAlone : countedTogether
        const rows = yield* q === undefined
          ? counted(found, countedTo, rowsOf(found(reach(page))))
          : sql<Record<string, unknown>>`
            with hits as materialized (
              select id, created_at from (select * from ${found(searched)} ${newest} limit ${number(searched)}) k
              where k.name ilike ${likePattern(q)} ${newest} limit ${number(Math.max(reach(page), countedTo + 1))}
            )
            select counted, unsearched, r.* from (
              select (select count(*)::int from (select 1 from hits limit ${number(countedTo + 1)}) c) as counted,
                exists (select 1 from ${found(searched + 1)} offset ${number(searched)}) as unsearched
            ) c left join lateral (${rowsOf(sql`hits k`)}) r on true`.unprepared
        const complete = rows[0]!["unsearched"] !== true
        const items = yield* decodeRows(rows.filter(({ id }) => id !== null))
        return countedPage(page, items, Number(rows[0]!["counted"]), countedTo, complete)
      }, Effect.orDie)

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

      const scheduledUsers = (id: MediaId, lock: Statement.Fragment = sql``) =>
        sql<{ id: string }>`
        select p.id from posts p join post_media u on u.post_id = p.id
        where u.media_id = ${id} and p.status = 'scheduled' order by p.id ${lock}`

      const withUsersLockedOnce = <A, E>(id: MediaId, end: Effect.Effect<A, E>) =>
        Effect.gen(function* () {
          // Posts before the item, as in every transaction that locks both.
          const users = yield* scheduledUsers(id, sql`for no key update of p`)
          yield* sql`select id from media where id = ${id} for update`
          const present = yield* scheduledUsers(id)
          // One may have begun to use the item before it was locked.
          return present.every((post) => users.some((user) => user.id === post.id))
            ? Option.some(yield* end)
            : Option.none<A>()
        }).pipe(sql.withTransaction, databaseFailureIsADefect)

      /** Runs the end of a fetch while the scheduled posts that use the item stay as they are. */
      const withUsersLocked = Effect.fnUntraced(function* <A, E>(id: MediaId, end: Effect.Effect<A, E>) {
        while (true) {
          const ended = yield* withUsersLockedOnce(id, end)
          if (Option.isSome(ended)) return ended.value
        }
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
        insert,
        bytesHeld,
        otherBytesReserved,
        byId,
        byIds,
        lockForUse,
        list,
        update,
        describe,
        fill,
        giveUp,
        withUsersLocked,
        remove,
        withBytesLeft,
        bytesRemoved,
        forget
      }
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

/** The text itself, wherever it occurs. PostgreSQL has no NUL in texts, so no name has one either. */
const likePattern = (q: string) => `%${q.replaceAll("\0", "\ufffd").replace(/[\\%_]/g, "\\$&")}%`
