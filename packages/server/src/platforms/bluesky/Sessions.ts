import { DateTime, Effect, Option, Redacted, Schema } from "effect"
import { HttpBody } from "effect/http"
import { type Platform, PublishError } from "../Platform.ts"
import { type PlatformHttp, shortAnswer } from "../PlatformHttp.ts"
import { calledAt } from "../TestNetwork.ts"
import { type AccountServers, entryway } from "./AccountServer.ts"
import { decodeStored } from "./BlueskyCredentials.ts"
import { inactive, refuse, refuseRefresh, refuseSignIn } from "./BlueskyErrors.ts"
import { Did, identities, type IdentityOptions, isHandle, serviceOrigin } from "./Identity.ts"

const SignIn = Schema.Struct({
  identifier: Schema.String,
  app_password: Schema.String,
  service: Schema.optionalKey(Schema.String)
})
const Session = Schema.Struct({
  did: Did,
  accessJwt: Schema.String,
  refreshJwt: Schema.String,
  active: Schema.optionalKey(Schema.Boolean)
})
const TokenClaims = Schema.fromJsonString(Schema.Struct({ exp: Schema.Finite }))
const Profile = Schema.Struct({
  value: Schema.Struct({
    displayName: Schema.optionalKey(Schema.String),
    avatar: Schema.optionalKey(Schema.Struct({ ref: Schema.Struct({ $link: Schema.String }) }))
  })
})
const decodeSignIn = Schema.decodeUnknownEffect(SignIn)
const decodeClaims = Schema.decodeUnknownOption(TokenClaims)

/** Connects an account with an app password, renews its session, and ends it. */
export const sessions = (
  call: PlatformHttp,
  limitsOf: AccountServers["limitsOf"],
  options: IdentityOptions
): Required<Pick<Platform, "connect" | "limits" | "refresh" | "revocation">> => {
  const identity = identities(call, options)

  const profileOf = (service: string, did: string) =>
    call({
      method: "GET",
      url: `${service}/xrpc/com.atproto.repo.getRecord`,
      query: { repo: did, collection: "app.bsky.actor.profile", rkey: "self" },
      timeout: "10 seconds",
      maxAnswerBytes: shortAnswer,
      answer: Profile,
      refuse
    }).pipe(
      Effect.map(({ value: { displayName, avatar } }) => ({
        display_name: displayName === undefined || displayName === "" ? null : displayName,
        avatar_url:
          avatar === undefined
            ? null
            : calledAt(
                `${service}/xrpc/com.atproto.sync.getBlob?did=${encodeURIComponent(did)}&cid=${avatar.ref.$link}`,
                options.test_network
              )
      })),
      Effect.orElseSucceed(() => ({ display_name: null, avatar_url: null }))
    )

  const end = (service: string, refreshJwt: string) =>
    call({
      method: "POST",
      url: `${service}/xrpc/com.atproto.server.deleteSession`,
      bearer: refreshJwt,
      format: "text",
      timeout: "10 seconds",
      maxAnswerBytes: shortAnswer,
      answer: Schema.Unknown,
      refuse: refuseRefresh
    })

  return {
    connect: Effect.fn("Bluesky.connect")(function* (input) {
      const signIn = yield* decodeSignIn(input).pipe(Effect.mapError(() => rejected(signInMissing)))
      const identifier = cleanIdentifier(signIn.identifier)
      const password = signIn.app_password.trim()
      const isEmail = identifier.includes("@")
      const chosen = signIn.service === undefined ? undefined : serviceOrigin(signIn.service, options)
      if (signIn.service !== undefined && chosen === undefined) {
        return yield* rejected(
          `"${signIn.service}" is not the https address of a server. Use one such as ${entryway}.`
        )
      }
      if (!isEmail && !/^did:(plc|web):[\w.:%-]+$/.test(identifier) && !isHandle(identifier)) {
        return yield* rejected(
          `"${identifier}" is not a handle. Use the full handle, such as alice.bsky.social.`
        )
      }
      const found = signIn.service === undefined && !isEmail ? yield* identity.find(identifier) : undefined
      const server = found?.service ?? chosen ?? entryway
      const session = yield* call({
        method: "POST",
        url: `${server}/xrpc/com.atproto.server.createSession`,
        body: HttpBody.jsonUnsafe({ identifier, password }),
        secrets: [password],
        maxAnswerBytes: shortAnswer,
        answer: Session,
        refuse: refuseSignIn
      })
      if (found !== undefined && found.did !== session.did) {
        return yield* rejected(
          `The server signed in a different account, not "${identifier}". Check the handle.`
        )
      }
      if (session.active === false)
        return yield* new PublishError({ ...inactive, code: "AccountDeactivated" })
      // The entryway has no accounts itself.
      const { did, handle, service } =
        found ??
        (yield* identity
          .signedIn(session.did, server === entryway ? null : server)
          .pipe(Effect.tapError(() => Effect.ignore(end(server, session.refreshJwt)))))
      return {
        remote_id: did,
        username: handle,
        ...(yield* profileOf(service, did)),
        // Asked again within a day.
        ...(yield* Effect.matchEager(limitsOf({ did, service }), {
          onFailure: () => ({}),
          onSuccess: (limits) => ({ limits })
        })),
        ...tokens(service, session)
      }
    }),

    limits: (stored) => Effect.flatMap(decodeStored(stored), limitsOf),

    refresh: Effect.fn("Bluesky.refresh")(function* (credentials) {
      const { did, service, refreshJwt } = yield* decodeStored(credentials)
      const session = yield* call({
        method: "POST",
        url: `${service}/xrpc/com.atproto.server.refreshSession`,
        bearer: refreshJwt,
        maxAnswerBytes: shortAnswer,
        answer: Session,
        refuse: refuseRefresh
      })
      if (session.did !== did)
        return yield* rejected("The server answered for a different account. Connect the account again.")
      return tokens(service, session)
    }),

    revocation: {
      // Each sign-in has a session of its own.
      shared: () => false,
      revoke: Effect.fn("Bluesky.revoke")(function* (credentials) {
        const { service, refreshJwt } = yield* decodeStored(credentials)
        yield* end(service, refreshJwt)
        return "revoked" as const
      })
    }
  }
}

// Handles copied from the app begin with @ and carry invisible marks of direction.
const cleanIdentifier = (identifier: string): string =>
  identifier
    .replaceAll(/\p{Cf}/gu, "")
    .trim()
    .replace(/^@/, "")
    .replace(/^(?!did:).*$/, (handle) => handle.toLowerCase())

const tokens = (service: string, { did, accessJwt, refreshJwt }: typeof Session.Type) => ({
  credentials: Redacted.make({ service, did, accessJwt, refreshJwt }),
  token_expires_at: expiryOf(accessJwt)
})

/** A token's end by its own claim. Servers need not use readable tokens. */
const expiryOf = (token: string): DateTime.Utc | null => {
  const claims = decodeClaims(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"))
  return Option.getOrNull(Option.flatMap(claims, ({ exp }) => DateTime.make(exp * 1000)))
}

const signInMissing = 'Bluesky needs an "identifier" (handle) and an "app_password".'

const rejected = (message: string) =>
  new PublishError({ class: "reconnect", code: "credentials_rejected", message })
