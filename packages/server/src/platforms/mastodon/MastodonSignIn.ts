import { Effect, Option, Redacted, Schema } from "effect"
import { HttpBody } from "effect/http"
import { createHash } from "node:crypto"
import type { RegisteredApp } from "../../AppConfig.ts"
import { requireScopes } from "../GrantedScopes.ts"
import { type ConsentFields, type ConsentRequest, PublishError } from "../Platform.ts"
import { type Refusal, type Refused, shortAnswer } from "../PlatformHttp.ts"
import type { MastodonApps } from "./MastodonApps.ts"
import { isTooOld, type Reached, readInstance } from "./MastodonServer.ts"

/** What is kept for the visit. */
const Arranged = Schema.Struct({
  server: Schema.String,
  scopes: Schema.String,
  client_id: Schema.String,
  client_secret: Schema.String,
  pkce: Schema.Literals(["S256", "none"])
})
const readArranged = Schema.decodeUnknownSync(Arranged)

/** https://docs.joinmastodon.org/methods/oauth/#authorization-server-metadata, since Mastodon 4.3 */
const Metadata = Schema.Struct({
  scopes_supported: Schema.optionalKey(Schema.Array(Schema.String)),
  code_challenge_methods_supported: Schema.optionalKey(Schema.Array(Schema.String))
})

/** https://docs.joinmastodon.org/entities/Application/#CredentialApplication */
const Application = Schema.Struct({ client_id: Schema.NonEmptyString, client_secret: Schema.NonEmptyString })

/** https://docs.joinmastodon.org/entities/Token/; some servers leave the scope out. */
const Token = Schema.Struct({
  access_token: Schema.NonEmptyString,
  scope: Schema.optionalKey(Schema.NullOr(Schema.String))
})

const decodeError = Schema.decodeUnknownOption(
  Schema.Struct({ error: Schema.String, error_description: Schema.optionalKey(Schema.String) })
)
const Whole = Schema.Struct({ status: Schema.Int, body: Schema.Unknown })

/** A person waits for each call. */
const patience = "10 seconds"
/** Searching finds what a post quotes from another server. */
const used = ["write:statuses", "write:media", "read:statuses", "read:search"]

/** Signing in at the account's own server, where this service registers an app: https://docs.joinmastodon.org/client/authorized/ */
export const mastodonSignIn = (
  reach: (server: string) => Reached,
  apps: Pick<MastodonApps["Service"], "obtain" | "admit">,
  website: string
) => {
  const post = <S extends Schema.ConstraintDecoder<unknown>>(
    server: string,
    path: string,
    fields: Readonly<Record<string, string>>,
    answer: S,
    rest: { readonly also?: ReadonlyArray<number>; readonly format?: "whole" } = {}
  ) => {
    const { base, call } = reach(server)
    const { client_secret = "", code = "", code_verifier = "", token = "" } = fields
    return call({
      method: "POST",
      url: `${base}${path}`,
      body: HttpBody.urlParams(fields),
      secrets: [client_secret, code, code_verifier, token],
      timeout: patience,
      maxAnswerBytes: shortAnswer,
      has_tokens: true,
      answer,
      refuse: refuseAt(server),
      ...rest
    })
  }

  /** Capabilities beyond those of every server. Most servers do not name them. */
  const offered = (server: string) => {
    const { base, call } = reach(server)
    return call({
      method: "GET",
      url: `${base}/.well-known/oauth-authorization-server`,
      timeout: patience,
      maxAnswerBytes: shortAnswer,
      answer: Metadata,
      refuse: refuseAt(server)
    }).pipe(
      Effect.catchIf(isAnswer, () => Effect.succeed<typeof Metadata.Type>({})),
      Effect.map(({ code_challenge_methods_supported: methods, scopes_supported: scopes }) => ({
        pkce: methods?.includes("S256") === true ? ("S256" as const) : ("none" as const),
        scopes: [scopes?.includes("profile") === true ? "profile" : "read:accounts", ...used].join(" ")
      }))
    )
  }

  /** Servers forget apps that nobody uses. Only this question shows it: their page would not lead back here. */
  const isKnownTo = (server: string, redirect_uri: string, scope: string) => (app: RegisteredApp) =>
    Effect.map(
      post(
        server,
        "/oauth/token",
        { grant_type: "client_credentials", redirect_uri, scope, ...clientOf(app) },
        Whole,
        { format: "whole", also: [400, 401, 403, 404, 405, 422] }
      ),
      ({ body, status }) =>
        status !== 401 && Option.getOrUndefined(decodeError(body))?.error !== "invalid_client"
    )

  const register = Effect.fnUntraced(function* (server: string, redirect_uri: string, scopes: string) {
    const facts = yield* readInstance(reach(server)).pipe(
      Effect.catchIf(
        // Some show it only to their own people.
        ({ code }) => code === "http_401" || code === "http_403",
        () => Effect.succeed(null)
      ),
      Effect.mapError((error) => (isAnswer(error) ? otherwise(server) : error))
    )
    if (facts !== null && isTooOld(facts)) {
      return yield* unusable(
        "server_too_old",
        `${hostOf(server)} runs Mastodon ${facts.version}. Carillon needs 3.1.3 or later. Ask the server's operator to upgrade.`
      )
    }
    yield* apps.admit(server)
    const { client_id, client_secret } = yield* post(
      server,
      "/api/v1/apps",
      { client_name: "Carillon", redirect_uris: redirect_uri, scopes, website },
      Application
    ).pipe(
      Effect.mapError((error) => {
        if (!isAnswer(error)) return error
        if (error.code === "http_404" || error.code === "unreadable_answer") return otherwise(server)
        return unusable(
          "registration_refused",
          `${hostOf(server)} does not allow Carillon to register itself. ${error.message} An access token may work instead: create an application there yourself.`
        )
      })
    )
    return { id: client_id, secret: Redacted.make(client_secret) } satisfies RegisteredApp
  })

  return {
    arrange: (server: string, redirect_uri: string): Effect.Effect<ConsentFields, PublishError> =>
      Effect.gen(function* () {
        const { pkce, scopes } = yield* offered(server)
        const made = register(server, redirect_uri, scopes)
        // snac looks at no code: who shows an app gets a token of whoever signed in to it last. So nobody shares an app there.
        const app =
          pkce === "none"
            ? yield* made
            : yield* apps.obtain(
                { server, redirect_uri, scopes },
                isKnownTo(server, redirect_uri, scopes),
                made
              )
        return { server, scopes, pkce, ...clientOf(app) } satisfies typeof Arranged.Type
      }).pipe(Effect.mapError((error) => (error.class === "transient" ? unreached(server, error) : error))),

    issuer: (fields: ConsentFields) => readArranged(fields).server,

    authorizeUrl: ({ code_verifier, fields, redirect_uri, state }: ConsentRequest) => {
      const { client_id, pkce, scopes, server } = readArranged(fields)
      return `${reach(server).base}/oauth/authorize?${new URLSearchParams({
        response_type: "code",
        client_id,
        redirect_uri,
        scope: scopes,
        state,
        ...(pkce === "none"
          ? {}
          : {
              code_challenge: createHash("sha256").update(code_verifier).digest("base64url"),
              code_challenge_method: pkce
            })
      })}`
    },

    exchange: Effect.fnUntraced(function* ({
      code,
      code_verifier,
      fields,
      redirect_uri
    }: ConsentRequest & { readonly code: string }) {
      const { client_id, client_secret, pkce, scopes, server } = readArranged(fields)
      const client = { client_id, client_secret }
      const { access_token, scope } = yield* post(
        server,
        "/oauth/token",
        {
          grant_type: "authorization_code",
          code,
          redirect_uri,
          ...client,
          ...(pkce === "none" ? {} : { code_verifier })
        },
        Token
      ).pipe(Effect.mapError((error) => (error.class === "transient" ? unreached(server, error) : error)))
      const asked = scopes.split(" ")
      const granted = (scope ?? scopes).split(/[\s,]+/)
      const whole = asked.filter((one) => granted.includes(one.split(":", 1)[0]!))
      yield* requireScopes(asked, [...granted, ...whole])
      return { server, access_token, client }
    }),

    revoke: (server: string, client: { client_id: string; client_secret: string }, token: string) =>
      post(server, "/oauth/revoke", { ...client, token }, Schema.Unknown, { format: "whole" })
  }
}

const clientOf = ({ id, secret }: RegisteredApp) => ({
  client_id: id,
  client_secret: Redacted.value(secret)
})

const hostOf = (server: string) => new URL(server).host

const unusable = (code: string, message: string) => new PublishError({ class: "config", code, message })

/** Something answered, whatever it is. */
const isAnswer = ({ class: errorClass, code }: PublishError) =>
  !["transient", "rate_limited"].includes(errorClass) || code === "unreadable_answer"

const otherwise = (server: string) =>
  unusable(
    "not_a_mastodon_server",
    `${hostOf(server)} does not answer like a Mastodon server. Give the server's own name, which for @alice@example.com may be social.example.com.`
  )

/** What a person is told who waits for a connection, of a failure of any call. */
export const notConnected = (server: string) => (error: PublishError) =>
  error.class === "reconnect" || error.class === "forbidden" || error.class === "rate_limited"
    ? error
    : isAnswer(error)
      ? otherwise(server)
      : unreached(server, error)

const unreached = (server: string, { code }: PublishError) =>
  unusable(
    "server_unreachable",
    `${hostOf(server)} did not give a usable answer (${code}). Check the name, or try again later.`
  )

const sentences: Readonly<Record<string, string>> = {
  invalid_grant: "The consent has expired or was already used. Start connecting the account again.",
  invalid_client: "The server no longer knows Carillon. Start again, and Carillon will register itself again."
}

const refuseAt =
  (server: string) =>
  ({ body, status }: Refusal): Refused => {
    const said = Option.getOrUndefined(decodeError(body))
    const words = said?.error_description ?? said?.error
    const known = said !== undefined && Object.hasOwn(sentences, said.error) ? said.error : undefined
    return {
      class: "config",
      code: known ?? `http_${status}`,
      message:
        sentences[known ?? ""] ??
        `${hostOf(server)} rejected the request with status ${status}${words === undefined ? "" : `: "${words}"`}.`
    }
  }
