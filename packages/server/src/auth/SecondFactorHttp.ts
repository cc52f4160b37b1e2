import { Api, problem } from "@carillon/domain"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Browser } from "./Browser.ts"
import { Members } from "./Members.ts"
import { Passkeys } from "./Passkeys.ts"
import { SecondFactors } from "./SecondFactors.ts"
import { refused } from "./SessionHttp.ts"

const noTotp = () => problem("not_found", "The sign-in asks for no code: there is no authenticator app.")

export const SecondFactorHttpLayer = HttpApiBuilder.group(
  Api,
  "secondFactor",
  Effect.fnUntraced(function* (handlers) {
    const members = yield* Members
    const secondFactors = yield* SecondFactors
    const passkeys = yield* Passkeys
    const { ownSession } = yield* Browser
    const member = Effect.map(ownSession, (session) => session.member)
    return handlers.handleAll({
      get: Effect.fnUntraced(function* () {
        const own = yield* member
        const { recovery_codes_left, totp_since } = yield* secondFactors.state(own)
        return {
          totp_since,
          recovery_codes_left,
          passkeys: yield* passkeys.list(own),
          passkeys_unavailable: passkeys.unavailable
        }
      }),
      makeTotpSecret: () => Effect.map(member, secondFactors.propose),
      setTotp: Effect.fnUntraced(function* ({ payload: { code, secret } }) {
        const recovery_codes = yield* secondFactors
          .set(yield* member, secret, code)
          .pipe(
            Effect.catchTag("CodeRefused", () =>
              refused(
                "code",
                "The code does not fit. Enter the newest one, and check that the clock of the device is right."
              )
            )
          )
        return { recovery_codes }
      }),
      deleteTotp: Effect.fnUntraced(function* () {
        yield* Effect.catchTag(secondFactors.remove(yield* member), "NoTotp", noTotp)
        return { success: true as const }
      }),
      replaceRecoveryCodes: Effect.fnUntraced(function* () {
        const replaced = secondFactors.replaceRecoveryCodes(yield* member)
        return { recovery_codes: yield* Effect.catchTag(replaced, "NoTotp", noTotp) }
      }),
      passkeyOptions: Effect.fnUntraced(function* () {
        if (passkeys.unavailable !== null) return yield* refused("", passkeys.unavailable)
        const own = yield* ownSession
        return {
          create: yield* passkeys.creation(own.member, own.token),
          get: yield* passkeys.request(own.token)
        }
      }),
      addPasskey: Effect.fnUntraced(function* ({ payload }) {
        const own = yield* ownSession
        const added = yield* passkeys
          .add(own.member, own.token, payload)
          .pipe(Effect.catchTag("PasskeyRefused", ({ message }) => refused("credential", message)))
        return { ...added, works_here: true }
      }),
      deletePasskey: Effect.fnUntraced(function* ({ params: { passkey_id: id } }) {
        if (Option.isNone(yield* passkeys.remove(yield* member, id)))
          return yield* problem("not_found", `There is no passkey ${id}.`)
        return { success: true as const, id }
      }),
      confirmWithPasskey: Effect.fnUntraced(function* ({ payload: { credential } }) {
        const confirmed_until = yield* members
          .confirmWithPasskey(yield* ownSession, credential)
          .pipe(Effect.catchTag("PasskeyRefused", ({ message }) => refused("credential", message)))
        return { confirmed_until }
      })
    })
  })
)
