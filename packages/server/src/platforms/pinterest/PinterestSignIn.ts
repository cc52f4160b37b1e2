import { DateTime, Effect, Redacted, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import type { ConsentRequest, Credentials } from "../Platform.ts"
import { requireScopes } from "../GrantedScopes.ts"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { platformHttp, shortAnswer } from "../PlatformHttp.ts"
import { accessEnd } from "../AccessEnd.ts"
import { decodeCredentials } from "../StoredCredentials.ts"
import { refuseTokens } from "./PinterestErrors.ts"

const needed = ["boards:read", "boards:write", "pins:read", "pins:write", "user_accounts:read"]
/** Only for secret boards, so a person may leave them out. */
const secret = ["boards:read_secret", "pins:read_secret", "pins:write_secret"]

const Stored = Schema.Struct({ access_token: Schema.String, refresh_token: Schema.String })
const Answer = Schema.Struct({
  ...Stored.fields,
  /** Seconds. */
  expires_in: Schema.Finite,
  refresh_token_expires_in: Schema.optionalKey(Schema.Finite),
  scope: Schema.optionalKey(Schema.String)
})

export const readCredentials = decodeCredentials(Stored, "Pinterest")

/** Pinterest's OAuth 2 has HTTP Basic, no PKCE, and a new refresh token at each refresh. */
export const pinterestSignIn = (client: HttpClient.HttpClient, app: ConnectedApp) => {
  const call = platformHttp(client, "Pinterest")

  const tokens = Effect.fnUntraced(function* (form: Readonly<Record<string, string>>) {
    const appSecret = Redacted.value(app.secret)
    const basic = Buffer.from(`${app.id}:${appSecret}`).toString("base64")
    const { expires_in, refresh_token_expires_in, scope, ...stored } = yield* call({
      method: "POST",
      url: `${app.at("api.pinterest.com")}/v5/oauth/token`,
      headers: { authorization: `Basic ${basic}` },
      // Apps from before 25 September 2025 must ask for refresh tokens that can be renewed for ever.
      body: HttpBody.urlParams({ ...form, continuous_refresh: "true" }),
      secrets: [appSecret, basic, ...Object.values(form)],
      maxAnswerBytes: shortAnswer,
      has_tokens: true,
      answer: Answer,
      refuse: refuseTokens
    })
    const credentials: Credentials = Redacted.make({ ...stored })
    return {
      ...stored,
      credentials,
      granted: (scope ?? "").split(/[\s,]+/),
      expiry: {
        token_expires_at: DateTime.add(yield* DateTime.now, { seconds: expires_in }),
        ...(yield* accessEnd(refresh_token_expires_in))
      }
    }
  })

  return {
    authorizeUrl: ({ redirect_uri, state }: ConsentRequest) =>
      `${app.at("www.pinterest.com")}/oauth/?${new URLSearchParams({
        client_id: app.id,
        redirect_uri,
        response_type: "code",
        scope: [...needed, ...secret].join(","),
        state
      })}`,

    exchange: Effect.fnUntraced(function* ({
      redirect_uri,
      code
    }: ConsentRequest & { readonly code: string }) {
      const given = yield* tokens({ grant_type: "authorization_code", code, redirect_uri })
      yield* requireScopes(needed, given.granted)
      return given
    }),

    refresh: Effect.fnUntraced(function* (stored: Credentials) {
      const { refresh_token } = yield* readCredentials(stored)
      const { credentials, expiry } = yield* tokens({ grant_type: "refresh_token", refresh_token })
      return { credentials, ...expiry }
    })
  }
}
