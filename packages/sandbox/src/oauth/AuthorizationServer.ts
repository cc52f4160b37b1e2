import { Clock, Effect, type Schema } from "effect"
import type { HttpRouter, HttpServerError } from "effect/http"
import { createHash } from "node:crypto"
import { type Arrived, type Dialect, Exchange, Granted, Refused } from "../Exchange.ts"
import type { Fault } from "../Faults.ts"
import { parametersOf } from "../Parameters.ts"
import type { PlatformId } from "../Platforms.ts"
import { type Consent, consentRoutes } from "./ConsentPage.ts"
import { type Grant, type IssuedTokens, type Lifetimes, type TokenProblem, Tokens } from "./Tokens.ts"

/** An OAuth 2 server as one network runs it. The flow is the same for all; a network is what is here. */
export interface AuthorizationServer extends Consent {
  readonly consent: ReadonlyArray<HttpRouter.PathInput>
  readonly endpoints: ReadonlyArray<TokenEndpoint>
  readonly revocation?: Revocation
  /** The bodies that its endpoints take: `form`, by default, as the standard says, or `any`, JSON too. */
  readonly body?: "form" | "any"
  /** Two servers of one platform: whether the grant is of this one. */
  readonly owns?: (grant: Grant) => boolean
}

/** A place that gives tokens. */
export interface TokenEndpoint {
  readonly method: "GET" | "POST"
  readonly path: HttpRouter.PathInput
  /** The bodies of its refusals. */
  readonly errors: Dialect
  /** How the app says who it is. `secret`: by its secret alone. */
  readonly client: "basic" | "parameters" | "secret" | "none"
  readonly isSecret?: (secret: string, clientId: string) => boolean
  /** By `grant_type`. */
  readonly grants: { readonly [grantType: string]: GrantType }
  readonly refusal?: (reason: RefusalReason, problem: TokenProblem | null) => Refused
  readonly answer?: (issued: Issued) => Schema.Json
  /** Whether the grant comes with a refresh token, where that is up to the app. */
  readonly isOffline?: (grant: Grant) => boolean
}

/** The grant that is exchanged for tokens, and their lifetimes. */
export type GrantType =
  | ({ readonly by: "code" } & Lifetimes)
  | ({
      readonly by: "token"
      readonly kind: "access" | "refresh"
      /** The parameter that holds it. */
      readonly parameter: string
      /** The token that was given is dead at once. */
      readonly rotates?: boolean
      /** The token that was given stays good for the rest of its time, and is in the answer again. */
      readonly repeats?: boolean
      readonly objection?: (grant: Grant, ageSeconds: number) => Refused | undefined
    } & Lifetimes)
  /** A token of the app alone, which opens nothing here. */
  | {
      readonly by: "app"
      readonly answer: (clientId: string) => Schema.Json
      /** The name whose script such a call takes: it is of no account. */
      readonly account?: string
    }

/** A code gives tokens, and each refresh token gives the next ones and ends with that. */
export const codeThenRotation = (lifetimes: Lifetimes) =>
  ({
    authorization_code: { by: "code", ...lifetimes },
    refresh_token: {
      by: "token",
      kind: "refresh",
      parameter: "refresh_token",
      rotates: true,
      ...lifetimes
    }
  }) as const satisfies TokenEndpoint["grants"]

export interface Revocation {
  readonly path: HttpRouter.PathInput
  readonly errors: Dialect
  readonly of: ReadonlyArray<"access" | "refresh">
  /** `grant`: all that the account has allowed the app. */
  readonly ends: "token" | "grant"
  readonly client: TokenEndpoint["client"]
  readonly isSecret?: TokenEndpoint["isSecret"]
  readonly refusal?: TokenEndpoint["refusal"]
  /** A token that is good no more is refused; without it that is no error (RFC 7009 section 2.2). */
  readonly unknown?: Refused
  readonly answer: Schema.Json | undefined
}

export interface Issued extends IssuedTokens {
  readonly grant: Grant
  readonly grant_type: string
  /** Seconds; null: it never ends. */
  readonly expires_in: number | null
  readonly refresh_expires_in: number | null
  /** Unix time in seconds. */
  readonly now: number
  readonly account_id: string
}

export type RefusalReason =
  | "client_id"
  | "client_secret"
  | "grant_type"
  | "code"
  | "redirect_uri"
  | "code_verifier"
  | "other_app"
  | "token"

/** In the words of RFC 6749 section 5.2. */
const standard: Readonly<Record<RefusalReason, readonly [code: string, message: string]>> = {
  client_id: ["invalid_client", "The OAuth client was not found."],
  client_secret: ["invalid_client", "The provided client secret is invalid."],
  grant_type: ["unsupported_grant_type", "The grant type is not supported."],
  code: ["invalid_grant", "The authorization code is invalid, was used or has run out."],
  redirect_uri: ["invalid_grant", "The redirect_uri is not that of the authorization request."],
  code_verifier: ["invalid_grant", "Invalid code verifier."],
  other_app: ["invalid_grant", "The grant was given to another app."],
  token: ["invalid_grant", "The token is invalid, expired or revoked."]
}

/** The standard's refusals, and where the network's own differ: another status, code or message. */
export const refusals =
  (own: (reason: RefusalReason) => { status?: number; code?: string; message?: string } | undefined) =>
  (reason: RefusalReason): Refused => {
    const [code, message] = standard[reason]
    return new Refused({ status: 400, code, message, ...own(reason) })
  }

/** `{ error, error_description }`, also of refusals by script. */
export const standardErrors = (platform: PlatformId): Dialect => ({
  platform,
  errorBody: (error, error_description) => ({ error, error_description }),
  words: {
    forbidden: { status: 403, code: "access_denied" },
    unauthorized: { status: 400, code: "invalid_grant" },
    rate_limited: { status: 429, code: "rate_limit_exceeded" },
    server_error: { status: 500, code: "server_error" }
  }
})

const standardAnswer = ({ access_token, refresh_token, expires_in, grant }: Issued): Schema.Json => ({
  access_token,
  token_type: "Bearer",
  ...(expires_in === null ? {} : { expires_in }),
  ...(refresh_token === null ? {} : { refresh_token }),
  scope: grant.scopes.join(" ")
})

/** The secret of every app, `sandbox` with or without an ending, unless the network says otherwise. */
const isAppSecret = (secret: string) => /^sandbox\b/.test(secret)

/** The routes of the server: its consent page, its token endpoints and its revocation. */
export const authorizationRoutes = Effect.fnUntraced(function* (server: AuthorizationServer) {
  const tokens = yield* Tokens
  const exchange = yield* Exchange
  const { platform, clientParameter = "client_id", owns = () => true } = server
  const about = ({ seen }: Arrived, { account, platform }: Grant) =>
    Object.assign(seen, { account, platform })

  /** The parameters, and the id of the app, which is null where it does not say it. */
  const read = Effect.fnUntraced(function* (
    { query, request }: Arrived,
    { client, isSecret = isAppSecret, refusal = refusals(() => undefined) }: TokenEndpoint | Revocation
  ): Effect.fn.Return<
    { readonly field: (name: string) => string; readonly clientId: string | null },
    Refused | HttpServerError.HttpServerError
  > {
    const given = new URLSearchParams(query)
    if (/^application\/x-www-form-urlencoded\b/.test(request.headers["content-type"] ?? "")) {
      for (const [name, value] of new URLSearchParams(yield* request.text)) given.set(name, value)
    } else if (server.body === "any" && request.method === "POST") {
      for (const [name, value] of Object.entries((yield* parametersOf(request)) ?? {}))
        if (typeof value === "string") given.set(name, value)
    }
    const field = (name: string) => given.get(name) ?? ""
    if (client === "none") return { field, clientId: null }
    const [id, secret] =
      client === "basic"
        ? basicOf(request.headers.authorization ?? "")
        : [field(clientParameter), field("client_secret")]
    if (client !== "secret" && id === "") return yield* refusal("client_id", null)
    if (!isSecret(secret, id)) return yield* refusal("client_secret", null)
    return { field, clientId: client === "secret" ? null : id }
  })

  const tokenRoute = (endpoint: TokenEndpoint) => {
    const { refusal = refusals(() => undefined), answer = standardAnswer, isOffline = () => true } = endpoint

    const issue = Effect.fnUntraced(function* (
      grant: Grant,
      grant_type: string,
      lifetimes: Lifetimes,
      repeated: string | null
    ) {
      const issued = yield* tokens.issue(
        grant,
        repeated === null ? lifetimes : { access: lifetimes.access, refresh: null }
      )
      return answer({
        ...issued,
        ...(repeated === null ? {} : { refresh_token: repeated }),
        grant,
        grant_type,
        expires_in: lifetimes.access,
        refresh_expires_in: lifetimes.refresh,
        now: Math.floor((yield* Clock.currentTimeMillis) / 1000),
        account_id: tokens.accountId(grant.platform, grant.account)
      })
    })

    return exchange.endpoints({ dialect: endpoint.errors })(endpoint.method, endpoint.path, {
      operation: "session",
      read: (
        call
      ): Effect.Effect<
        (fault: Fault | undefined) => Effect.Effect<Schema.Json>,
        Refused | HttpServerError.HttpServerError
      > =>
        Effect.gen(function* () {
          const { field, clientId } = yield* read(call, endpoint)
          const grantType = field("grant_type")
          const rule = endpoint.grants[grantType]
          const ofThisApp = (grant: Grant) =>
            clientId === null || grant.client_id === clientId ? Effect.void : refusal("other_app", null)
          const given = (
            grant: Grant,
            { access, refresh }: Lifetimes,
            { spent, repeated = null }: { readonly spent?: string; readonly repeated?: string | null } = {}
          ) => {
            about(call, grant)
            return (fault: Fault | undefined) =>
              Effect.suspend(() => {
                if (spent !== undefined) tokens.end(spent)
                const lifetimes = {
                  access: fault?.fault === "short_lived" ? fault.seconds : access,
                  refresh: isOffline(grant) ? refresh : null
                }
                return issue(grant, grantType, lifetimes, repeated)
              })
          }
          switch (rule?.by) {
            case undefined:
              return yield* refusal("grant_type", null)
            case "app":
              call.seen.account = rule.account ?? null
              return () => Effect.succeed(rule.answer(clientId ?? ""))
            case "code": {
              const { grant, binding } = yield* tokens
                .redeem(platform, field("code"))
                .pipe(Effect.mapError((problem) => refusal("code", problem)))
              if (binding.redirect_uri !== field("redirect_uri")) return yield* refusal("redirect_uri", null)
              yield* ofThisApp(grant)
              const { code_challenge } = binding
              return code_challenge === null || code_challenge === challengeOf(field("code_verifier"))
                ? given(grant, rule)
                : yield* refusal("code_verifier", null)
            }
            case "token": {
              const token = field(rule.parameter)
              const { grant, issued_at } = yield* tokens.find(platform, rule.kind, token).pipe(
                Effect.filterOrFail(
                  ({ grant }) => owns(grant),
                  () => "unknown" as const
                ),
                Effect.mapError((problem) => refusal("token", problem))
              )
              yield* ofThisApp(grant)
              const age = ((yield* Clock.currentTimeMillis) - issued_at) / 1000
              const objection = rule.objection?.(grant, age)
              if (objection !== undefined) return yield* objection
              if (rule.rotates === true) return given(grant, rule, { spent: token })
              if (rule.repeats !== true || rule.refresh === null) return given(grant, rule)
              const left = { access: rule.access, refresh: Math.round(rule.refresh - age) }
              return given(grant, left, { repeated: token })
            }
          }
        }),
      answer: ({ fault }, give) => give(fault)
    })
  }

  const revocationRoute = (revocation: Revocation) =>
    exchange.endpoints({ dialect: revocation.errors })("POST", revocation.path, {
      operation: "revoke",
      read: (call) =>
        Effect.gen(function* () {
          const { field, clientId } = yield* read(call, revocation)
          const token = field("token")
          const found = yield* Effect.firstSuccessOf(
            revocation.of.map((kind) => tokens.find(platform, kind, token))
          ).pipe(Effect.orElseSucceed(() => null))
          if (found === null && revocation.unknown !== undefined) return yield* revocation.unknown
          if (found !== null && clientId !== null && found.grant.client_id !== clientId) {
            return yield* (revocation.refusal ?? refusals(() => undefined))("other_app", null)
          }
          if (found !== null) about(call, found.grant)
          return { grant: found?.grant, token }
        }),
      answer: (_call, { grant, token }) => {
        if (grant !== undefined && revocation.ends === "grant") tokens.withdraw(grant)
        if (grant !== undefined && revocation.ends === "token") tokens.end(token)
        return new Granted({ body: revocation.answer })
      }
    })

  return [
    ...server.consent.flatMap((path) => consentRoutes(path, server, tokens)),
    ...server.endpoints.map(tokenRoute),
    ...(server.revocation === undefined ? [] : [revocationRoute(server.revocation)])
  ]
})

const challengeOf = (verifier: string) => createHash("sha256").update(verifier).digest("base64url")

const basicOf = (authorization: string): readonly [id: string, secret: string] => {
  const encoded = /^Basic +(\S+)$/i.exec(authorization)?.[1] ?? ""
  const [id = "", secret = ""] = Buffer.from(encoded, "base64").toString("utf8").split(":", 2)
  return [id, secret]
}
