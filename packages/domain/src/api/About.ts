import { Context, Option } from "effect"
import { OpenApi } from "effect/http-api"
import type { ProblemCode } from "../Problems.ts"
import type { Scope } from "../Scopes.ts"
import { MembersOnly, NeededScope, NeedsPassword, OfInstance } from "./Authorization.ts"
import { PostEffect } from "./Idempotency.ts"
import { PossibleCodes } from "./PossibleCodes.ts"

interface About {
  /** Absent only where the endpoint is not behind `Authorization`. */
  readonly scope?: Scope
  /** A member has to have given the password just before. */
  readonly password?: true
  /** Only a signed-in member is answered; everybody else gets this. */
  readonly membersOnly?: (typeof MembersOnly)["Service"]
  /** It concerns the whole instance, and not one workspace. */
  readonly instance?: true
  /** The codes of the endpoint's own rules. */
  readonly codes: ReadonlyArray<ProblemCode>
  /** Of a POST; `database` unless it is given. */
  readonly effect?: (typeof PostEffect)["Service"]
  readonly summary: string
  readonly description?: string
}

/** Everything that an endpoint says of itself beside its schemas, for `annotateMerge`. */
export const about = ({ scope, password, membersOnly, instance, codes, effect, ...reference }: About) =>
  OpenApi.annotations(reference).pipe(
    Context.add(PossibleCodes, instance ? [...codes, "default_workspace_only", "owner_only"] : codes),
    Context.addOrOmit(NeededScope, Option.fromUndefinedOr(scope)),
    Context.addOrOmit(NeedsPassword, Option.fromUndefinedOr(password)),
    Context.addOrOmit(MembersOnly, Option.fromUndefinedOr(membersOnly)),
    Context.addOrOmit(OfInstance, Option.fromUndefinedOr(instance)),
    Context.addOrOmit(PostEffect, Option.fromUndefinedOr(effect))
  )
