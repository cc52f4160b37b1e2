import { DateTime, Effect, Redacted, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import { createHash } from "node:crypto"
import { type Credentials, type ConsentRequest, PublishError } from "../Platform.ts"
import type { ConnectedApp } from "../PlatformApps.ts"
import { platformHttp } from "../PlatformHttp.ts"
import { decodeCredentials } from "../StoredCredentials.ts"
import { refuseTokens } from "./YouTubeErrors.ts"

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`

/** Everything on the channel; only adding to playlists needs it, so a person may leave it out. */
export const manageScope = scope("youtube")
const needed = [scope("youtube.upload"), scope("youtube.readonly")]

const Answer = Schema.Struct({
  access_token: Schema.String,
  /** Seconds. */
  expires_in: Schema.Finite,
  /** Left out of a refresh: the old one stays good. */
  refresh_token: Schema.optionalKey(Schema.String),
  scope: Schema.optionalKey(Schema.String)
})

const Stored = Schema.Struct({
  access_token: Schema.String,
  refresh_token: Schema.String,
  scope: Schema.String
})

export const readCredentials = decodeCredentials(Stored, "YouTube")

/** Google's OAuth 2 (reference/platforms.md section 3.1): offline access, PKCE with S256, and the client's secret too. */
export const googleSignIn = (client: HttpClient.HttpClient, app: ConnectedApp) => {
  const call = platformHttp(client, "Google")

  const tokens = Effect.fnUntraced(function* (form: Readonly<Record<string, string>>) {
    const secret = Redacted.value(app.secret)
    const answer = yield* call({
      method: "POST",
      url: `${app.at("oauth2.googleapis.com")}/token`,
      body: HttpBody.urlParams({ ...form, client_id: app.id, client_secret: secret }),
      secrets: [secret, ...Object.values(form)],
      answer: Answer,
      refuse: refuseTokens
    })
    return { answer, token_expires_at: DateTime.add(yield* DateTime.now, { seconds: answer.expires_in }) }
  })

  return {
    authorizeUrl: ({ redirect_uri, state, code_verifier }: ConsentRequest) =>
      `${app.at("accounts.google.com")}/o/oauth2/v2/auth?${new URLSearchParams({
        client_id: app.id,
        redirect_uri,
        response_type: "code",
        scope: [...needed, manageScope].join(" "),
        access_type: "offline",
        prompt: "consent",
        include_granted_scopes: "true",
        code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
        code_challenge_method: "S256",
        state
      })}`,

    exchange: Effect.fnUntraced(function* ({
      redirect_uri,
      code_verifier,
      code
    }: ConsentRequest & { readonly code: string }) {
      const { answer, token_expires_at } = yield* tokens({
        grant_type: "authorization_code",
        code,
        redirect_uri,
        code_verifier
      })
      const granted = (answer.scope ?? "").split(" ")
      const missing = granted.includes(manageScope) ? [] : needed.filter((one) => !granted.includes(one))
      if (missing.length > 0 || answer.refresh_token === undefined) {
        return yield* new PublishError({
          class: "reconnect",
          code: "scopes_missing",
          message:
            missing.length > 0
              ? `Uploading needs ${missing.map((one) => one.slice(scope("").length)).join(" and ")}, which was not granted. Connect again and leave both ticked.`
              : "Google gave no lasting access. Remove this app in the Google account's settings and connect again."
        })
      }
      const { access_token, refresh_token } = answer
      const credentials: Credentials = Redacted.make({
        access_token,
        refresh_token,
        scope: granted.join(" ")
      })
      return { credentials, access_token, token_expires_at }
    }),

    refresh: Effect.fnUntraced(function* (stored: Credentials) {
      const before = yield* readCredentials(stored)
      const { answer, token_expires_at } = yield* tokens({
        grant_type: "refresh_token",
        refresh_token: before.refresh_token
      })
      const { access_token, refresh_token = before.refresh_token, scope = before.scope } = answer
      return { credentials: Redacted.make({ access_token, refresh_token, scope }), token_expires_at }
    })
  }
}
