import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Media, their imports, and the bytes that each workspace holds. */
export const media = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An item that is fetched from a URL has no upload URL, and no type or size until it has arrived.
  yield* sql`
    create table media (
      id uuid primary key,
      workspace_id uuid not null references workspaces (id) on delete cascade,
      name text not null,
      mime_type text,
      kind text check (kind in ('image', 'video', 'document')),
      size_bytes bigint,
      status text not null check (status in ('reserved', 'ready', 'failed')),
      width integer,
      height integer,
      duration_ms integer,
      sha256 text,
      -- Codecs and other facts that only some platforms ask for.
      probe jsonb,
      upload_expires_at timestamptz,
      created_at timestamptz not null,
      deleted_at timestamptz,
      error jsonb,
      -- False until the bytes of a deleted item are known to be gone from the store.
      bytes_removed boolean not null default false,
      alt_text text,
      -- The credential that reserved the upload; its open reservations have a bound.
      reserved_by text,
      constraint media_ready_is_known
        check (status <> 'ready' or (mime_type is not null and kind is not null and size_bytes is not null))
    )`
  // Each list of media is one index, or a few that are merged, with the name in it that `q` looks at (decision 12). Media are
  // written seldom, and their bytes cost more than any index.
  yield* sql`
    create index media_by_workspace on media (workspace_id, created_at desc, id desc) include (name)
    where deleted_at is null`
  yield* sql`
    create index media_by_kind on media (workspace_id, kind, status, created_at desc, id desc) include (name)
    where deleted_at is null`
  yield* sql`
    create index media_by_reserver on media (workspace_id, reserved_by) where status = 'reserved' and deleted_at is null`
  yield* sql`
    create index media_bytes_left on media (deleted_at) where deleted_at is not null and not bytes_removed`

  // The row goes when the item is ready. It stays when the import has failed, for another try.
  yield* sql`
    create table media_imports (
      media_id uuid primary key references media (id) on delete cascade,
      workspace_id uuid not null,
      url text not null,
      -- The caller gave the item its name.
      named boolean not null,
      -- A process may take it from this time on; while it is held, the end of the lease. null: given up.
      next_try_at timestamptz,
      held boolean not null default false,
      -- Every claim raises it. Only the holder of the present value may write.
      fence integer not null default 0,
      attempts integer not null default 0,
      -- The process that holds it, as for targets (decision 25). null: its lease alone says so.
      holder int
    )`
  yield* sql`create index media_imports_due on media_imports (next_try_at) where next_try_at is not null`

  // The database itself keeps the sum with every change of media (decision 34).
  yield* sql`
    create table media_usage (
      workspace_id uuid primary key references workspaces (id) on delete cascade,
      bytes bigint not null
    ) with (fillfactor = 50)`
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
