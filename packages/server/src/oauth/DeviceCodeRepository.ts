import { PgClient } from "@effect/sql-pg"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Instant } from "../sql/Rows.ts"

const Waiting = Schema.Struct({
  client_id: Schema.String,
  params: Schema.Record(Schema.String, Schema.Unknown),
  address: Schema.NullOr(Schema.String),
  program: Schema.NullOr(Schema.String),
  asked_at: Instant
})

/** A person's decision; the names are the authorization server's. */
type Decision =
  | {
      readonly accountId: string
      readonly grantId: string
      readonly scope: string
      readonly resource: string
    }
  | { readonly error: "access_denied"; readonly errorDescription: string }

/**
 * The codes that programs show for a sign-in elsewhere (RFC 8628). The authorization server keeps and exchanges them as
 * its own records; a person finds one by typing it, and answers it once.
 */
export class DeviceCodeRepository extends Context.Service<DeviceCodeRepository>()(
  "@carillon/server/oauth/DeviceCodeRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const open = (userCode: string, now: Date) => sql`
        model = 'DeviceCode' and uid = ${userCode} and to_timestamp((payload ->> 'exp')::float8) > ${now}
        and consumed_at is null and payload ->> 'accountId' is null and payload ->> 'error' is null`

      const waiting = SqlSchema.findOneOption({
        Request: Schema.Struct({ userCode: Schema.String, now: Schema.DateTimeUtcFromDate }),
        Result: Waiting,
        execute: ({ userCode, now }) => sql`
          select payload ->> 'clientId' as client_id, payload -> 'params' as params,
            payload -> 'deviceInfo' ->> 'ip' as address, payload -> 'deviceInfo' ->> 'ua' as program,
            to_timestamp((payload ->> 'iat')::float8) as asked_at
          from oauth_records where ${open(userCode, now)}`
      })

      return {
        waiting: Effect.fnUntraced(function* (userCode: string) {
          return yield* Effect.orDie(waiting({ userCode, now: yield* DateTime.now }))
        }),
        /** Whether it still waited; of two answers at once one counts. */
        decide: Effect.fnUntraced(function* (userCode: string, decision: Decision) {
          const now = DateTime.toDateUtc(yield* DateTime.now)
          const grantId = "grantId" in decision ? decision.grantId : null
          const rows = yield* Effect.orDie(sql`
            update oauth_records set payload = payload || ${sql.json(decision)}::jsonb, grant_id = ${grantId}
            where ${open(userCode, now)} returning 1 as one`)
          return rows.length > 0
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
