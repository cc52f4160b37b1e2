import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { Instant, Int8 } from "../sql/Rows.ts"

const Stored = Schema.Struct({
  id: Schema.String,
  member_id: Schema.String,
  credential_id: Schema.String,
  public_key: Schema.Uint8Array,
  sign_count: Int8,
  transports: Schema.Array(Schema.String),
  name: Schema.String,
  rp_id: Schema.String,
  created_at: Instant,
  last_used_at: Schema.NullOr(Instant)
})
export interface StoredPasskey extends Schema.Schema.Type<typeof Stored> {}

const Used = Schema.Struct({ id: Schema.String, sign_count: Int8, at: Instant })

export class PasskeyRepository extends Context.Service<PasskeyRepository>()(
  "@carillon/server/auth/PasskeyRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(Object.keys(Stored.fields).join(", "))

      const of = SqlSchema.findAll({
        Request: Schema.String,
        Result: Stored,
        execute: (memberId) =>
          sql`select ${columns} from passkeys where member_id = ${memberId} order by created_at, id`
      })

      const byCredential = SqlSchema.findOneOption({
        Request: Schema.Struct({ credential_id: Schema.String, rp_id: Schema.String }),
        Result: Stored,
        execute: ({ credential_id, rp_id }) =>
          sql`select ${columns} from passkeys where credential_id = ${credential_id} and rp_id = ${rp_id}`
      })

      const insert = SqlSchema.findOneOption({
        Request: Stored,
        Result: Schema.Struct({ id: Schema.String }),
        execute: (passkey) =>
          sql`insert into passkeys ${sql.insert(passkey)} on conflict do nothing returning id`
      })

      const used = SqlSchema.findOneOption({
        Request: Used,
        Result: Schema.Struct({ id: Schema.String }),
        execute: ({ at, id, sign_count }) => sql`
          update passkeys set sign_count = greatest(sign_count, ${sign_count}), last_used_at = ${at}
          where id = ${id} returning id`
      })

      const remove = SqlSchema.findOneOption({
        Request: Schema.Struct({ member_id: Schema.String, id: Schema.String }),
        Result: Schema.Struct({ id: Schema.String, name: Schema.String }),
        execute: ({ id, member_id }) =>
          sql`delete from passkeys where member_id = ${member_id} and id::text = ${id} returning id, name`
      })

      const hosts = SqlSchema.findAll({
        Request: Schema.Void,
        Result: Schema.Struct({ rp_id: Schema.String, count: Schema.Int }),
        execute: () => sql`select rp_id, count(*)::int as count from passkeys group by rp_id order by rp_id`
      })

      return {
        of: (memberId: string) => Effect.orDie(of(memberId)),
        byCredential: (credential_id: string, rp_id: string) =>
          Effect.orDie(byCredential({ credential_id, rp_id })),
        /** None: the device is known already. */
        insert: (passkey: StoredPasskey) => Effect.orDie(insert(passkey)),
        /** None: it was removed meanwhile. */
        used: (id: string, sign_count: number, at: DateTime.Utc) =>
          Effect.orDie(used({ id, sign_count, at })),
        remove: (member_id: string, id: string) => Effect.orDie(remove({ member_id, id })),
        removeAll: (memberId: string) =>
          Effect.orDie(Effect.asVoid(sql`delete from passkeys where member_id = ${memberId}`)),
        /** The hosts that they were made for, with their number. */
        hosts: Effect.orDie(hosts(undefined))
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
