import { DateTime, Effect, Redacted, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import { accessEnd } from "../AccessEnd.ts"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { requireScopes } from "../GrantedScopes.ts"
import { type ConnectedAccount, type Credentials, type Platform, PublishError } from "../Platform.ts"
import { platformHttp, shortAnswer } from "../PlatformHttp.ts"
import { decodeCredentials } from "../StoredCredentials.ts"
import { NotOk, Ok } from "./TikTokAnswers.ts"
import { refuse } from "./TikTokErrors.ts"

/** The scopes of an app unless the operator says otherwise. */
export const tiktokScopes = ["user.info.basic", "user.info.profile", "video.publish", "video.upload"]

export const TikTokCredentials = Schema.Struct({
  access_token: Schema.String,
  refresh_token: Schema.String,
  open_id: Schema.String
})

export type TikTokCredentials = typeof TikTokCredentials.Type

const Tokens = Schema.Struct({
  ...TikTokCredentials.fields,
  /** Seconds. */
  expires_in: Schema.Finite,
  refresh_expires_in: Schema.optionalKey(Schema.Finite),
  scope: Schema.String
})

const User = Schema.Struct({
  user: Schema.Struct({
    open_id: Schema.String,
    avatar_url: Schema.optionalKey(Schema.NullOr(Schema.String)),
    display_name: Schema.optionalKey(Schema.NullOr(Schema.String)),
    username: Schema.optionalKey(Schema.NullOr(Schema.String))
  })
})

export const decodeStored = decodeCredentials(TikTokCredentials, "TikTok")

/** A refusal may come with status 200; a success has no body. */
const isRefusal = Schema.is(Schema.Struct({ error: Schema.String }))

/** How accounts are connected, their tokens renewed and taken back. */
export const tiktokSignIn = (
  client: HttpClient.HttpClient,
  app: ConnectedApp
): Required<Pick<Platform, "oauth" | "revocation" | "refresh">> => {
  const call = platformHttp(client, "TikTok")
  const host = app.at("open.tiktokapis.com")
  const scopes = app.scopes ?? tiktokScopes

  const token = Effect.fnUntraced(function* (fields: Record<string, string>, secret: string) {
    const answer = yield* call({
      method: "POST",
      url: `${host}/v2/oauth/token/`,
      body: HttpBody.urlParams(
        Object.entries({ client_key: app.id, client_secret: Redacted.value(app.secret), ...fields })
      ),
      secrets: [Redacted.value(app.secret), secret],
      maxAnswerBytes: shortAnswer,
      has_tokens: true,
      answer: Schema.Union([Tokens, Schema.Struct({ error: Schema.String })]),
      refuse
    })
    if ("error" in answer) return yield* new PublishError(refuse({ status: 200, body: answer }))
    const { expires_in, refresh_expires_in, scope, ...credentials } = answer
    return {
      granted: scope.split(","),
      credentials: Redacted.make({ ...credentials }) as Credentials,
      stored: credentials,
      expiry: {
        token_expires_at: DateTime.add(yield* DateTime.now, { seconds: expires_in }),
        ...(yield* accessEnd(refresh_expires_in))
      }
    }
  })

  const user = Effect.fnUntraced(function* (access_token: string, granted: ReadonlyArray<string>) {
    const fields = ["open_id", "avatar_url", "display_name"]
    const answer = yield* call({
      method: "GET",
      url: `${host}/v2/user/info/`,
      query: {
        fields: [...fields, ...(granted.includes("user.info.profile") ? ["username"] : [])].join(",")
      },
      bearer: access_token,
      maxAnswerBytes: shortAnswer,
      answer: Schema.Union([Schema.Struct({ error: Ok, data: User }), Schema.Struct({ error: NotOk })]),
      refuse
    })
    return "data" in answer
      ? answer.data.user
      : yield* new PublishError(refuse({ status: 200, body: answer }))
  })

  return {
    oauth: {
      logins: ["tiktok"],
      authorizeUrl: ({ redirect_uri, state }) =>
        `${app.at("www.tiktok.com")}/v2/auth/authorize/?${new URLSearchParams({
          client_key: app.id,
          response_type: "code",
          scope: scopes.join(","),
          redirect_uri,
          state
        })}`,
      exchange: Effect.fn("TikTok.exchange")(function* ({ code, redirect_uri }) {
        const { granted, credentials, stored, expiry } = yield* token(
          { grant_type: "authorization_code", code, redirect_uri },
          code
        )
        yield* requireScopes(scopes, granted)
        const { open_id, username, display_name, avatar_url } = yield* user(stored.access_token, granted)
        const account: ConnectedAccount = {
          remote_id: open_id,
          username: username ?? display_name ?? open_id,
          display_name: display_name ?? null,
          avatar_url: avatar_url ?? null,
          credentials,
          ...expiry
        }
        return [account]
      })
    },

    revocation: {
      // The open_id belongs to one person and this app.
      shared: (one, other) => one.remote_id === other.remote_id,
      revoke: Effect.fn("TikTok.revoke")(function* (credentials) {
        const { access_token } = yield* decodeStored(credentials)
        const { body } = yield* call({
          method: "POST",
          url: `${host}/v2/oauth/revoke/`,
          body: HttpBody.urlParams({
            client_key: app.id,
            client_secret: Redacted.value(app.secret),
            token: access_token
          }),
          secrets: [Redacted.value(app.secret), access_token],
          format: "whole",
          maxAnswerBytes: shortAnswer,
          answer: Schema.Struct({ body: Schema.Unknown }),
          refuse
        })
        if (isRefusal(body)) return yield* new PublishError(refuse({ status: 200, body }))
        return "revoked" as const
      })
    },

    refresh: Effect.fn("TikTok.refresh")(function* (credentials) {
      const { refresh_token } = yield* decodeStored(credentials)
      const renewed = yield* token({ grant_type: "refresh_token", refresh_token }, refresh_token)
      return { credentials: renewed.credentials, ...renewed.expiry }
    })
  }
}
