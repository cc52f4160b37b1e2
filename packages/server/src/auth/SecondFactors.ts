import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { generateSecret, generateURI, verifySync } from "otplib"
import { Audit, ownAct } from "../audit/Audit.ts"
import { CredentialCipher } from "../crypto/CredentialCipher.ts"
import type { Member } from "./MemberRepository.ts"
import { SecondFactorRepository } from "./SecondFactorRepository.ts"

/** The code does not fit the secret: the app has another one, or another time. */
export class CodeRefused extends Schema.TaggedError<CodeRefused>()("CodeRefused", {}) {}

/** The member has no authenticator app. */
export class NoTotp extends Schema.TaggedError<NoTotp>()("NoTotp", {}) {}

interface State {
  readonly totp_since: DateTime.Utc | null
  readonly recovery_codes_left: number
}

/** What the sign-in asks for after the password: a code of an authenticator app, or a recovery code. */
export class SecondFactors extends Context.Service<
  SecondFactors,
  {
    state(member: Member): Effect.Effect<State>
    /** A new secret, which is not stored, and its address for an app. */
    propose(member: Member): { readonly secret: string; readonly uri: string }
    /** Asks for codes of this secret from now on; the recovery codes. */
    set(member: Member, secret: string, code: string): Effect.Effect<ReadonlyArray<string>, CodeRefused>
    replaceRecoveryCodes(member: Member): Effect.Effect<ReadonlyArray<string>, NoTotp>
    remove(member: Member): Effect.Effect<void, NoTotp>
    removeAll(memberId: string): Effect.Effect<void>
    /** Whether it is a code that counts now. It counts once. */
    accepts(member: Member, code: string): Effect.Effect<boolean>
  }
>()("@carillon/server/auth/SecondFactors") {
  static readonly layer = Layer.effect(
    SecondFactors,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repository = yield* SecondFactorRepository
      const audit = yield* Audit
      yield* repository.reencrypt

      const newRecoveryCodes = Effect.fnUntraced(function* (member: Member) {
        const codes = Array.from({ length: 10 }, newRecoveryCode)
        yield* repository.putRecoveryCodes(member.id, codes.map(hash))
        return codes
      })

      const whole = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        effect.pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))

      return SecondFactors.of({
        state: ({ id }) =>
          Effect.map(
            repository.state(id),
            Option.getOrElse(() => ({ totp_since: null, recovery_codes_left: 0 }))
          ),
        propose: ({ name }) => {
          const secret = generateSecret()
          return { secret, uri: generateURI({ issuer: "Carillon", label: name, secret }) }
        },
        set: Effect.fn("SecondFactors.set")(function* (member, secret, code) {
          const at = yield* DateTime.now
          const step = stepOf(secret, code, at)
          if (step === undefined) return yield* new CodeRefused()
          yield* repository.put(member.id, { secret, step, at })
          yield* audit.record(ownAct("totp.set", member))
          return yield* newRecoveryCodes(member)
        }, whole),
        replaceRecoveryCodes: Effect.fn("SecondFactors.replaceRecoveryCodes")(function* (member) {
          if (Option.isNone(yield* repository.state(member.id))) return yield* new NoTotp()
          yield* audit.record(ownAct("recovery_codes.replaced", member))
          return yield* newRecoveryCodes(member)
        }, whole),
        remove: Effect.fn("SecondFactors.remove")(function* (member) {
          if (!(yield* repository.remove(member.id))) return yield* new NoTotp()
          yield* audit.record(ownAct("totp.removed", member))
        }, whole),
        removeAll: (memberId) => Effect.asVoid(repository.remove(memberId)),
        accepts: Effect.fn("SecondFactors.accepts")(function* (member, typed) {
          const code = typed.replace(/[\s-]/g, "")
          if (/^\d{6}$/.test(code)) {
            const secret = yield* repository.secret(member.id)
            if (Option.isNone(secret)) return false
            const step = stepOf(secret.value, code, yield* DateTime.now)
            return step !== undefined && (yield* repository.takeStep(member.id, step))
          }
          const taken = yield* repository.takeRecoveryCode(member.id, hash(code))
          if (taken) yield* audit.record(ownAct("recovery_code.used", member))
          return taken
        })
      })
    })
  ).pipe(Layer.provide(SecondFactorRepository.layer), Layer.provide(CredentialCipher.layer))
}

/** The 30 seconds for which the code is: the present ones, those before or those after. */
const stepOf = (secret: string, token: string, now: DateTime.Utc): number | undefined => {
  const epoch = DateTime.toEpochMillis(now) / 1000
  const result = verifySync({ secret, token, epoch, epochTolerance: 30 })
  return result.valid && "timeStep" in result ? result.timeStep : undefined
}

/** 80 random bits, in letters and digits that nobody confuses. */
const newRecoveryCode = () =>
  generateSecret({ length: 10 })
    .toLowerCase()
    .replace(/.{4}(?=.)/g, "$&-")

/** Without salt: nobody tries 2^80 of them. */
const hash = (code: string) => createHash("sha256").update(code.replaceAll("-", "").toLowerCase()).digest()
