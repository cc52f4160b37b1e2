import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What a member signs in with beside the password. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    create table totp_secrets (
      member_id uuid primary key references members (id) on delete cascade,
      -- Sealed.
      secret bytea not null,
      -- The 30 seconds of the last code, since 1970: neither it nor an earlier one is taken again.
      last_step integer not null,
      created_at timestamptz not null
    )`
  yield* sql`
    create table recovery_codes (
      member_id uuid not null references totp_secrets (member_id) on delete cascade,
      code_hash bytea not null,
      primary key (member_id, code_hash)
    )`
  yield* sql`
    create table passkeys (
      id uuid primary key,
      member_id uuid not null references members (id) on delete cascade,
      credential_id text not null unique,
      public_key bytea not null,
      -- As the device counts; 0: it does not.
      sign_count bigint not null,
      transports text[] not null,
      name text not null,
      -- The host of PUBLIC_URL that it was made for.
      rp_id text not null,
      created_at timestamptz not null,
      last_used_at timestamptz
    )`
  yield* sql`create index passkeys_by_member on passkeys (member_id)`
  yield* sql`
    alter table sessions
      -- The browser had no cookie of an earlier sign-in.
      add column new_device boolean not null default false`
})
