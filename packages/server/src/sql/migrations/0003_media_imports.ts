import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An item that is fetched from a URL has no upload URL, and no type or size until it has arrived.
  yield* sql`
    alter table media
      alter column mime_type drop not null,
      alter column kind drop not null,
      alter column size_bytes drop not null,
      alter column upload_expires_at drop not null,
      add column error jsonb,
      -- False until the bytes of a deleted item are known to be gone from the store.
      add column bytes_removed boolean not null default false,
      add constraint media_ready_is_known
        check (status <> 'ready' or (mime_type is not null and kind is not null and size_bytes is not null))`
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
      attempts integer not null default 0
    )`
  yield* sql`create index media_imports_due on media_imports (next_try_at) where next_try_at is not null`
})
