import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { hashId } from "../crypto/hashId.ts"
import { Instant } from "../sql/Rows.ts"

const Payload = Schema.Record(Schema.String, Schema.Unknown)

const Found = Schema.Struct({ payload: Payload, consumed_ms_ago: Schema.NullOr(Schema.Finite) })

/** How long a client that registered itself is kept after it was last seen, once a person has allowed it. */
const clientLasts = { days: 90 } as const
/** And before: from its registration on. */
const unallowedLasts = { days: 7 } as const
/** Clients that registered themselves. */
const mostClients = 10_000
/** In this time a person may be on the way to allow a client. */
const unallowedStays = { hours: 1 } as const

/** The authorization server's records, under hashes of their ids. */
export class RecordRepository extends Context.Service<RecordRepository>()(
  "@carillon/server/oauth/RecordRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const date = DateTime.toDateUtc

      const found = SqlSchema.findOneOption({
        Request: Schema.Struct({ model: Schema.String, id: Schema.String, now: Instant }),
        Result: Found,
        execute: ({ model, id, now }) => sql`
          select payload, (extract(epoch from ${now}::timestamptz - consumed_at) * 1000)::float8 as consumed_ms_ago from oauth_records
          where model = ${model} and id_hash = ${hashId(id)} and (expires_at is null or expires_at > ${now})`
      })

      const foundByUid = SqlSchema.findOneOption({
        Request: Schema.Struct({ model: Schema.String, uid: Schema.String, now: Instant }),
        Result: Found,
        execute: ({ model, uid, now }) => sql`
          select payload, (extract(epoch from ${now}::timestamptz - consumed_at) * 1000)::float8 as consumed_ms_ago from oauth_records
          where model = ${model} and uid = ${uid} and (expires_at is null or expires_at > ${now})`
      })

      const upsert = (
        model: string,
        id: string,
        payload: typeof Payload.Type,
        expiresAt: DateTime.Utc | null
      ) => {
        const row = {
          model,
          id_hash: hashId(id),
          payload: sql.json(payload),
          grant_id: text(payload["grantId"]),
          uid: text(payload["uid"]),
          expires_at: expiresAt === null ? null : date(expiresAt)
        }
        // A record of a grant that ended meanwhile must not come back.
        return sql`
          insert into oauth_records (model, id_hash, payload, grant_id, uid, expires_at)
          select ${row.model}, ${row.id_hash}, ${row.payload}::jsonb, ${row.grant_id}, ${row.uid}, ${row.expires_at}::timestamptz
          where not exists (select 1 from grants where id = ${row.grant_id} and ended_at is not null)
          on conflict (model, id_hash) do update set
            payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid, expires_at = excluded.expires_at`
      }

      const now = DateTime.now

      return {
        upsert: Effect.fnUntraced(function* (
          model: string,
          id: string,
          payload: typeof Payload.Type,
          expiresInSeconds: number | undefined
        ) {
          const at = yield* now
          const expiresAt =
            expiresInSeconds !== undefined
              ? DateTime.add(at, { seconds: expiresInSeconds })
              : model === "Client"
                ? DateTime.add(at, unallowedLasts)
                : null
          yield* Effect.orDie(upsert(model, id, payload, expiresAt))
        }),
        find: Effect.fnUntraced(function* (model: string, id: string) {
          return yield* Effect.orDie(found({ model, id, now: yield* now }))
        }),
        findByUid: Effect.fnUntraced(function* (model: string, uid: string) {
          return yield* Effect.orDie(foundByUid({ model, uid, now: yield* now }))
        }),
        /** Whether this was the first use; of two at once one is. */
        consume: Effect.fnUntraced(function* (model: string, id: string) {
          const rows = yield* Effect.orDie(sql`
            update oauth_records set consumed_at = ${date(yield* now)}
            where model = ${model} and id_hash = ${hashId(id)} and consumed_at is null returning 1 as one`)
          return rows.length > 0
        }),
        destroy: (model: string, id: string) =>
          Effect.orDie(
            Effect.asVoid(sql`delete from oauth_records where model = ${model} and id_hash = ${hashId(id)}`)
          ),
        /** Keeps a client that a person has allowed. */
        allowClient: Effect.fnUntraced(function* (id: string) {
          const at = yield* now
          yield* Effect.orDie(sql`
            update oauth_records
            set allowed_at = coalesce(allowed_at, ${date(at)}), expires_at = ${date(DateTime.add(at, clientLasts))}
            where model = 'Client' and id_hash = ${hashId(id)}`)
        }),
        /** Keeps an allowed client that is used. */
        renewClient: Effect.fnUntraced(function* (id: string) {
          const at = yield* now
          const until = DateTime.add(at, clientLasts)
          yield* Effect.orDie(sql`
            update oauth_records set expires_at = ${date(until)}
            where model = 'Client' and id_hash = ${hashId(id)} and allowed_at is not null
              and expires_at < ${date(DateTime.subtract(until, { days: 1 }))}`)
        }),
        /**
         * Whether one more client can register itself. Where half of the places are taken, the oldest clients that nobody
         * has allowed make room.
         */
        roomForClient: Effect.gen(function* () {
          const youngest = yield* now.pipe(
            Effect.map(DateTime.add(unallowedLasts)),
            Effect.map(DateTime.subtract(unallowedStays))
          )
          const [clients] = yield* Effect.orDie(sql<{ readonly left: number }>`
            with taken as (select count(*)::int as clients from oauth_records where model = 'Client'),
            removed as (
              delete from oauth_records where model = 'Client' and allowed_at is null and id_hash = any(array(
                select id_hash from oauth_records
                where model = 'Client' and allowed_at is null and expires_at <= ${date(youngest)}
                order by expires_at, id_hash
                limit greatest(0, (select clients from taken) - ${mostClients / 2 - 1}::int)))
              returning 1)
            select (select clients from taken) - (select count(*)::int from removed) as "left"`)
          return clients!.left < mostClients
        }),
        collect: Effect.gen(function* () {
          yield* Effect.orDie(sql`delete from oauth_records where expires_at <= ${date(yield* now)}`)
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}

const text = (value: unknown) => (typeof value === "string" ? value : null)
