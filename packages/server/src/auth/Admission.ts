import type { CurrentActor, TooManyRequests, Unauthorized } from "@carillon/domain"
import { Context, Effect, Layer, Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { RateLimit } from "../http/RateLimit.ts"
import { type AcceptedKey, ApiKeys } from "./ApiKeys.ts"
import type { Audience } from "./Audience.ts"
import type { Token } from "./GrantRepository.ts"
import { Grants } from "./Grants.ts"
import type { MemberWorkspace } from "./MemberRepository.ts"

type Actor = CurrentActor["Service"]

/**
 * Makes the actor of every kind of credential.
 *
 * @effect-expect-leaking HttpServerRequest
 */
export class Admission extends Context.Service<
  Admission,
  {
    /**
     * Admits a bearer, an API key or an access token issued for this audience, and counts its request. The request is
     * read, and its method known, only after the credential is accepted.
     */
    bearer<A extends { readonly method: string }, E, R>(
      token: Redacted.Redacted,
      audience: Audience,
      read: Effect.Effect<A, E, R>
    ): Effect.Effect<
      { readonly actor: Actor; readonly request: A },
      E | Unauthorized | TooManyRequests,
      R | HttpServerRequest.HttpServerRequest
    >
  }
>()("@carillon/server/auth/Admission") {
  static readonly layer = Layer.effect(
    Admission,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const grants = yield* Grants
      const limits = yield* RateLimit

      const authenticate = (token: Redacted.Redacted, audience: Audience) =>
        Effect.map(keys.authenticate(token), keyActor).pipe(
          Effect.catchTag("Unauthorized", (refused) =>
            tokenForm.test(Redacted.value(token))
              ? Effect.map(grants.authenticate(token, audience), appActor)
              : Effect.fail(refused)
          )
        )

      return Admission.of({
        bearer: Effect.fnUntraced(function* (token, audience, read) {
          const actor = yield* limits.guard(Redacted.value(token), authenticate(token, audience))
          const request = yield* read
          yield* limits.count(actor, request.method)
          return { actor, request }
        })
      })
    })
  ).pipe(Layer.provide(RateLimit.layer))
}

/** The form of the authorization server's tokens; anything else is not looked up. */
const tokenForm = /^[A-Za-z0-9_-]{43}$/

type InWorkspace = Pick<Actor, "workspace_id" | "timezone" | "scopes" | "social_accounts">

const actorOf = (
  { workspace_id, timezone, scopes, social_accounts }: InWorkspace,
  credential: Partial<Pick<Actor, "key_id" | "grant">> = {}
): Actor => ({ workspace_id, timezone, scopes, social_accounts, key_id: null, grant: null, ...credential })

const keyActor = (key: AcceptedKey) => actorOf(key, { key_id: key.id })

const appActor = (token: Token) => {
  const { grant_id: id, client_name: app, needs_approval, asked_scopes: asked } = token
  const carried = new Set<string>(token.token_scope?.split(" "))
  const scopes = token.scopes.filter((scope) => carried.has(scope))
  return actorOf({ ...token, scopes }, { grant: { id, app, needs_approval, asked } })
}

/** A signed-in member at the pages, in one of their workspaces. */
export const memberActor = ({ id, timezone }: Pick<MemberWorkspace, "id" | "timezone">) =>
  actorOf({
    workspace_id: id,
    timezone,
    scopes: ["accounts:read", "posts:publish", "media:read"],
    social_accounts: null
  })
