import { Context, DateTime, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Audit, ownAct } from "../audit/Audit.ts"
import { longestPassword } from "../crypto/PasswordRules.ts"
import { Secrets } from "../crypto/Secrets.ts"
import { Throttle, type Throttled } from "../http/Throttle.ts"
import { deviceCookiePurpose, deviceOf, holderOf } from "./DeviceCookie.ts"
import { limitsOfCode, limitsOfDevice, limitsOfStranger } from "./GuessLimits.ts"
import { type Member, MemberRepository } from "./MemberRepository.ts"
import { FormRefused, Members, type NewSession, type Origin } from "./Members.ts"
import { type PasskeyRefused, Passkeys } from "./Passkeys.ts"
import { inLine, verifyNothing, verifyPassword } from "./Passwords.ts"
import { SecondFactors } from "./SecondFactors.ts"
import { ticketFor, ticketNonce } from "./Ticket.ts"

/** The password was right; the code is still missing. It is no session, and opens nothing. */
export interface AwaitsCode {
  readonly memberId: string
  readonly ticket: string
}

/** The password was given too long ago, or is another one by now. */
export class PasswordOver extends Schema.TaggedError<PasswordOver>()("PasswordOver", {}) {}

/** The ways in: a password, with a code where the member has an authenticator app, or a passkey. */
export class SignIns extends Context.Service<
  SignIns,
  {
    withPassword(
      name: string,
      password: string,
      from: Origin
    ): Effect.Effect<NewSession | AwaitsCode, FormRefused | Throttled>
    withCode(
      awaits: AwaitsCode,
      code: string,
      from: Origin
    ): Effect.Effect<NewSession, FormRefused | PasswordOver | Throttled>
    withPasskey(holder: string, credential: string, from: Origin): Effect.Effect<NewSession, PasskeyRefused>
  }
>()("@carillon/server/auth/SignIns") {
  static readonly layer = Layer.effect(
    SignIns,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repository = yield* MemberRepository
      const members = yield* Members
      const secondFactors = yield* SecondFactors
      const passkeys = yield* Passkeys
      const throttle = yield* Throttle
      const audit = yield* Audit
      const secrets = yield* Secrets
      const deviceKey = secrets.key(deviceCookiePurpose)
      const codeKey = secrets.key("sign-ins that await a code")

      const refused = (action: "sign_in.refused" | "sign_in.code_refused", member: Member) =>
        audit.record({ ...ownAct(action, member), actor: null })

      const begins = Effect.fnUntraced(
        function* (member: Member, from: Origin, isKnown: boolean) {
          yield* audit.record(ownAct("sign_in.accepted", member))
          if (!isKnown) yield* audit.record(ownAct("sign_in.new_device", member))
          return yield* members.begin(member, from, !isKnown)
        },
        sql.withTransaction,
        Effect.catchTag("SqlError", Effect.die)
      )

      const withPassword = Effect.fn("SignIns.withPassword")(function* (
        name: string,
        password: string,
        from: Origin
      ) {
        const found = yield* repository.byName(name.trim())
        const now = yield* DateTime.now
        const device = Option.flatMap(found, (member) => deviceOf(deviceKey, member, from.device, now))
        const tried = password.slice(0, longestPassword + 1)
        const right = yield* throttle.guarded(
          Option.match(device, {
            onNone: () => limitsOfStranger(name.trim(), from.address),
            onSome: limitsOfDevice
          }),
          Option.isSome(found) ? verifyPassword(tried, found.value.password_hash) : verifyNothing(tried)
        )
        if (!right || Option.isNone(found)) {
          // Names that nobody has are without number, so only the log has them.
          yield* Option.isNone(found)
            ? Effect.logInfo("sign-in refused: there is no such member", { address: from.address })
            : refused("sign_in.refused", found.value)
          return yield* new FormRefused({
            message: "The name or the password is wrong. Check both and try again."
          })
        }
        const member = found.value
        const { totp_since } = yield* secondFactors.state(member)
        return totp_since === null
          ? yield* begins(member, from, Option.isSome(device))
          : { memberId: member.id, ticket: ticketFor(codeKey, holderOf(member), now, codeWithin) }
      }, inLine)

      const withCode = Effect.fn("SignIns.withCode")(function* (
        { memberId, ticket }: AwaitsCode,
        code: string,
        from: Origin
      ) {
        const found = isUuid.test(memberId) ? yield* repository.byId(memberId) : Option.none()
        const now = yield* DateTime.now
        // A new password, and signing out everywhere, end tickets as they end the cookies of browsers.
        if (Option.isNone(found) || Option.isNone(ticketNonce(codeKey, holderOf(found.value), ticket, now)))
          return yield* new PasswordOver()
        const member = found.value
        const device = deviceOf(deviceKey, member, from.device, now)
        const right = yield* throttle.guarded(
          Option.match(device, {
            onNone: () => limitsOfCode(memberId, from.address),
            onSome: limitsOfDevice
          }),
          secondFactors.accepts(member, code)
        )
        if (right) return yield* begins(member, from, Option.isSome(device))
        yield* refused("sign_in.code_refused", member)
        return yield* new FormRefused({
          message:
            "The code is wrong, or was used already. Wait for the next one, and check that the clock of the device is right."
        })
      })

      const withPasskey = Effect.fn("SignIns.withPasskey")(function* (
        holder: string,
        credential: string,
        from: Origin
      ) {
        const memberId = yield* passkeys.answered(holder, credential)
        const member = Option.getOrThrow(yield* repository.byId(memberId))
        const device = deviceOf(deviceKey, member, from.device, yield* DateTime.now)
        return yield* begins(member, from, Option.isSome(device))
      })

      return SignIns.of({ withPassword, withCode, withPasskey })
    })
  ).pipe(Layer.provide(MemberRepository.layer))
}

const codeWithin = { minutes: 5 } as const

const isUuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
