import {
  Api,
  CurrentActor,
  hasScope,
  problem,
  SocialAccountId,
  type UpdateConnectedApp,
  isAppScope,
  isHeld,
  within
} from "@carillon/domain"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SocialAccounts } from "../accounts/SocialAccounts.ts"
import type { Grant } from "../auth/GrantRepository.ts"
import { Grants } from "../auth/Grants.ts"
import { destination } from "./Destination.ts"

const knownBy = ({ client_id, redirect_uri }: Grant) =>
  client_id.startsWith("https://")
    ? new URL(client_id).host
    : redirect_uri === null
      ? "a program that showed a code"
      : destination(redirect_uri).shown

/** A grant as it counts for its person at present. */
const shown = (grant: Grant, actor: CurrentActor["Service"]) => {
  const { role } = actor.member!
  const { scopes, social_accounts } = within({ role, social_accounts: actor.social_accounts }, grant)
  const { id, created_at, last_used_at, ended_at, ended_because } = grant
  return {
    id,
    name: grant.client_name,
    known_by: knownBy(grant),
    asked_scopes: grant.asked_scopes.filter(isAppScope),
    scopes: scopes.filter(isAppScope),
    social_accounts: social_accounts?.map((account) => SocialAccountId.make(account)) ?? null,
    needs_approval: grant.needs_approval || isHeld(actor),
    created_at,
    last_used_at,
    ended_at,
    ended_because
  }
}

export const ConnectedAppsHttpLayer = HttpApiBuilder.group(
  Api,
  "connectedApps",
  Effect.fnUntraced(function* (handlers) {
    const grants = yield* Grants
    const accounts = yield* SocialAccounts

    /** Only members come here. */
    const asking = Effect.map(CurrentActor, ({ member, workspace_id }) => ({
      member_id: member!.id,
      workspace_id
    }))

    const unknown = (id: string) => problem("not_found", `No app is connected as ${JSON.stringify(id)}.`)

    const connected = Effect.fnUntraced(function* (id: string) {
      const { member_id, workspace_id } = yield* asking
      const found = yield* grants.one(member_id, id)
      return Option.isSome(found) &&
        found.value.workspace_id === workspace_id &&
        found.value.ended_at === null
        ? found.value
        : yield* unknown(id)
    })

    const scopesOf = ({ asked_scopes, scopes }: Grant, wanted: UpdateConnectedApp["scopes"]) => {
      if (wanted === undefined) return Effect.succeed(scopes)
      const asked = asked_scopes.filter(isAppScope)
      const other = wanted.find((scope) => !asked.some((one) => one === scope))
      return other === undefined
        ? Effect.succeed(asked.filter((scope) => hasScope(wanted, scope)))
        : problem("invalid_request", [
            {
              path: `scopes[${wanted.indexOf(other)}]`,
              code: "invalid_value",
              message: `The app has not asked for ${other}; give it some of ${asked.join(", ")}.`
            }
          ])
    }

    return handlers.handleAll({
      all: Effect.fnUntraced(function* () {
        const { member_id, workspace_id } = yield* asking
        const all = yield* grants.list(member_id)
        const actor = yield* CurrentActor
        const here = all.filter((grant) => grant.workspace_id === workspace_id)
        return { data: here.map((grant) => shown(grant, actor)) }
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const grant = yield* connected(params.connected_app_id)
        const { member_id, workspace_id } = grant
        const { needs_approval = grant.needs_approval, social_accounts = grant.social_accounts } = payload
        const scopes = yield* scopesOf(grant, payload.scopes)
        if (payload.social_accounts != null) yield* accounts.existing(workspace_id, payload.social_accounts)
        const changes = { id: grant.id, member_id, scopes, social_accounts, needs_approval }
        if (!(yield* grants.change(changes))) return yield* unknown(grant.id)
        return shown({ ...grant, ...changes }, yield* CurrentActor)
      }),
      disconnect: Effect.fnUntraced(function* ({ params }) {
        const { id, member_id } = yield* connected(params.connected_app_id)
        yield* grants.disconnect(member_id, id)
        return { success: true as const, id }
      })
    })
  })
)
