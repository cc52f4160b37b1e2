import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { Journal } from "../Journal.ts"
import { PlatformId } from "../Platforms.ts"
import { sha256 } from "../Redaction.ts"

/** A person's grant to an app on a consent page. */
export const Grant = Schema.Struct({
  platform: PlatformId,
  /** The username. */
  account: Schema.String,
  client_id: Schema.String,
  scopes: Schema.Array(Schema.String)
})
export interface Grant extends Schema.Schema.Type<typeof Grant> {}

/** The values that a code is bound to besides the grant. */
export interface CodeBinding {
  readonly redirect_uri: string
  /** As the app sent it; null: without PKCE. */
  readonly code_challenge: string | null
}

/** Seconds. `access` null: it never ends; `refresh` null: the platform gives no refresh token. */
export interface Lifetimes {
  readonly access: number | null
  readonly refresh: number | null
}

export interface IssuedTokens {
  readonly access_token: string
  readonly refresh_token: string | null
}

/** Whose grants: a platform's, or those of several that share one sign-in and tell theirs by the scopes. */
export type Issuer = PlatformId | ((scopes: ReadonlyArray<string>) => PlatformId)

export const platformFor = (issuer: Issuer, scopes: ReadonlyArray<string>): PlatformId =>
  typeof issuer === "string" ? issuer : issuer(scopes)

/** Why a token or code is refused. */
export type TokenProblem = "unknown" | "expired" | "used"

const StoredToken = Schema.Struct({
  sha256: Schema.String,
  kind: Schema.Literals(["code", "access", "refresh"]),
  grant: Grant,
  redirect_uri: Schema.NullOr(Schema.String),
  code_challenge: Schema.NullOr(Schema.String),
  /** Unix time in milliseconds. */
  issued_at: Schema.Int,
  /** Null: never. */
  expires_at: Schema.NullOr(Schema.Int)
})
type StoredToken = typeof StoredToken.Type

const TokenEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("issued"), token: StoredToken }),
  Schema.Struct({ type: Schema.Literal("ended"), sha256: Schema.String, used: Schema.Boolean }),
  Schema.Struct({ type: Schema.Literal("withdrawn"), grant: Grant }),
  Schema.Struct({ type: Schema.Literal("account_opened"), platform: PlatformId, account: Schema.String })
])
type TokenEvent = typeof TokenEvent.Type

/**
 * Codes and tokens of every platform that has a consent page. Each platform says how long they live and
 * whether a refresh token is used up by a refresh; only hashes are kept. Those of the rule (`tokenOfRule`) need no consent.
 */
export class Tokens extends Context.Service<
  Tokens,
  {
    /** A code that can be redeemed once, within so many seconds: ten minutes by default. */
    code(grant: Grant, binding: CodeBinding, seconds?: number): Effect.Effect<string>
    /** The grant of the code, and what it was bound to. The code is then used up, whatever the caller finds wrong. */
    redeem(
      issuer: Issuer,
      code: string
    ): Effect.Effect<{ readonly grant: Grant; readonly binding: CodeBinding }, TokenProblem>
    issue(grant: Grant, lifetimes: Lifetimes): Effect.Effect<IssuedTokens>
    /** The grant of a token that is valid now, and when it was issued and ends (Unix milliseconds; null: never). */
    find(
      issuer: Issuer,
      kind: "access" | "refresh",
      token: string
    ): Effect.Effect<Pick<StoredToken, "grant" | "issued_at" | "expires_at">, TokenProblem>
    /** The token stops working: rotated, revoked, or expired by script. */
    end(token: string): void
    /** Every token and code of the account's grants to the app stops working. */
    withdraw(grant: Grant): void
    /** A number above 2^53 as a string: the same for the same account as long as the ledger lives. That of `{platform}-demo` is known beforehand. */
    accountId(platform: PlatformId, account: string): string
  }
>()("@carillon/sandbox/oauth/Tokens") {
  static readonly layer = Layer.effect(
    Tokens,
    Effect.gen(function* () {
      const tokens = new Map<string, StoredToken & { ended?: "used" | "revoked" }>()
      const accounts = new Map<string, string>()

      const apply = (event: TokenEvent) => {
        switch (event.type) {
          case "issued":
            tokens.set(event.token.sha256, event.token)
            return
          case "ended": {
            const token = tokens.get(event.sha256)
            if (token !== undefined) {
              tokens.set(event.sha256, { ...token, ended: event.used ? "used" : "revoked" })
            }
            return
          }
          case "withdrawn":
            for (const [key, token] of tokens) {
              if (sameGrant(token.grant, event.grant)) tokens.set(key, { ended: "revoked", ...token })
            }
            return
          case "account_opened":
            accounts.set(
              `${event.platform}/${event.account}`,
              String(firstAccountId + BigInt(accounts.size) * 17n)
            )
        }
      }
      const happen = yield* (yield* Journal).stream("tokens", TokenEvent, apply)

      const give = Effect.fnUntraced(function* (
        kind: StoredToken["kind"],
        grant: Grant,
        seconds: number | null,
        binding: Partial<CodeBinding> = {}
      ) {
        // Whose call it is can be seen of an access token, as of those that people type. A dot has a meaning in some.
        const name = kind === "access" ? `${grant.account.replaceAll(".", "-")}~` : ""
        const token = name + randomBytes(32).toString("base64url")
        const now = yield* Clock.currentTimeMillis
        happen({
          type: "issued",
          token: {
            sha256: sha256(token),
            kind,
            grant,
            redirect_uri: binding.redirect_uri ?? null,
            code_challenge: binding.code_challenge ?? null,
            issued_at: now,
            expires_at: seconds === null ? null : now + seconds * 1000
          }
        })
        return token
      })

      /** A token of the rule is issued when it is first shown, and its sibling with it: whoever revokes one ends both. */
      const issueByRule = Effect.fnUntraced(function* (text: string) {
        const [, written] = tokenOfRule.exec(text) ?? []
        if (written === undefined || tokens.has(sha256(text))) return
        const grant = decodeGrant(Buffer.from(written, "base64url").toString("utf8"))
        if (Option.isNone(grant)) return
        const now = yield* Clock.currentTimeMillis
        for (const kind of ["access", "refresh"] as const)
          happen({
            type: "issued",
            token: {
              sha256: sha256(`demo-${kind}-${written}`),
              kind,
              grant: grant.value,
              redirect_uri: null,
              code_challenge: null,
              issued_at: now,
              expires_at: null
            }
          })
      })

      const look = Effect.fnUntraced(function* (issuer: Issuer, kind: StoredToken["kind"], text: string) {
        yield* issueByRule(text)
        const token = tokens.get(sha256(text))
        if (token?.kind !== kind || token.grant.platform !== platformFor(issuer, token.grant.scopes)) {
          return yield* Effect.fail("unknown" as const)
        }
        if (token.ended === "used") return yield* Effect.fail("used" as const)
        const over =
          token.ended === "revoked" || (token.expires_at ?? Infinity) <= (yield* Clock.currentTimeMillis)
        return over ? yield* Effect.fail("expired" as const) : token
      })

      const end = (token: string, used: boolean) => happen({ type: "ended", sha256: sha256(token), used })

      return Tokens.of({
        code: (grant, binding, seconds = 600) => give("code", grant, seconds, binding),
        redeem: Effect.fn("Tokens.redeem")(function* (issuer, code) {
          const { grant, redirect_uri, code_challenge } = yield* look(issuer, "code", code)
          end(code, true)
          return { grant, binding: { redirect_uri: redirect_uri ?? "", code_challenge } }
        }),
        issue: Effect.fn("Tokens.issue")(function* (grant, lifetimes) {
          return {
            access_token: yield* give("access", grant, lifetimes.access),
            refresh_token:
              lifetimes.refresh === null ? null : yield* give("refresh", grant, lifetimes.refresh)
          }
        }),
        find: look,
        end: (token) => end(token, false),
        withdraw: (grant) => happen({ type: "withdrawn", grant }),
        accountId: (platform, account) => {
          const key = `${platform}/${account}`
          if (account === `${platform}-demo` && !accounts.has(key)) return demoAccountId
          if (!accounts.has(key)) happen({ type: "account_opened", platform, account })
          return accounts.get(key)!
        }
      })
    })
  )
}

const sameGrant = (one: Grant, other: Grant) =>
  one.platform === other.platform && one.account === other.account && one.client_id === other.client_id

/** `demo-{access or refresh}-{grant}`: a good token of the grant, JSON in base64url, that nobody had to ask for. */
const tokenOfRule = /^demo-(?:access|refresh)-([\w-]+)$/
const decodeGrant = Schema.decodeUnknownOption(Schema.fromJsonString(Grant))

const firstAccountId = 17_841_400_000_000_001n
const demoAccountId = String(firstAccountId - 1n)
