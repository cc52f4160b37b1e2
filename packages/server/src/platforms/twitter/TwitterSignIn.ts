import { type AccountLimits, xSubscriberLimits } from "@carillon/domain"
import { DateTime, Effect, Redacted, Schema } from "effect"
import { HttpBody } from "effect/http"
import { createHash } from "node:crypto"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { requireScopes } from "../GrantedScopes.ts"
import { type ConnectedAccount, type Credentials, type Platform, PublishError } from "../Platform.ts"
import { shortAnswer } from "../PlatformHttp.ts"
import { decodeCredentials } from "../StoredCredentials.ts"
import type { PaidCall } from "./Spending.ts"
import { refuse, refuseTokens, statusBeside, statusIn } from "./TwitterErrors.ts"
import type { TwitterHttp } from "./TwitterHttp.ts"

const scopes = ["tweet.read", "tweet.write", "users.read", "media.write", "offline.access"]

const Stored = Schema.Struct({ access_token: Schema.String, refresh_token: Schema.String })
const Tokens = Schema.Struct({
  ...Stored.fields,
  /** Seconds. */
  expires_in: Schema.Finite,
  scope: Schema.optionalKey(Schema.String)
})

const text = Schema.optionalKey(Schema.NullOr(Schema.String))
const Me = Schema.Union([
  Schema.Struct({
    data: Schema.Struct({
      id: Schema.String,
      username: Schema.String,
      name: text,
      profile_image_url: text,
      subscription_type: text
    })
  }),
  // Errors may stand alone beside status 200.
  Schema.Struct({ errors: Schema.Array(Schema.Unknown) })
])

export const decodeStored = decodeCredentials(Stored, "X")

/** "Basic, Premium, PremiumPlus or None" */
const limitsOf = (subscription: string | null | undefined): AccountLimits =>
  ["", "none"].includes((subscription ?? "").toLowerCase()) ? {} : xSubscriberLimits

/** How accounts are connected, their tokens renewed and taken back: https://docs.x.com/fundamentals/authentication/oauth-2-0. */
export const twitterSignIn = (
  call: TwitterHttp,
  app: ConnectedApp
): Required<Pick<Platform, "oauth" | "revocation" | "refresh" | "limits">> => {
  const api = `${app.at("api.x.com")}/2`
  const secret = Redacted.value(app.secret)
  const basic = Buffer.from(`${app.id}:${secret}`).toString("base64")

  const form = (path: string, fields: Readonly<Record<string, string>>) => ({
    method: "POST" as const,
    url: `${api}/oauth2/${path}`,
    headers: { authorization: `Basic ${basic}` },
    body: HttpBody.urlParams(fields),
    secrets: [secret, basic, ...Object.values(fields)],
    maxAnswerBytes: shortAnswer,
    refuse: refuseTokens
  })

  const tokens = Effect.fnUntraced(function* (fields: Readonly<Record<string, string>>) {
    const { expires_in, scope, ...stored } = yield* call({
      ...form("token", fields),
      has_tokens: true,
      answer: Tokens
    })
    return {
      access_token: stored.access_token,
      credentials: Redacted.make({ ...stored }) as Credentials,
      // Left out, it is what was asked for.
      granted: scope?.split(/\s+/) ?? scopes,
      token_expires_at: DateTime.add(yield* DateTime.now, { seconds: expires_in })
    }
  })

  const me = Effect.fnUntraced(function* (bearer: string, paid: Pick<PaidCall, "beyond"> = {}) {
    const answer = yield* call({
      method: "GET",
      url: `${api}/users/me`,
      query: { "user.fields": "username,name,profile_image_url,subscription_type" },
      bearer,
      price: { call: "user_read", count: 1, ...paid },
      statusIn,
      maxAnswerBytes: shortAnswer,
      answer: Me,
      refuse
    })
    return "data" in answer
      ? answer.data
      : yield* new PublishError(refuse({ status: statusBeside(answer), body: answer }))
  })

  return {
    oauth: {
      logins: ["twitter"],
      authorizeUrl: ({ code_verifier, redirect_uri, state }) =>
        `${app.at("x.com")}/i/oauth2/authorize?${new URLSearchParams({
          response_type: "code",
          client_id: app.id,
          redirect_uri,
          scope: scopes.join(" "),
          state,
          code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
          code_challenge_method: "S256"
        })}`,
      exchange: Effect.fn("Twitter.exchange")(function* ({ code, code_verifier, redirect_uri }) {
        // The code lives for 30 seconds, so nothing comes before this.
        const { access_token, credentials, granted, token_expires_at } = yield* tokens({
          grant_type: "authorization_code",
          code,
          redirect_uri,
          code_verifier
        })
        yield* requireScopes(scopes, granted)
        // A person waits for it.
        const { id, name, profile_image_url, subscription_type, username } = yield* me(access_token, {
          beyond: true
        })
        const account: ConnectedAccount = {
          remote_id: id,
          username,
          display_name: name ?? null,
          avatar_url: profile_image_url ?? null,
          credentials,
          token_expires_at,
          limits: limitsOf(subscription_type)
        }
        return [account]
      })
    },

    revocation: {
      // X does not say whether another connection of the same person has a grant of its own.
      shared: (one, other) => one.remote_id === other.remote_id,
      revoke: Effect.fn("Twitter.revoke")(function* (stored) {
        const { access_token, refresh_token } = yield* decodeStored(stored)
        for (const token of [refresh_token, access_token]) {
          yield* call({
            ...form("revoke", { token }),
            format: "whole",
            answer: Schema.Struct({ status: Schema.Int })
          }).pipe(
            // With one of the two the other may be gone.
            Effect.catchIf(
              ({ code }) => code === "invalid_grant",
              () => Effect.void
            )
          )
        }
        return "revoked" as const
      })
    },

    limits: Effect.fn("Twitter.limits")(function* (stored) {
      const { access_token } = yield* decodeStored(stored)
      return limitsOf((yield* me(access_token)).subscription_type)
    }),

    refresh: Effect.fn("Twitter.refresh")(function* (stored) {
      const { refresh_token } = yield* decodeStored(stored)
      const { credentials, token_expires_at } = yield* tokens({ grant_type: "refresh_token", refresh_token })
      return { credentials, token_expires_at }
    })
  }
}
