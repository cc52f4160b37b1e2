import { WorkspaceId } from "@carillon/domain"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { Instant } from "../sql/Rows.ts"

/** A key belongs to its owner alone: another API key, or another workspace, may use the same one. */
export interface OwnedKey {
  readonly workspace_id: WorkspaceId
  /** The id of the API key, or `bootstrap`. */
  readonly owner: string
  readonly key: string
}

/** The stored first answer of a request. */
export interface KeptAnswer extends OwnedKey {
  readonly request_hash: Uint8Array
  readonly answer: Uint8Array
  readonly expires_at: DateTime.Utc
}

/** A running request, and when another may run it. */
export interface Run extends OwnedKey {
  readonly request_hash: Uint8Array
  readonly run_id: string
  readonly now: DateTime.Utc
  readonly running_until: DateTime.Utc
  readonly expires_at: DateTime.Utc
}

const Row = Schema.Struct({
  request_hash: Schema.Uint8Array,
  answer: Schema.NullOr(Schema.Uint8Array),
  running_until: Schema.NullOr(Instant)
})

const date = DateTime.toDateUtc

/** As `bytea` reads it. */
const hex = (bytes: Uint8Array) =>
  `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")}`

export class IdempotencyRepository extends Context.Service<IdempotencyRepository>()(
  "@carillon/server/http/IdempotencyRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const decode = Schema.decodeUnknownEffect(Schema.Array(Row))

      const of = ({ workspace_id, owner, key }: OwnedKey) => sql`
        workspace_id = ${workspace_id} and owner = ${owner} and key = ${key}`

      const find = Effect.fnUntraced(function* (id: OwnedKey, now: DateTime.Utc) {
        const rows = yield* sql`
          select request_hash, answer, running_until from idempotency_keys where ${of(id)} and expires_at > ${date(now)}`
        return (yield* decode(rows))[0]
      }, Effect.orDie)

      /**
       * Part of another statement: stores the columns of that relation, and returns the keys that were free. Ordered, so
       * that two statements with the same keys do not wait for each other.
       */
      const keeping = (relation: Statement.Fragment, now: DateTime.Utc) => sql`
          insert into idempotency_keys (workspace_id, owner, key, request_hash, answer, expires_at)
          select workspace_id, owner, key, request_hash, answer, expires_at from ${relation}
          order by workspace_id, owner, key
          on conflict (workspace_id, owner, key) do update set
            request_hash = excluded.request_hash, answer = excluded.answer, run_id = null, running_until = null,
            expires_at = excluded.expires_at
          where idempotency_keys.expires_at <= ${date(now)}
          returning workspace_id, owner, key`

      /** false: the key is taken. Waits for a transaction that is about to take it. */
      const keep = (kept: KeptAnswer, now: DateTime.Utc) => {
        const relation = sql`(values (
          ${kept.workspace_id}::uuid, ${kept.owner}::text, ${kept.key}::text, ${kept.request_hash}::bytea,
          ${kept.answer}::bytea, ${date(kept.expires_at)}::timestamptz
        )) as kept (workspace_id, owner, key, request_hash, answer, expires_at)`
        return Effect.orDie(Effect.map(keeping(relation, now), (rows) => rows.length === 1))
      }

      /** The same as a value of JSON, for `json_to_recordset`. */
      const toRow = ({ owner, key, request_hash, answer, expires_at }: KeptAnswer) => ({
        owner,
        key,
        request_hash: hex(request_hash),
        answer: hex(answer),
        expires_at: DateTime.formatIso(expires_at)
      })

      /** false: the key is taken. The same request may take over a run that was cut off. */
      const begin = Effect.fnUntraced(function* (run: Run) {
        const rows = yield* sql`
          insert into idempotency_keys (workspace_id, owner, key, request_hash, run_id, running_until, expires_at)
          values (${run.workspace_id}, ${run.owner}, ${run.key}, ${run.request_hash}, ${run.run_id},
            ${date(run.running_until)}, ${date(run.expires_at)})
          on conflict (workspace_id, owner, key) do update set
            request_hash = excluded.request_hash, answer = null, run_id = excluded.run_id,
            running_until = excluded.running_until, expires_at = excluded.expires_at
          where idempotency_keys.expires_at <= ${date(run.now)}
            or (idempotency_keys.running_until <= ${date(run.now)}
              and idempotency_keys.request_hash = excluded.request_hash)
          returning 1`
        return rows.length === 1
      }, Effect.orDie)

      const renew = (run: Run, until: DateTime.Utc) =>
        Effect.orDie(
          Effect.asVoid(sql`
          update idempotency_keys set running_until = ${date(until)} where ${of(run)} and run_id = ${run.run_id}`)
        )

      const finish = (run: Run, answer: Uint8Array, expiresAt: DateTime.Utc) =>
        Effect.orDie(
          Effect.asVoid(sql`
          update idempotency_keys set answer = ${answer}, run_id = null, running_until = null,
            expires_at = ${date(expiresAt)}
          where ${of(run)} and run_id = ${run.run_id}`)
        )

      const release = (run: Run) =>
        Effect.orDie(
          Effect.asVoid(sql`delete from idempotency_keys where ${of(run)} and run_id = ${run.run_id}`)
        )

      const collect = (now: DateTime.Utc) =>
        Effect.orDie(Effect.asVoid(sql`delete from idempotency_keys where expires_at <= ${date(now)}`))

      return { find, keep, keeping, toRow, begin, renew, finish, release, collect }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
