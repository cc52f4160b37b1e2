import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { Arrived, Refused } from "../Exchange.ts"
import type { Grant, Issuer, TokenProblem, Tokens } from "./Tokens.ts"

/** A network's words about the token of a call. */
export interface BearerDialect {
  readonly platform: Issuer
  readonly invalid: (problem: TokenProblem) => Refused
  /** The refusal of a call without the scopes that it needs. */
  readonly outOfScope?: (missing: ReadonlyArray<string>) => Refused
  /** Whether the token is one of this API, where a platform has two. */
  readonly owns?: (grant: Grant) => boolean
}

/** Scopes that a call needs, all of them; of a list within, one. */
export type NeededScopes = ReadonlyArray<string | ReadonlyArray<string>>

export const bearerOf = ({ headers }: HttpServerRequest.HttpServerRequest, scheme = "Bearer") =>
  new RegExp(`^${scheme} +(\\S+)$`, "i").exec(headers.authorization ?? "")?.[1]

/** The account of a call, and whether the person has granted the scopes that it needs. */
export const authorization = (
  { platform, invalid, outOfScope = () => invalid("unknown"), owns = () => true }: BearerDialect,
  tokens: Tokens["Service"]
) =>
  Effect.fnUntraced(function* (
    { request, seen }: Arrived,
    { scopes = [] }: { readonly scopes?: NeededScopes },
    token: string = bearerOf(request) ?? ""
  ) {
    const { grant } = yield* Effect.mapError(tokens.find(platform, "access", token), invalid)
    seen.account = grant.account
    seen.platform = grant.platform
    const missing = scopes.filter((scope) => ![scope].flat().some((one) => grant.scopes.includes(one)))
    if (!owns(grant)) return yield* invalid("unknown")
    if (missing.length > 0) return yield* outOfScope(missing.flat())
    return { account: grant.account, grant, token, expireToken: () => tokens.end(token) }
  })
