import { CurrentActor, isHeld, type Profile, SocialAccountId, type UpdateProfile } from "@carillon/domain"
import { Context, Effect, Layer } from "effect"
import { ApiKeys } from "../auth/ApiKeys.ts"
import { Grants } from "../auth/Grants.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"

/** The workspace as the request's credential sees it, and that credential. */
export class Profiles extends Context.Service<
  Profiles,
  {
    readonly get: Effect.Effect<Profile, never, CurrentActor>
    update(changes: UpdateProfile): Effect.Effect<Profile, never, CurrentActor>
  }
>()("@carillon/server/profile/Profiles") {
  static readonly layer = Layer.effect(
    Profiles,
    Effect.gen(function* () {
      const workspaces = yield* Workspaces
      const keys = yield* ApiKeys
      const grants = yield* Grants

      const get = Effect.gen(function* () {
        const actor = yield* CurrentActor
        const settings = yield* workspaces.settings
        const own =
          actor.member !== null
            ? { type: "session" as const, name: null, member: actor.member.name, expires_at: null }
            : actor.grant === null
              ? yield* keys.own
              : yield* grants.own(actor.grant.id)
        return {
          ...settings,
          workspace: { id: settings.id, name: settings.name },
          scopes: actor.scopes,
          credential: {
            ...own,
            social_accounts: actor.social_accounts?.map((id) => SocialAccountId.make(id)) ?? null,
            role: actor.member?.role ?? null,
            needs_approval: isHeld(actor)
          }
        }
      })

      return Profiles.of({ get, update: (changes) => Effect.andThen(workspaces.update(changes), get) })
    })
  )
}
