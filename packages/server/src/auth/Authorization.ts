import {
  Authorization,
  CurrentActor,
  hasScope,
  MembersOnly,
  NeededScope,
  NeedsPassword,
  OfInstance,
  passwordCountsForMinutes,
  problem
} from "@carillon/domain"
import { Context, Effect, identity, Layer, Option, Redacted } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { AppConfig } from "../AppConfig.ts"
import { Idempotency } from "../http/Idempotency.ts"
import { withinJsonBounds, withLargeBody } from "../http/JsonBody.ts"
import { problemResponse } from "../http/Problems.ts"
import { sitePages } from "../http/SitePages.ts"
import { Admission } from "./Admission.ts"
import { challengeOf } from "./Challenge.ts"
import { missingScope } from "./MissingScope.ts"

/** The workspace that a member's request names; undefined: it is not a member's. A bearer of any kind goes first. */
const namedWorkspace = ({ headers }: HttpServerRequest.HttpServerRequest): string | undefined =>
  headers["authorization"] === undefined ? headers["carillon-workspace"] : undefined

/**
 * Turns a bearer credential, or the session of a member, into `CurrentActor`, within the limits and with the scope of the endpoint. The rest of the
 * request happens once for each Idempotency-Key: every authorized endpoint has that too.
 */
export const AuthorizationLayer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const admission = yield* Admission
    const idempotency = yield* Idempotency
    const config = yield* AppConfig
    return Authorization.of({
      bearer: Effect.fnUntraced(
        function* (httpEffect, { credential, endpoint }) {
          const request = yield* HttpServerRequest.HttpServerRequest
          const workspace = Redacted.value(credential) === "" ? namedWorkspace(request) : undefined
          const admitted =
            workspace === undefined
              ? yield* admission.bearer(credential, "v1", Effect.succeed(endpoint))
              : yield* admission.member(workspace)
          const { actor } = admitted
          // Before the scope: no scope would help a key or an app.
          const membersOnly = Context.getOption(endpoint.annotations, MembersOnly)
          if (actor.member === null && Option.isSome(membersOnly)) {
            const code = membersOnly.value
            const what = code === "approval_by_person" ? "decides about a post" : "may do this"
            const page = code === "approval_by_person" ? sitePages.approvals : sitePages.account
            return yield* problem(
              code,
              `Only a signed-in person ${what}, at ${config.publicUrl}${page.path}; no API key and no app can, whatever its scopes. Ask them to.`
            )
          }
          const needed = Context.getUnsafe(endpoint.annotations, NeededScope)
          if (!hasScope(actor.scopes, needed)) {
            return yield* missingScope(actor, needed, config.publicUrl)
          }
          if (!actor.instance && Option.isSome(Context.getOption(endpoint.annotations, OfInstance))) {
            return yield* actor.member === null
              ? problem(
                  "default_workspace_only",
                  "This concerns the whole instance. An owner does it, or an admin key of the default workspace that no manager made; this key is another one."
                )
              : problem(
                  "owner_only",
                  `This concerns the whole instance, and ${actor.member.name} is a ${actor.member.role} of this workspace. Ask an owner of the instance to do it.`
                )
          }
          if (
            "passwordGiven" in admitted &&
            Option.isSome(Context.getOption(endpoint.annotations, NeedsPassword)) &&
            !(yield* admitted.passwordGiven)
          ) {
            return yield* problem(
              "confirm_password",
              `This needs a password confirmed in the last ${passwordCountsForMinutes} minutes. PUT the password to /v1/session/confirmation, then send the request again.`
            )
          }
          const isJson = endpoint.payload.size > 0 && /json|^$/.test(request.headers["content-type"] ?? "")
          const schemas = [...endpoint.payload.values()].flatMap(({ schemas }) => schemas)
          return yield* idempotency
            .once(httpEffect, { actor, endpoint })
            .pipe(
              isJson
                ? Effect.provideServiceEffect(HttpServerRequest.HttpServerRequest, withinJsonBounds(schemas))
                : identity,
              Effect.provideService(CurrentActor, actor),
              withLargeBody
            )
        },
        (authorized, _, { credential }) =>
          Effect.catchTag(authorized, "Unauthorized", (failure) =>
            Effect.map(
              Effect.provideService(problemResponse(failure), AppConfig, config),
              HttpServerResponse.setHeader(
                "www-authenticate",
                challengeOf(config, "v1", Redacted.value(credential))
              )
            )
          )
      )
    })
  })
)
