import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // What is fetched from a URL has no known type and size before it is there, and no upload URL.
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

  // Gone once the item is ready; kept when it has failed, for another try.
  yield* sql`
    create table media_imports (
      media_id uuid primary key references media (id) on delete cascade,
      workspace_id uuid not null,
      url text not null,
      -- The caller gave the item its name.
      named boolean not null,
      -- From when on a process may take it, or the end of the lease of the one that holds it; null: given up.
      next_try_at timestamptz,
      held boolean not null default false,
      -- Raised by every claim; only the holder of the present value may write.
      fence integer not null default 0,
      attempts integer not null default 0
    )`
  yield* sql`create index media_imports_due on media_imports (next_try_at) where next_try_at is not null`
})
