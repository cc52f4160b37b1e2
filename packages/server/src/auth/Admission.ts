import {
  type CurrentActor,
  type Forbidden,
  type NotFound,
  problem,
  roles,
  type TooManyRequests,
  type Unauthorized,
  within,
  type WorkspaceId
} from "@carillon/domain"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import { AppConfig } from "../AppConfig.ts"
import { RateLimit } from "../http/RateLimit.ts"
import { type AcceptedKey, ApiKeys } from "./ApiKeys.ts"
import type { Audience } from "./Audience.ts"
import type { Token } from "./GrantRepository.ts"
import { Grants } from "./Grants.ts"
import type { MemberWorkspace } from "./MemberRepository.ts"
import { Members } from "./Members.ts"
import { cookieNamed } from "./SessionCookie.ts"
import { signedOut } from "./signedOut.ts"
import { Workspaces } from "../workspaces/Workspaces.ts"

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
    /** The actor of a request that was admitted, as its credential is now; none: the credential has ended. It counts nothing. */
    readonly present: Effect.Effect<Option.Option<Actor>, never, HttpServerRequest.HttpServerRequest>
    /** Admits the member of the request's cookie into a workspace, for a page of this service alone, and counts it. */
    member(workspace: string): Effect.Effect<
      {
        readonly actor: Actor
        /** Whether the member gave the password a short while ago. */
        readonly passwordGiven: Effect.Effect<boolean>
      },
      Unauthorized | Forbidden | NotFound | TooManyRequests,
      HttpServerRequest.HttpServerRequest
    >
  }
>()("@carillon/server/auth/Admission") {
  static readonly layer = Layer.effect(
    Admission,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const grants = yield* Grants
      const members = yield* Members
      const { defaultId } = yield* Workspaces
      const limits = yield* RateLimit
      const { publicUrl } = yield* AppConfig
      const { origin } = new URL(publicUrl)
      const sessionCookie = cookieNamed(publicUrl, "carillon_session")

      const authenticate = (token: Redacted.Redacted, audience: Audience) =>
        Effect.map(keys.authenticate(token), keyActor(defaultId)).pipe(
          Effect.catchTag("Unauthorized", (refused) =>
            tokenForm.test(Redacted.value(token))
              ? Effect.map(grants.authenticate(token, audience), appActor)
              : Effect.fail(refused)
          )
        )

      const present = Effect.gen(function* () {
        const { cookies, headers } = yield* HttpServerRequest.HttpServerRequest
        const bearer = headers["authorization"]?.slice("Bearer ".length)
        if (bearer !== undefined) return yield* Effect.option(authenticate(Redacted.make(bearer), "v1"))
        const found = yield* members.seated(cookies[sessionCookie] ?? "", headers["carillon-workspace"] ?? "")
        return Option.map(
          Option.flatMap(found, ({ workspace }) => workspace),
          memberActor
        )
      })

      return Admission.of({
        present,
        bearer: Effect.fnUntraced(function* (token, audience, read) {
          const actor = yield* limits.guard(Redacted.value(token), authenticate(token, audience))
          const request = yield* read
          yield* limits.count(actor, request.method)
          return { actor, request }
        }),
        member: Effect.fnUntraced(function* (named) {
          const request = yield* HttpServerRequest.HttpServerRequest
          const foreign = foreignness(request, origin)
          if (foreign !== null) {
            return yield* problem(
              "foreign_request",
              `${foreign}; a member's session works only on pages of ${origin}. Elsewhere, use an API key.`
            )
          }
          const token = request.cookies[sessionCookie] ?? ""
          const seated = Effect.flatMap(members.seated(token, named), Effect.fromOption).pipe(
            Effect.mapError(signedOut)
          )
          const { member, workspace } = yield* limits.guard(token, seated)
          if (Option.isNone(workspace)) {
            return yield* problem(
              "workspace_not_found",
              `${member.name} has no workspace ${JSON.stringify(named.slice(0, 100))}; the header Carillon-Workspace names one of theirs.`
            )
          }
          const actor = memberActor(workspace.value)
          yield* limits.count(actor, request.method)
          return { actor, passwordGiven: members.passwordGiven(token) }
        })
      })
    })
  ).pipe(Layer.provide(RateLimit.layer))
}

/** The form of the authorization server's tokens; anything else is not looked up. */
const tokenForm = /^[A-Za-z0-9_-]{43}$/

const none = { key_id: null, key_name: null, member: null, grant: null }

/** A key never asks for an approval: of a member whose posts wait for one it reads. */
const keyActor =
  (defaultWorkspace: WorkspaceId) =>
  (key: AcceptedKey): Actor => {
    const { created_by: member_id, member_role: role, timezone, workspace_id } = key
    const maker = {
      role: role === null ? "owner" : roles[role].held ? "reader" : role,
      social_accounts: key.member_accounts
    } as const
    return {
      ...none,
      workspace_id,
      timezone,
      member_id,
      ...within(maker, key),
      instance: workspace_id === defaultWorkspace && (role === null || roles[role].instance),
      key_id: key.id,
      key_name: key.name
    }
  }

const appActor = (token: Token): Actor => {
  const { grant_id: id, connection, client_name: app, asked_scopes: asked, member_role: role } = token
  const carried = new Set<string>(token.token_scope?.split(" "))
  const scopes = token.scopes.filter((scope) => carried.has(scope))
  const needs_approval = token.needs_approval || roles[role].held
  return {
    ...none,
    workspace_id: token.workspace_id,
    timezone: token.timezone,
    member_id: token.member_id,
    ...within(
      { role, social_accounts: token.member_accounts },
      { scopes, social_accounts: token.social_accounts }
    ),
    instance: false,
    grant: { id, connection, app, needs_approval, asked }
  }
}

/** A signed-in member in one of their workspaces. */
export const memberActor = ({ id, timezone, member, role, social_accounts }: MemberWorkspace): Actor => ({
  ...none,
  workspace_id: id,
  timezone,
  member_id: member.id,
  scopes: roles[role].scopes,
  instance: roles[role].instance,
  social_accounts,
  member: { id: member.id, name: member.name, role }
})

/**
 * The reason why a request is not one of our pages'; null: it may be. On plain http at a name other than localhost a
 * browser says nothing of where a GET comes from: there the header that names the workspace is the proof, which another
 * origin cannot send without our leave.
 */
const foreignness = (
  { headers, method }: HttpServerRequest.HttpServerRequest,
  own: string
): string | null => {
  const { origin, "sec-fetch-site": site } = headers
  if (site !== undefined && site !== "same-origin") return `The browser calls this request ${brief(site)}`
  if (origin !== undefined && origin !== own) return `This request comes from ${brief(origin)}`
  return origin === undefined && site === undefined && method !== "GET" && method !== "HEAD"
    ? `This ${method} does not say where it comes from`
    : null
}

const brief = (text: string) => JSON.stringify(text.slice(0, 100))
