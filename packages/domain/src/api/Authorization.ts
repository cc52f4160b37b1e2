import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import type { ApiKeyId, WorkspaceId } from "../Ids.ts"
import { BadRequest, Forbidden, TooManyRequests, Unauthorized } from "../Problems.ts"
import type { Scope } from "../Profile.ts"

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
    /** null: the bootstrap key, or a connected app. */
    readonly key_id: ApiKeyId | null
    /** A person's grant to a connected app; null: an API key. */
    readonly grant: {
      readonly id: string
      /** The app's name. */
      readonly app: string
      /** Posts of the app stay drafts until a person approves them. */
      readonly needs_approval: boolean
      /** All scopes that the app asked for; the person refused those that are missing in `scopes`. */
      readonly asked: ReadonlyArray<Scope>
    } | null
    readonly scopes: ReadonlyArray<Scope>
    /** null: every account of the workspace. */
    readonly social_accounts: ReadonlyArray<number> | null
  }
>()("@carillon/domain/api/CurrentActor") {}

/** One name for each credential of a workspace; limits and Idempotency-Keys belong to it. */
export const credentialOf = ({ grant, key_id }: CurrentActor["Service"]): string =>
  grant?.id ?? key_id ?? "bootstrap"

/** The scope that an endpoint needs, as its annotation. Every endpoint behind `Authorization` has one. */
export class NeededScope extends Context.Service<NeededScope, Scope>()("@carillon/domain/api/NeededScope") {}

/** `Authorization: Bearer <API key or access token>`. */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: CurrentActor }>()(
  "@carillon/domain/api/Authorization",
  {
    error: [BadRequest, Unauthorized, Forbidden, TooManyRequests],
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
