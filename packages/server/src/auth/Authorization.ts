import { Authorization, CurrentActor, hasScope, NeededScope, problem } from "@carillon/domain"
import { Context, Effect, Layer, Redacted } from "effect"
import { RateLimit } from "../http/RateLimit.ts"
import { ApiKeys } from "./ApiKeys.ts"

/** Bearer key → CurrentActor, within the limits, with the scope that the endpoint is annotated with. */
export const AuthorizationLayer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    const limits = yield* RateLimit
    return Authorization.of({
      bearer: Effect.fnUntraced(function* (httpEffect, { credential, endpoint }) {
        const actor = yield* limits.guard(Redacted.value(credential), keys.authenticate(credential))
        yield* limits.count(actor, endpoint.method)
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
