import { Authorization, CurrentActor, hasScope, NeededScope, problem } from "@carillon/domain"
import { Context, Effect, Layer } from "effect"
import { ApiKeys } from "./ApiKeys.ts"

/** Bearer key → CurrentActor, and the scope that the endpoint is annotated with. */
export const AuthorizationLayer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    return Authorization.of({
      bearer: Effect.fnUntraced(function* (httpEffect, { credential, endpoint }) {
        const actor = yield* keys.authenticate(credential)
        const needed = Context.getUnsafe(endpoint.annotations, NeededScope)
        if (!hasScope(actor.scopes, needed)) {
          return yield* problem(
            "missing_scope",
            `This needs the scope ${needed}; the API key has ${actor.scopes.join(", ")}.`
          )
        }
        return yield* Effect.provideService(httpEffect, CurrentActor, actor)
      })
    })
  })
)
