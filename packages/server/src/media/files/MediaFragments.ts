import type { Access, MediaId, WorkspaceId } from "@carillon/domain"
import { Effect, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { AppConfig } from "../../AppConfig.ts"
import { int8s } from "../../sql/Rows.ts"
import { MediaRow } from "./MediaRow.ts"

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

export const decodeMediaRows = Schema.decodeUnknownEffect(Schema.Array(MediaRow))

/** The common parts of the statements about items. */
export const mediaFragments = Effect.gen(function* () {
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
  const select = (
    conditions: ReadonlyArray<Statement.Fragment>,
    rest: Statement.Fragment = sql``,
    access: Access = null
  ) =>
    Effect.flatMap(
      sql`select ${all(access)} from media m where ${sql.and(conditions)} ${rest}`,
      decodeMediaRows
    )

  const owned = (workspaceId: WorkspaceId, ids: ReadonlyArray<MediaId>) => [
    sql`m.workspace_id = ${workspaceId}`,
    sql`m.id = any(${ids}::uuid[])`,
    sql`m.deleted_at is null`
  ]

  return { all, seen, select, owned, expiresAt }
})
