import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { CredentialCipher } from "../crypto/CredentialCipher.ts"
import { Instant } from "../sql/Rows.ts"

const Totp = Schema.Struct({ secret: Schema.Uint8Array, created_at: Instant })
const State = Schema.Struct({ totp_since: Instant, recovery_codes_left: Schema.Int })

/** The owner that a sealed secret is bound to. */
const ownerOf = (memberId: string) => `totp:${memberId}`

/** The authenticator apps of members, and the codes for when one is lost. */
export class SecondFactorRepository extends Context.Service<SecondFactorRepository>()(
  "@carillon/server/auth/SecondFactorRepository",
  {
    make: Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const cipher = yield* CredentialCipher

      const totp = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: Totp,
        execute: (id) => sql`select secret, created_at from totp_secrets where member_id = ${id}`
      })

      const state = SqlSchema.findOneOption({
        Request: Schema.String,
        Result: State,
        execute: (id) => sql`
          select t.created_at as totp_since,
            (select count(*)::int from recovery_codes c where c.member_id = t.member_id) as recovery_codes_left
          from totp_secrets t where t.member_id = ${id}`
      })

      const put = (
        id: string,
        { at, secret, step }: { readonly secret: string; readonly step: number; readonly at: DateTime.Utc }
      ) => {
        const row = {
          member_id: id,
          secret: cipher.seal(ownerOf(id), { secret }),
          last_step: step,
          created_at: DateTime.toDateUtc(at)
        }
        return sql`
          insert into totp_secrets ${sql.insert(row)}
          on conflict (member_id) do update set
            secret = excluded.secret, last_step = excluded.last_step, created_at = excluded.created_at`
      }

      const putRecoveryCodes = (id: string, hashes: ReadonlyArray<Buffer>) =>
        Effect.andThen(
          sql`delete from recovery_codes where member_id = ${id}`,
          sql`
            insert into recovery_codes (member_id, code_hash)
            select ${id}::uuid, decode(hash, 'hex') from unnest(${hashes.map((hash) => hash.toString("hex"))}::text[]) hash`
        )

      /** Encrypts under the present secret what is still under a former one. */
      const reencrypt = Effect.gen(function* () {
        const rows = yield* sql<{ member_id: string; secret: Uint8Array }>`
          select member_id, secret from totp_secrets`
        for (const { member_id, secret } of rows) {
          const renewed = yield* Effect.try(() => cipher.renewed(ownerOf(member_id), secret)).pipe(
            Effect.orElseSucceed(() => Option.none())
          )
          if (Option.isSome(renewed))
            yield* sql`
              update totp_secrets set secret = ${renewed.value}
              where member_id = ${member_id} and secret = ${secret}`
        }
      })

      const isOne = <E>(rows: Effect.Effect<ReadonlyArray<unknown>, E>) =>
        Effect.map(Effect.orDie(rows), ({ length }) => length === 1)

      return {
        state: (id: string) => Effect.orDie(state(id)),
        /** The secret; none: the member has no app, or it was sealed under another CARILLON_SECRET. */
        secret: Effect.fnUntraced(function* (id: string) {
          const found = yield* Effect.orDie(totp(id))
          if (Option.isNone(found)) return Option.none()
          return yield* Effect.try(
            () => cipher.open(ownerOf(id), found.value.secret)["secret"] as string
          ).pipe(
            Effect.tapError(() =>
              Effect.logWarning("the secret of an authenticator app does not open with CARILLON_SECRET", {
                member: id
              })
            ),
            Effect.option
          )
        }),
        put: (...args: Parameters<typeof put>) => Effect.orDie(Effect.asVoid(put(...args))),
        putRecoveryCodes: (...args: Parameters<typeof putRecoveryCodes>) =>
          Effect.orDie(Effect.asVoid(putRecoveryCodes(...args))),
        /** Whether neither this step nor a later one was taken before. */
        takeStep: (id: string, step: number) =>
          isOne(sql`
            update totp_secrets set last_step = ${step}
            where member_id = ${id} and last_step < ${step} returning member_id`),
        /** Whether there was this code. */
        takeRecoveryCode: (id: string, hash: Uint8Array) =>
          isOne(
            sql`delete from recovery_codes where member_id = ${id} and code_hash = ${hash} returning member_id`
          ),
        /** With the recovery codes; whether there was one. */
        remove: (id: string) =>
          isOne(sql`delete from totp_secrets where member_id = ${id} returning member_id`),
        reencrypt: Effect.orDie(reencrypt)
      }
    })
  }
) {
  static readonly layer = Layer.effect(this, this.make)
}
