import {
  type Access,
  CurrentActor,
  type MediaFilter,
  type MediaId,
  MediaKind,
  MediaStatus,
  type Page,
  toPostId,
  type WorkspaceId
} from "@carillon/domain"
import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { countedAlone, countedPage, countedTogether, searched } from "../../sql/CountedPage.ts"
import { listFragments } from "../../sql/ListFragments.ts"
import { decodeMediaRows, mediaFragments } from "./MediaFragments.ts"
import { noSuchItem, toMediaId } from "./MediaIds.ts"

/** Reads items. */
export class MediaRepository extends Context.Service<MediaRepository>()(
  "@carillon/server/media/files/MediaRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { all, seen, select, owned } = yield* mediaFragments
      const { number, merged, slice, reach, counted } = listFragments(sql)

      /** An item of any workspace, deleted ones too: for holders of a signed URL. */
      const byId = Effect.fnUntraced(function* (id: MediaId) {
        const rows = yield* select([sql`m.id = ${id}`])
        return rows[0] ?? null
      }, Effect.orDie)

      const byIds = (workspaceId: WorkspaceId, ids: ReadonlyArray<MediaId>, access: Access = null) =>
        Effect.orDie(select(owned(workspaceId, ids), sql``, access))

      /** The same for one item, as the caller may see it. */
      const visible = Effect.fnUntraced(function* (mediaId: string) {
        const { workspace_id, social_accounts } = yield* CurrentActor
        const id = toMediaId(mediaId)
        const [row] = id === null ? [] : yield* byIds(workspace_id, [id], social_accounts)
        return row ?? (yield* noSuchItem(mediaId))
      })

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
        const items = yield* decodeMediaRows(rows.filter(({ id }) => id !== null))
        return countedPage(page, items, Number(rows[0]!["counted"]), countedTo, complete)
      }, Effect.orDie)

      return { byId, byIds, visible, lockForUse, list }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

/** The text itself, wherever it occurs. PostgreSQL has no NUL in texts, so no name has one either. */
const likePattern = (q: string) => `%${q.replaceAll("\0", "\ufffd").replace(/[\\%_]/g, "\\$&")}%`
