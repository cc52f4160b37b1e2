import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The bytes that a workspace holds. The database itself keeps the sum with every change of media (decision 34). */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table media_usage (
      workspace_id uuid primary key references workspaces (id) on delete cascade,
      bytes bigint not null
    ) with (fillfactor = 50)`
  yield* sql`
    insert into media_usage (workspace_id, bytes)
    select workspace_id, sum(size_bytes) from media
    where deleted_at is null and status <> 'failed' and size_bytes is not null group by workspace_id`
  yield* sql`
    create function count_media() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into media_usage as u (workspace_id, bytes)
        select workspace_id, sum(size_bytes) from come
        where deleted_at is null and status <> 'failed' and size_bytes is not null
        group by workspace_id order by workspace_id
        on conflict (workspace_id) do update set bytes = u.bytes + excluded.bytes;
      elsif tg_op = 'UPDATE' then
        insert into media_usage as u (workspace_id, bytes)
        select workspace_id, sum(bytes) from (
          select workspace_id, size_bytes as bytes from come where deleted_at is null and status <> 'failed'
          union all
          select workspace_id, -size_bytes from gone where deleted_at is null and status <> 'failed'
        ) change
        group by workspace_id having sum(bytes) <> 0 order by workspace_id
        on conflict (workspace_id) do update set bytes = u.bytes + excluded.bytes;
      else
        -- The workspace may be deleted in the same statement, so nothing is inserted for it. Every writer locks in this order.
        perform 1 from media_usage
        where workspace_id in (select workspace_id from gone) order by workspace_id for update;
        update media_usage u set bytes = u.bytes - g.bytes
        from (
          select workspace_id, sum(size_bytes) as bytes from gone
          where deleted_at is null and status <> 'failed' and size_bytes is not null group by workspace_id
        ) g
        where u.workspace_id = g.workspace_id;
      end if;
      return null;
    end $$`
  yield* sql`
    create trigger media_come after insert on media
    referencing new table as come for each statement execute function count_media()`
  yield* sql`
    create trigger media_changed after update on media
    referencing old table as gone new table as come for each statement execute function count_media()`
  yield* sql`
    create trigger media_gone after delete on media
    referencing old table as gone for each statement execute function count_media()`
})
