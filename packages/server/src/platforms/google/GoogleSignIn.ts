import { DateTime, Effect, Redacted, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import { createHash } from "node:crypto"
import { type ConsentRequest, type Credentials, PublishError } from "../Platform.ts"
import { requireScopes } from "../GrantedScopes.ts"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { platformHttp, shortAnswer } from "../PlatformHttp.ts"
import { accessEnd } from "../AccessEnd.ts"
import { decodeCredentials } from "../StoredCredentials.ts"
import { refuseTokens } from "./TokenErrors.ts"

export const googleScope = (name: string) => `https://www.googleapis.com/auth/${name}`

/** What one of Google's networks asks for. */
export interface GoogleNetwork {
  readonly platform: string
  /** The ends of the scopes that publishing needs. */
  readonly needed: ReadonlyArray<string>
  /** Whole scopes of which each includes all of them. */
  readonly including?: ReadonlyArray<string>
  /** Whole scopes besides those, for one visit. Earlier grants of the client are then part of the new one. */
  readonly more?: (request: ConsentRequest) => ReadonlyArray<string>
}

const Answer = Schema.Struct({
  access_token: Schema.String,
  /** Seconds. */
  expires_in: Schema.Finite,
  /** A refresh has none: the old one stays good. */
  refresh_token: Schema.optionalKey(Schema.String),
  /** For a project in testing, or access that the person limited in time. */
  refresh_token_expires_in: Schema.optionalKey(Schema.Finite),
  scope: Schema.optionalKey(Schema.String)
})

/** What every account of Google's keeps; a network may add to it. */
export const googleCredentials = {
  access_token: Schema.String,
  refresh_token: Schema.String,
  scope: Schema.String
}

/** https://accounts.google.com/.well-known/openid-configuration */
export const googleIssuer = "https://accounts.google.com"

/** Google's OAuth 2 with offline access, PKCE (S256) and the client's secret. */
export const googleSignIn = (
  client: HttpClient.HttpClient,
  app: ConnectedApp,
  { including = [], more, needed, platform }: GoogleNetwork
) => {
  const call = platformHttp(client, "Google")
  const readCredentials = decodeCredentials(Schema.Struct(googleCredentials), platform)

  const tokens = Effect.fnUntraced(function* (form: Readonly<Record<string, string>>) {
    const secret = Redacted.value(app.secret)
    const answer = yield* call({
      method: "POST",
      url: `${app.at("oauth2.googleapis.com")}/token`,
      body: HttpBody.urlParams({ ...form, client_id: app.id, client_secret: secret }),
      secrets: [secret, ...Object.values(form)],
      maxAnswerBytes: shortAnswer,
      has_tokens: true,
      answer: Answer,
      refuse: refuseTokens
    })
    const expiry = {
      token_expires_at: DateTime.add(yield* DateTime.now, { seconds: answer.expires_in }),
      ...(yield* accessEnd(answer.refresh_token_expires_in))
    }
    return { answer, expiry }
  })

  return {
    authorizeUrl: (request: ConsentRequest) =>
      `${app.at("accounts.google.com")}/o/oauth2/v2/auth?${new URLSearchParams({
        client_id: app.id,
        redirect_uri: request.redirect_uri,
        response_type: "code",
        scope: [...needed.map(googleScope), ...(more?.(request) ?? [])].join(" "),
        access_type: "offline",
        prompt: "consent",
        ...(more === undefined ? {} : { include_granted_scopes: "true" }),
        code_challenge: createHash("sha256").update(request.code_verifier).digest("base64url"),
        code_challenge_method: "S256",
        state: request.state
      })}`,

    exchange: Effect.fnUntraced(function* ({
      redirect_uri,
      code_verifier,
      code
    }: ConsentRequest & { readonly code: string }) {
      const { answer, expiry } = yield* tokens({
        grant_type: "authorization_code",
        code,
        redirect_uri,
        code_verifier
      })
      const granted = (answer.scope ?? "").split(" ")
      const named = granted.map((one) => one.replace(googleScope(""), ""))
      if (!including.some((one) => granted.includes(one))) yield* requireScopes(needed, named)
      if (answer.refresh_token === undefined) {
        return yield* new PublishError({
          class: "reconnect",
          code: "scopes_missing",
          message:
            "Google did not grant long-term access. Remove this app in the Google account's settings and connect again."
        })
      }
      const { access_token, refresh_token } = answer
      const credentials: Credentials = Redacted.make({
        access_token,
        refresh_token,
        scope: granted.join(" ")
      })
      return { credentials, access_token, expiry, scopes: granted }
    }),

    /** Revoking the refresh token ends every token of the same consent. */
    revoke: Effect.fnUntraced(function* (stored: Credentials) {
      const { refresh_token: token } = yield* readCredentials(stored)
      yield* call({
        method: "POST",
        url: `${app.at("oauth2.googleapis.com")}/revoke`,
        body: HttpBody.urlParams({ token }),
        secrets: [token],
        maxAnswerBytes: shortAnswer,
        answer: Schema.Unknown,
        refuse: refuseTokens
      })
      return "revoked" as const
    }),

    refresh: Effect.fnUntraced(function* (stored: Credentials) {
      const before = yield* readCredentials(stored)
      const { answer, expiry } = yield* tokens({
        grant_type: "refresh_token",
        refresh_token: before.refresh_token
      })
      const { access_token, refresh_token = before.refresh_token, scope = before.scope } = answer
      const credentials: Credentials = Redacted.make({
        ...Redacted.value(stored),
        access_token,
        refresh_token,
        scope
      })
      return { credentials, ...expiry }
    })
  }
}
