import { DateTime, Duration, Effect, Option, Redacted, Schema } from "effect"
import { HttpBody } from "effect/http"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { type ConsentRequest, type Credentials, PublishError } from "../Platform.ts"
import { type Refusal, type Refused, shortAnswer } from "../PlatformHttp.ts"
import { TokenAnswer } from "./FacebookLogin.ts"
import type { Graph } from "./Graph.ts"

interface TokenSettings<Login extends string> {
  readonly name: string
  readonly login: Login
  /** The host that takes the code, and the one that gives tokens for tokens. */
  readonly codeHost: string
  readonly host: string
  /** What the network's grants begin with. */
  readonly grant: "ig" | "th"
}

/** The credentials that are stored: a token of 60 days. */
export const longLivedToken = <const Login extends string>(login: Login) =>
  Schema.Struct({
    login: Schema.Literal(login),
    token: Schema.String,
    /** ISO 8601; a token is refreshed when it is a day old. */
    issued_at: Schema.String
  })

/** A token younger than this cannot be refreshed. */
const refreshAge = Duration.hours(24)
const sixtyDays = 60 * 24 * 3600

/** The sign-in of Instagram and Threads: a code, a token of an hour for it, and one of 60 days for that. It has no PKCE. */
export const longLivedTokens = <Login extends string>(
  { call, refuse }: Pick<Graph<Login>, "call" | "refuse">,
  { codeHost, grant, host, login, name }: TokenSettings<Login>
) => {
  const refuseSignIn = (refusal: Refusal): Refused =>
    Option.match(decodeSignInError(refusal.body), {
      onNone: () => refuse(refusal),
      onSome: ({ error_message }) => ({
        class: "invalid",
        code: "sign_in_refused",
        message: `${name} rejected the sign-in: "${error_message}". Start again; if it fails again, tell the operator.`
      })
    })

  const ofCode = <S extends Schema.ConstraintDecoder<unknown>>(
    { at, id, secret: redacted }: ConnectedApp,
    { code, redirect_uri }: ConsentRequest & { readonly code: string },
    answer: S
  ) => {
    const secret = Redacted.value(redacted)
    return call({
      has_tokens: true,
      method: "POST",
      url: `${at(codeHost)}/oauth/access_token`,
      body: HttpBody.urlParams({
        client_id: id,
        client_secret: secret,
        grant_type: "authorization_code",
        redirect_uri,
        // Meta adds #_ to the address; it is not part of the code.
        code: code.replace(/#_$/, "")
      }),
      secrets: [secret, code],
      maxAnswerBytes: shortAnswer,
      answer,
      refuse: refuseSignIn
    })
  }

  const lasting = ({ at, secret: redacted }: ConnectedApp, access_token: string) => {
    const client_secret = Redacted.value(redacted)
    return call({
      has_tokens: true,
      method: "GET",
      url: `${at(host)}/access_token`,
      query: { grant_type: `${grant}_exchange_token`, client_secret, access_token },
      secrets: [client_secret, access_token],
      maxAnswerBytes: shortAnswer,
      answer: TokenAnswer,
      refuse: refuseSignIn
    })
  }

  const issued = Effect.fnUntraced(function* ({
    access_token,
    expires_in = sixtyDays
  }: typeof TokenAnswer.Type) {
    const now = yield* DateTime.now
    const credentials: Credentials = Redacted.make({
      login,
      token: access_token,
      issued_at: DateTime.formatIso(now)
    })
    // Only a token that still holds is renewed.
    const end = DateTime.add(now, { seconds: expires_in })
    return { credentials, token_expires_at: end, access_expires_at: end }
  })

  const renewed = Effect.fnUntraced(function* (
    app: Effect.Effect<ConnectedApp, PublishError>,
    { issued_at, token: access_token }: { readonly issued_at: string; readonly token: string }
  ) {
    const age = DateTime.distance(DateTime.makeUnsafe(issued_at), yield* DateTime.now)
    if (Duration.isLessThan(age, refreshAge)) {
      return yield* new PublishError({
        class: "reconnect",
        code: "token_refused",
        message:
          `${name} rejected the account's token, which it gave less than a day ago: somebody revoked its access there. ` +
          "Connect the account again."
      })
    }
    const { at } = yield* app
    const answer = yield* call({
      has_tokens: true,
      method: "GET",
      url: `${at(host)}/refresh_access_token`,
      query: { grant_type: `${grant}_refresh_token`, access_token },
      secrets: [access_token],
      maxAnswerBytes: shortAnswer,
      answer: TokenAnswer,
      refuse
    })
    return yield* issued(answer)
  })

  return { ofCode, lasting, issued, renewed }
}

const decodeSignInError = Schema.decodeUnknownOption(Schema.Struct({ error_message: Schema.String }))
