import type { CurrentActor, Unauthorized } from "@carillon/domain"
import { Context, Effect, Layer, Redacted } from "effect"
import type { Audience } from "./Audience.ts"
import { Grants } from "./Grants.ts"
import { ApiKeys } from "./ApiKeys.ts"

/** Checks a request's bearer: an API key, or an access token issued for the address it is sent to. */
export class Credentials extends Context.Service<
  Credentials,
  {
    authenticate(
      token: Redacted.Redacted,
      audience: Audience
    ): Effect.Effect<CurrentActor["Service"], Unauthorized>
  }
>()("@carillon/server/auth/Credentials") {
  static readonly layer = Layer.effect(
    Credentials,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const grants = yield* Grants
      return Credentials.of({
        authenticate: (token, audience) =>
          keys
            .authenticate(token)
            .pipe(
              Effect.catchTag("Unauthorized", (refused) =>
                tokenForm.test(Redacted.value(token))
                  ? grants.authenticate(token, audience)
                  : Effect.fail(refused)
              )
            )
      })
    })
  )
}

/** The form of the authorization server's tokens; anything else is not looked up. */
const tokenForm = /^[A-Za-z0-9_-]{43}$/
