import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import type { ApiKeyId, WorkspaceId } from "../Ids.ts"
import { BadRequest, Forbidden, NotFound, TooManyRequests, Unauthorized } from "../Problems.ts"
import type { CreatedBy } from "../CreatedBy.ts"
import type { Scope } from "../Scopes.ts"
import type { Access } from "../Access.ts"
import type { Role } from "../Roles.ts"

/**
 * The actor of a request: one credential of one workspace.
 *
 * @effect-leakable-service
 */
export class CurrentActor extends Context.Service<
  CurrentActor,
  {
    readonly workspace_id: WorkspaceId
    /** The profile's time zone, for times that name none. */
    readonly timezone: string
    /** null: the bootstrap key, a connected app, or a member. */
    readonly key_id: ApiKeyId | null
    /** The key's name; null: no key, or the bootstrap key. */
    readonly key_name: string | null
    /** A member who is signed in, at the pages or under `/v1`, with the role in this workspace; null: a key or an app. */
    readonly member: { readonly id: string; readonly name: string; readonly role: Role } | null
    /** A person's grant to a connected app; null: a key or a member. */
    readonly grant: {
      readonly id: string
      /** The same for every grant of this person to this app. */
      readonly connection: string
      /** The app's name. */
      readonly app: string
      /** Posts of the app stay drafts until a person approves them. */
      readonly needs_approval: boolean
      /** All scopes that the app asked for; the person refused those that are missing in `scopes`. */
      readonly asked: ReadonlyArray<Scope>
    } | null
    /** The member behind it: who is signed in, granted the app, or made the key; null: nobody is known. */
    readonly member_id: string | null
    readonly scopes: ReadonlyArray<Scope>
    /** Whether it may do what concerns the whole instance: an owner, or a key of the default workspace that no manager made. */
    readonly instance: boolean
    /** null: every account of the workspace. */
    readonly social_accounts: Access
  }
>()("@carillon/domain/api/CurrentActor") {}

/** One name for each credential of a workspace; limits and Idempotency-Keys belong to it. */
export const credentialOf = ({ grant, key_id, member }: CurrentActor["Service"]): string =>
  member === null ? (grant?.id ?? key_id ?? "bootstrap") : `member:${member.id}`

/** The maker of what a request makes. */
export const creatorOf = ({ grant, key_name, member }: CurrentActor["Service"]): CreatedBy =>
  member !== null
    ? { type: "member", name: member.name }
    : grant !== null
      ? { type: "app", name: grant.app }
      : { type: "key", name: key_name }

/** The scope that an endpoint needs, as its annotation. Every endpoint behind `Authorization` has one. */
export class NeededScope extends Context.Service<NeededScope, Scope>()("@carillon/domain/api/NeededScope") {}

/**
 * The mark of an endpoint that shows a secret or cannot be undone: a member needs a password that was given in the last
 * `passwordCountsFor` minutes.
 */
export class NeedsPassword extends Context.Service<NeedsPassword, true>()(
  "@carillon/domain/api/NeedsPassword"
) {}

/** The mark of an endpoint that only a signed-in member may call, whatever the scopes of a key or an app: how those are refused. */
export class MembersOnly extends Context.Service<MembersOnly, "approval_by_person" | "person_only">()(
  "@carillon/domain/api/MembersOnly"
) {}

/** The mark of an endpoint that concerns the whole instance: owners and keys of the default workspace are answered. */
export class OfInstance extends Context.Service<OfInstance, true>()("@carillon/domain/api/OfInstance") {}

export const passwordCountsForMinutes = 15

/**
 * `Authorization: Bearer <API key or access token>`; without that header, the session of a member at a page of the service
 * itself.
 */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentActor }>()(
  "@carillon/domain/api/Authorization",
  {
    error: [BadRequest, Unauthorized, Forbidden, NotFound, TooManyRequests],
    security: {
      bearer: HttpApiSecurity.bearer.pipe(
        HttpApiSecurity.annotate(
          OpenApi.Description,
          "An API key: `Authorization: Bearer crl_…`, or an access token that this service issued for `/v1`."
        )
      )
    }
  }
) {}
