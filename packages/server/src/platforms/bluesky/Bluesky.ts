import { detectFacets, type Facet, type PlatformData, platformRules } from "@carillon/domain"
import { DateTime, Duration, Effect, Option, Random, Redacted, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import type { Handle } from "../../engine/Handle.ts"
import { type FittedImage, type Platform, PublishError, type PublishRequest } from "../Platform.ts"
import { platformHttp, type Refusal, type Refused, refusedByStatus, shortAnswer } from "../PlatformHttp.ts"
import { decodeCredentials } from "../StoredCredentials.ts"
import { DidDocument, type IdentityOptions, resolveIdentity, serviceOf, serviceOrigin } from "./Identity.ts"
import { tid } from "./Tid.ts"
import { readHandleWith } from "../StoredHandle.ts"

const SignIn = Schema.Struct({
  identifier: Schema.String,
  app_password: Schema.String,
  service: Schema.optionalKey(Schema.String)
})
const BlueskyCredentials = Schema.Struct({
  service: Schema.String,
  did: Schema.String,
  accessJwt: Schema.String,
  refreshJwt: Schema.String
})
type BlueskyCredentials = typeof BlueskyCredentials.Type

const Session = Schema.Struct({
  did: Schema.String,
  handle: Schema.String,
  accessJwt: Schema.String,
  refreshJwt: Schema.String,
  active: Schema.optionalKey(Schema.Boolean),
  didDoc: Schema.optionalKey(DidDocument)
})
const TokenClaims = Schema.fromJsonString(Schema.Struct({ exp: Schema.Finite }))
const Profile = Schema.Struct({
  value: Schema.Struct({
    displayName: Schema.optionalKey(Schema.String),
    avatar: Schema.optionalKey(Schema.Struct({ ref: Schema.Struct({ $link: Schema.String }) }))
  })
})
const Blob = Schema.Struct({
  $type: Schema.Literal("blob"),
  ref: Schema.Struct({ $link: Schema.String }),
  mimeType: Schema.String,
  size: Schema.Int
})
const UploadedBlob = Schema.Struct({ blob: Blob })
const UploadedImage = Schema.Struct({
  image: Blob,
  aspectRatio: Schema.Struct({ width: Schema.Int, height: Schema.Int })
})
const ResolvedHandle = Schema.Struct({ did: Schema.String })
const WrittenRecord = Schema.Struct({ uri: Schema.String, cid: Schema.String })
const StoredRecord = Schema.Struct({ uri: Schema.String })
const ErrorBody = Schema.Struct({ error: Schema.String, message: Schema.optionalKey(Schema.String) })
const Options = Schema.Struct({
  langs: Schema.optionalKey(Schema.Array(Schema.String)),
  alt_text: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)]))
})

const PostRecord = Schema.Struct({
  $type: Schema.Literal("app.bsky.feed.post"),
  text: Schema.String,
  createdAt: Schema.String,
  langs: Schema.optionalKey(Schema.Array(Schema.String)),
  facets: Schema.optionalKey(Schema.Json),
  embed: Schema.optionalKey(Schema.Json)
})
type PostRecord = typeof PostRecord.Type

/** The handle of `prepare`. With `post` it is complete: every try sends exactly this record. */
const BlueskyHandle = Schema.Struct({
  /** By media id. */
  images: Schema.Record(Schema.String, UploadedImage),
  post: Schema.optionalKey(Schema.Struct({ rkey: Schema.String, record: PostRecord }))
})
type BlueskyHandle = typeof BlueskyHandle.Type

const decodeSignIn = Schema.decodeUnknownEffect(SignIn)
const decodeStored = decodeCredentials(BlueskyCredentials, "Bluesky")
const decodeHandle = Schema.decodeUnknownOption(BlueskyHandle)
const decodeOptions = Schema.decodeUnknownOption(Options)
const decodeErrorBody = Schema.decodeUnknownOption(ErrorBody)
const decodeClaims = Schema.decodeUnknownOption(TokenClaims)

const collection = "app.bsky.feed.post"
/** The server for accounts of the network's main provider, whose e-mail addresses name no server. */
const entryway = "https://bsky.social"
/** An edited record may have any size that a server takes. */
const recordAnswer = 1024 * 1024
/** A post prepared later than this after its time gets the present date: an old date sinks in the feeds. */
const lateAfter = Duration.seconds(10)
const commitTimeout = Duration.seconds(30)

/**
 * Bluesky and other AT Protocol servers. The commit is a `putRecord` under a key that was chosen in `prepare`; a server
 * refuses it if the key is taken, so repeating it never makes a second post.
 */
export const makeBluesky = (client: HttpClient.HttpClient, options: IdentityOptions): Platform => {
  const call = platformHttp(client, "Bluesky")
  const resolve = resolveIdentity(call, options)

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
            : `${service}/xrpc/com.atproto.sync.getBlob?did=${encodeURIComponent(did)}&cid=${avatar.ref.$link}`
      })),
      Effect.orElseSucceed(() => ({ display_name: null, avatar_url: null }))
    )

  const uploadBlob = ({ service, accessJwt }: BlueskyCredentials, image: FittedImage) =>
    call({
      method: "POST",
      url: `${service}/xrpc/com.atproto.repo.uploadBlob`,
      bearer: accessJwt,
      body: HttpBody.uint8Array(image.bytes, image.mime_type),
      timeout: "2 minutes",
      maxAnswerBytes: shortAnswer,
      answer: UploadedBlob,
      refuse
    }).pipe(Effect.map(({ blob }) => blob))

  /** Null for a handle that nobody has. */
  const resolveMention = ({ service, accessJwt }: BlueskyCredentials, handle: string) =>
    call({
      method: "GET",
      url: `${service}/xrpc/com.atproto.identity.resolveHandle`,
      query: { handle },
      bearer: accessJwt,
      maxAnswerBytes: shortAnswer,
      answer: ResolvedHandle,
      refuse: (refusal) =>
        refusal.status === 400 && refuse(refusal).token_expired !== true
          ? { class: "invalid", code: "handle_unknown", message: `Nobody has the handle ${handle}.` }
          : refuse(refusal)
    }).pipe(
      Effect.map(({ did }) => did as string | null),
      Effect.catchIf(
        ({ code }) => code === "handle_unknown",
        () => Effect.succeed(null)
      )
    )

  const toFacet = Effect.fnUntraced(function* (
    credentials: BlueskyCredentials,
    { start, end, ...part }: Facet
  ) {
    const index = { byteStart: start, byteEnd: end }
    switch (part.kind) {
      case "link":
        return [{ index, features: [{ $type: "app.bsky.richtext.facet#link", uri: part.uri }] }]
      case "tag":
        return [{ index, features: [{ $type: "app.bsky.richtext.facet#tag", tag: part.tag }] }]
      case "mention": {
        const did = yield* resolveMention(credentials, part.handle)
        return did === null ? [] : [{ index, features: [{ $type: "app.bsky.richtext.facet#mention", did }] }]
      }
    }
  })

  return {
    id: "bluesky",
    rules: platformRules.bluesky,
    capabilities: {
      reconcile: () => "replay",
      prepare_ahead: Duration.minutes(10),
      settle_wait: Duration.seconds(5),
      lookup_apart: Duration.seconds(60),
      concurrent_commits: 256,
      commit_timeout: commitTimeout
    },

    connect: Effect.fn("Bluesky.connect")(function* (input) {
      const signIn = yield* decodeSignIn(input).pipe(Effect.mapError(() => rejected(signInMissing)))
      const identifier = cleanIdentifier(signIn.identifier)
      const password = signIn.app_password.trim()
      const isEmail = identifier.includes("@")
      const chosen = signIn.service === undefined ? undefined : serviceOrigin(signIn.service, options)
      if (signIn.service !== undefined && chosen === undefined) {
        return yield* rejected(
          `"${signIn.service}" is not an https address of a server. Give one such as ${entryway}.`
        )
      }
      if (!isEmail && !/^(did:(plc|web):[\w.:%-]+|([a-z0-9-]+\.)+[a-z][a-z0-9-]*)$/.test(identifier)) {
        return yield* rejected(`"${identifier}" is no handle. Give the full one, such as alice.bsky.social.`)
      }
      const found =
        chosen === undefined && !isEmail
          ? yield* resolve(identifier)
          : { service: chosen ?? entryway, did: undefined }
      const session = yield* call({
        method: "POST",
        url: `${found.service}/xrpc/com.atproto.server.createSession`,
        body: HttpBody.jsonUnsafe({ identifier, password }),
        secrets: [password],
        maxAnswerBytes: shortAnswer,
        answer: Session,
        refuse: refuseSignIn
      })
      if (found.did !== undefined && found.did !== session.did) {
        return yield* rejected(`The server signed in another account than "${identifier}". Check its handle.`)
      }
      if (session.active === false)
        return yield* new PublishError({ ...inactive, code: "AccountDeactivated" })
      const service =
        (chosen === undefined && session.didDoc !== undefined
          ? serviceOf(session.didDoc, options)
          : undefined) ?? found.service
      return {
        remote_id: session.did,
        username: session.handle,
        ...(yield* profileOf(service, session.did)),
        ...tokens(service, session)
      }
    }),

    refresh: Effect.fn("Bluesky.refresh")(function* (credentials) {
      const { service, refreshJwt } = yield* decodeStored(credentials)
      const session = yield* call({
        method: "POST",
        url: `${service}/xrpc/com.atproto.server.refreshSession`,
        bearer: refreshJwt,
        maxAnswerBytes: shortAnswer,
        answer: Session,
        refuse: refuseRefresh
      })
      return tokens(service, session)
    }),

    prepare: Effect.fn("Bluesky.prepare")(function* (request, stored, saved, save) {
      const credentials = yield* decodeStored(stored)
      let handle = Option.getOrElse(decodeHandle(saved), (): BlueskyHandle => ({ images: {} }))
      if (handle.post !== undefined) return { _tag: "ready" as const, handle: toHandle(handle) }

      const { langs, alt_text } = Option.getOrElse(
        decodeOptions(request.options),
        (): typeof Options.Type => ({})
      )
      const images: Array<Schema.Json> = []
      for (const [index, media] of request.media.entries()) {
        if (media.kind !== "image") return yield* notAnImage(media.name)
        let uploaded = handle.images[media.id]
        if (uploaded === undefined) {
          const fitted = yield* media.image
          uploaded = {
            image: yield* uploadBlob(credentials, fitted),
            aspectRatio: { width: fitted.width, height: fitted.height }
          }
          handle = { images: { ...handle.images, [media.id]: uploaded } }
          yield* save(toHandle(handle))
        }
        const alt = media.alt_text ?? (typeof alt_text === "string" ? alt_text : alt_text?.[index]) ?? ""
        images.push({ alt, ...uploaded })
      }

      // A lone surrogate has no UTF-8 form and would shift every offset behind it.
      const text = request.caption.toWellFormed()
      const facets = yield* Effect.forEach(detectFacets(text), (facet) => toFacet(credentials, facet))
      const now = yield* DateTime.now
      const late = DateTime.isGreaterThan(now, DateTime.addDuration(request.due_at, lateAfter))
      const createdAt = late ? now : request.due_at
      const record: PostRecord = {
        $type: collection,
        text,
        createdAt: DateTime.formatIso(createdAt),
        ...(langs === undefined || langs.length === 0 ? {} : { langs }),
        ...(facets.flat().length === 0 ? {} : { facets: facets.flat() }),
        ...(images.length === 0 ? {} : { embed: { $type: "app.bsky.embed.images", images } })
      }
      // Keys of one account must differ even for posts of the same instant: 30 random bits within the second.
      const microseconds =
        DateTime.toEpochMillis(createdAt) * 1000 + (yield* Random.nextIntBetween(0, 999_999))
      const rkey = tid(microseconds, yield* Random.nextIntBetween(0, 1023))
      return { _tag: "ready" as const, handle: toHandle({ ...handle, post: { rkey, record } }) }
    }),

    poll: (_request, _credentials, handle) => Effect.succeed({ _tag: "ready", handle }),

    commit: Effect.fn("Bluesky.commit")(function* (request, secret, saved) {
      const credentials = yield* decodeStored(secret)
      const { rkey, record } = yield* frozenPost(saved)
      yield* call({
        method: "POST",
        url: `${credentials.service}/xrpc/com.atproto.repo.putRecord`,
        bearer: credentials.accessJwt,
        body: HttpBody.jsonUnsafe({ repo: credentials.did, collection, rkey, record, swapRecord: null }),
        commit: true,
        timeout: commitTimeout,
        maxAnswerBytes: shortAnswer,
        answer: WrittenRecord,
        refuse
      }).pipe(
        // An earlier try took the key, and somebody has edited the record since; unedited, it is answered with 200.
        Effect.catchIf(
          ({ code }) => code === "InvalidSwap",
          () => Effect.void
        )
      )
      return published(request, credentials.did, rkey)
    }),

    reconcile: Effect.fn("Bluesky.reconcile")(function* (request, secret, saved) {
      const { service, did, accessJwt } = yield* decodeStored(secret)
      const { rkey } = yield* frozenPost(saved)
      return yield* call({
        method: "GET",
        url: `${service}/xrpc/com.atproto.repo.getRecord`,
        query: { repo: did, collection, rkey },
        bearer: accessJwt,
        maxAnswerBytes: recordAnswer,
        answer: StoredRecord,
        refuse
      }).pipe(
        Effect.as({ _tag: "published" as const, data: published(request, did, rkey) }),
        Effect.catchIf(
          ({ code }) => code === "RecordNotFound",
          () => Effect.succeed({ _tag: "not_published" as const })
        )
      )
    }),

    confirm: (_request, _credentials, _handle, data) => Effect.succeed(data)
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

const toHandle = ({ images, post }: BlueskyHandle): Handle => ({
  images,
  ...(post === undefined ? {} : { post })
})

const frozenPost = readHandleWith(
  (saved) => Option.flatMapNullishOr(decodeHandle(saved), ({ post }) => post),
  "Bluesky"
)

const published = (request: PublishRequest, did: string, rkey: string): PlatformData => ({
  id: `at://${did}/${collection}/${rkey}`,
  // An account whose domain has lapsed is called handle.invalid; its DID always works.
  url: `https://bsky.app/profile/${request.username === "handle.invalid" ? did : request.username}/post/${rkey}`,
  username: request.username
})

const signInMissing = 'Bluesky needs an "identifier" (handle) and an "app_password".'

const rejected = (message: string) =>
  new PublishError({ class: "reconnect", code: "credentials_rejected", message })

const notAnImage = (name: string) =>
  new PublishError({
    class: "invalid",
    code: "media_not_supported",
    message: `"${name}" is not an image. Posts to Bluesky take up to four images; remove it for this platform.`
  })

const inactive = {
  class: "forbidden",
  message:
    "Bluesky says that the account is deactivated, suspended or taken down. Sign in at bsky.app to see why."
} as const

/** An error that is not named here goes by its status. */
const refuse = ({ status, body }: Refusal): Refused =>
  Option.match(decodeErrorBody(body), {
    onNone: () => withRefresh(refusedByStatus("Bluesky", status)),
    onSome: ({ error: code, message = code }) => {
      switch (code) {
        case "ExpiredToken":
        case "InvalidToken":
        case "AuthMissing":
        case "AuthenticationRequired":
          return {
            class: "reconnect",
            code,
            message: "Bluesky does not accept the account's access any more. Connect the account again.",
            token_expired: true
          }
        case "AccountTakedown":
        case "AccountDeactivated":
        case "AccountSuspended":
        case "RepoTakendown":
        case "RepoDeactivated":
        case "RepoSuspended":
          return { ...inactive, code }
        case "BlobNotFound":
          return {
            class: "transient",
            code,
            message:
              "Bluesky no longer has an image that was uploaded for this post. It will be uploaded again.",
            discard_handle: true
          }
        case "InvalidMimeType":
        case "InvalidSize":
        case "BlobTooLarge":
        case "PayloadTooLarge":
          return {
            class: "media_rejected",
            code,
            message: `Bluesky does not take a file and says "${message}". Use a smaller image or another type.`
          }
        default:
          return withRefresh(refusedByStatus("Bluesky", status, { code, message }))
      }
    }
  })

/** Every other 401 may be the token's fault too. */
const withRefresh = (refused: Refused): Refused =>
  refused.class === "reconnect" ? { ...refused, token_expired: true } : refused

const refuseSignIn = (refusal: Refusal): Refused => {
  const refused = refuse(refusal)
  if (refused.code === "AuthFactorTokenRequired") {
    return {
      class: "reconnect",
      code: "credentials_rejected",
      message:
        "This is the account's main password, and it asks for a code by e-mail as well. Make an app password at " +
        "bsky.app (Settings, Privacy and security, App passwords) and use that."
    }
  }
  return refused.token_expired === true
    ? {
        class: "reconnect",
        code: "credentials_rejected",
        message:
          "The server does not accept this handle and app password. Check the handle, and make a new app password " +
          "at bsky.app (Settings, Privacy and security, App passwords)."
      }
    : refused
}

const refuseRefresh = (refusal: Refusal): Refused => {
  const { token_expired: _expired, ...refused } = refuse(refusal)
  return refused
}
