import { type PlatformData, platformRules, PostReview } from "@carillon/domain"
import { DateTime, Duration, Effect, Option, Redacted, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import type { Handle } from "../engine/Handle.ts"
import {
  type Platform,
  type Prepared,
  PublishError,
  type PublishMedia,
  type PublishRequest
} from "./Platform.ts"
import {
  platformHttp,
  refusedByStatus,
  type Refusal,
  type Refused,
  shortAnswer,
  uploadTime
} from "./PlatformHttp.ts"
import { publishOptions } from "./PublishOptions.ts"
import { decodeCredentials } from "./StoredCredentials.ts"
import { readHandleWith } from "./StoredHandle.ts"

const SignIn = Schema.Struct({ username: Schema.String, password: Schema.String })
// The password is kept, because a new session is the sandbox's only refresh.
const SandboxCredentials = Schema.Struct({ ...SignIn.fields, token: Schema.String })

const Session = Schema.Struct({
  access_token: Schema.String,
  /** Seconds. */
  expires_in: Schema.Finite,
  account: Schema.Struct({
    id: Schema.String,
    username: Schema.String,
    display_name: Schema.NullOr(Schema.String),
    avatar_url: Schema.NullOr(Schema.String)
  })
})
const RemoteMedia = Schema.Struct({
  id: Schema.String,
  status: Schema.Literals(["processing", "ready", "failed"])
})
const RemotePost = Schema.Struct({
  id: Schema.String,
  url: Schema.String,
  /** Only of a post that it reviews. */
  review: Schema.optionalKey(Schema.Struct({ state: PostReview, reason: Schema.NullOr(Schema.String) }))
})
const RemotePosts = Schema.Struct({ posts: Schema.Array(RemotePost) })
const ErrorBody = Schema.Struct({ error: Schema.Struct({ code: Schema.String, message: Schema.String }) })

/** The uploads, by media id. */
const SandboxHandle = Schema.Struct({ media: Schema.Record(Schema.String, RemoteMedia) })
type SandboxHandle = typeof SandboxHandle.Type

const decodeSignIn = Schema.decodeUnknownEffect(SignIn)
const decodeStored = decodeCredentials(SandboxCredentials, "sandbox")
const decodeHandle = Schema.decodeUnknownOption(SandboxHandle)
const readHandle = readHandleWith(decodeHandle, "the sandbox")
const optionsOf = publishOptions("sandbox")
const decodeErrorBody = Schema.decodeUnknownOption(ErrorBody)

const pollAfter = Duration.seconds(1)
const commitTimeout = Duration.seconds(30)

/** The sandbox's own decision: it honours keys, or can be searched, or neither. */
const commitKind = ({ username }: { readonly username: string }): "replay" | "lookup" | "none" =>
  username.endsWith("-lookup") ? "lookup" : username.endsWith("-none") ? "none" : "replay"

/** The test network of packages/sandbox; its wire is described in docs/platforms/sandbox.md. */
export const makeSandbox = (
  client: HttpClient.HttpClient,
  baseUrl: string,
  settleWait = Duration.seconds(5)
): Platform => {
  const call = platformHttp(client, "The sandbox")

  const session = Effect.fnUntraced(function* (body: typeof SignIn.Type | { readonly code: string }) {
    const { access_token, expires_in, account } = yield* call({
      method: "POST",
      url: `${baseUrl}/api/session`,
      body: HttpBody.jsonUnsafe(body),
      secrets: ["code" in body ? body.code : body.password],
      maxAnswerBytes: shortAnswer,
      answer: Session,
      refuse
    })
    const { id, username, display_name, avatar_url } = account
    return {
      remote_id: id,
      username,
      display_name,
      avatar_url,
      credentials: Redacted.make({ username, password: "sandbox", token: access_token }),
      token_expires_at: DateTime.add(yield* DateTime.now, { seconds: expires_in })
    }
  })

  const upload = Effect.fnUntraced(function* (media: PublishMedia, token: string) {
    return yield* call({
      method: "POST",
      url: `${baseUrl}/api/media`,
      bearer: token,
      body: yield* uploadBody(media),
      timeout: uploadTime(media.size_bytes),
      maxAnswerBytes: shortAnswer,
      answer: RemoteMedia,
      refuse
    })
  })

  const look = (media: typeof RemoteMedia.Type, token: string) =>
    media.status === "processing"
      ? call({
          method: "GET",
          url: `${baseUrl}/api/media/${encodeURIComponent(media.id)}`,
          bearer: token,
          maxAnswerBytes: shortAnswer,
          answer: RemoteMedia,
          refuse
        })
      : Effect.succeed(media)

  return {
    id: "sandbox",
    rules: platformRules.sandbox,
    capabilities: {
      reconcile: commitKind,
      prepare_ahead: Duration.minutes(10),
      settle_wait: settleWait,
      lookup_apart: settleWait,
      concurrent_commits: 2048,
      commit_timeout: commitTimeout
    },

    connect: Effect.fn("Sandbox.connect")(function* (input) {
      return yield* session(yield* decodeSignIn(input).pipe(Effect.mapError(() => signInMissing)))
    }),

    oauth: {
      logins: ["sandbox"],
      authorizeUrl: ({ redirect_uri, state }) =>
        `${baseUrl}/oauth/authorize?${new URLSearchParams({
          response_type: "code",
          client_id: "carillon",
          redirect_uri,
          scope: "post",
          state
        })}`,
      exchange: ({ code }) => Effect.map(session({ code }), (account) => [account])
    },

    refresh: Effect.fn("Sandbox.refresh")(function* (stored) {
      const { username, password } = yield* decodeStored(stored)
      const { credentials, token_expires_at } = yield* session({ username, password })
      return { credentials, token_expires_at }
    }),

    prepare: Effect.fn("Sandbox.prepare")(function* (request, credentials, saved, save) {
      const { token } = yield* decodeStored(credentials)
      let handle = Option.getOrElse(decodeHandle(saved), (): SandboxHandle => ({ media: {} }))
      for (const media of request.media) {
        if (handle.media[media.id] !== undefined) continue
        handle = { media: { ...handle.media, [media.id]: yield* upload(media, token) } }
        yield* save(toHandle(handle))
      }
      return yield* prepared(handle)
    }),

    poll: Effect.fn("Sandbox.poll")(function* (_request, credentials, saved) {
      const { token } = yield* decodeStored(credentials)
      const { media } = yield* readHandle(saved)
      const looked = yield* Effect.forEach(Object.entries(media), ([mediaId, known]) =>
        Effect.map(look(known, token), (remote) => [mediaId, remote] as const)
      )
      return yield* prepared({ media: Object.fromEntries(looked) })
    }),

    commit: Effect.fn("Sandbox.commit")(function* (request, credentials, saved) {
      const { token } = yield* decodeStored(credentials)
      const { media } = yield* readHandle(saved)
      const { title, alt_text } = optionsOf(request)
      const post = yield* call({
        method: "POST",
        url: `${baseUrl}/api/posts`,
        bearer: token,
        headers: { "idempotency-key": request.target_id },
        body: HttpBody.jsonUnsafe({
          text: request.caption,
          title: title ?? null,
          media: request.media.map(({ id, alt_text: own }, index) => ({
            id: media[id]?.id,
            alt_text: own ?? (typeof alt_text === "string" ? alt_text : alt_text?.[index]) ?? null
          })),
          client_reference: request.target_id,
          ...(request.thread?.parent ? { reply_to: request.thread.parent.id.split("/").at(-1) } : {})
        }),
        commit: true,
        timeout: commitTimeout,
        maxAnswerBytes: shortAnswer,
        answer: RemotePost,
        refuse
      })
      return toPlatformData(post, request)
    }),

    reconcile: Effect.fn("Sandbox.reconcile")(function* (request, credentials) {
      if (commitKind(request) !== "lookup") return { _tag: "unknown" as const }
      const { token } = yield* decodeStored(credentials)
      const { posts } = yield* call({
        method: "GET",
        url: `${baseUrl}/api/posts`,
        query: { reference: request.target_id },
        bearer: token,
        maxAnswerBytes: shortAnswer,
        answer: RemotePosts,
        refuse
      })
      const [post] = posts
      return post === undefined
        ? { _tag: "not_published" as const }
        : { _tag: "published" as const, data: toPlatformData(post, request) }
    }),

    confirm: (_request, _credentials, _handle, data) => Effect.succeed(data),

    review: Effect.fn("Sandbox.review")(function* ({ data }, credentials) {
      const { token } = yield* decodeStored(credentials)
      const { review } = yield* call({
        method: "GET",
        url: `${baseUrl}/api/posts/${encodeURIComponent(data.id)}`,
        bearer: token,
        maxAnswerBytes: shortAnswer,
        answer: RemotePost,
        refuse
      })
      return review?.state === "rejected"
        ? { _tag: review.state, reason: review.reason }
        : { _tag: review?.state ?? "approved" }
    })
  }
}

const uploadBody = (media: PublishMedia): Effect.Effect<HttpBody.HttpBody, PublishError> =>
  media.kind === "image"
    ? Effect.map(media.image, ({ bytes, mime_type }) => HttpBody.uint8Array(bytes, mime_type))
    : Effect.succeed(HttpBody.stream(media.content, media.mime_type, media.size_bytes))

const toHandle = ({ media }: SandboxHandle): Handle => ({ media })

const prepared = (handle: SandboxHandle): Effect.Effect<Prepared, PublishError> => {
  const statuses = Object.values(handle.media).map(({ status }) => status)
  if (statuses.includes("failed")) return Effect.fail(new PublishError(mediaFailed))
  return Effect.succeed(
    statuses.includes("processing")
      ? { _tag: "wait", handle: toHandle(handle), poll_after: pollAfter }
      : { _tag: "ready", handle: toHandle(handle) }
  )
}

const toPlatformData = (
  { id, url, review }: typeof RemotePost.Type,
  { thread, username }: Pick<PublishRequest, "thread" | "username">
): PlatformData => ({
  id,
  url,
  username,
  ...(review === undefined || thread !== null ? {} : { review: review.state })
})

const signInMissing = new PublishError({
  class: "invalid",
  code: "credentials_rejected",
  message: 'The sandbox needs a "username" and a "password"; the password is always "sandbox".'
})

const mediaFailed: Refused = {
  class: "media_rejected",
  code: "media_failed",
  message: "The sandbox could not process a file in this post. Encode it again or choose another one."
}

/** The error table of docs/platforms/sandbox.md. An error that is not named here goes by its status. */
const refuse = ({ status, body }: Refusal): Refused =>
  Option.match(decodeErrorBody(body), {
    onNone: () => refusedByStatus("The sandbox", status),
    onSome: ({ error: { code, message } }) => {
      switch (code) {
        case "bad_credentials":
        case "bad_username":
          return { class: "reconnect", code: "credentials_rejected", message }
        case "token_expired":
        case "token_invalid":
          return { class: "reconnect", code, message, token_expired: true }
        case "not_found":
        case "media_not_found":
        case "media_not_ready":
          return {
            class: "transient",
            code,
            message: `The sandbox lost an upload for this post. Carillon will upload it again. ${message}`,
            discard_handle: true
          }
        case "media_failed":
          return mediaFailed
        default:
          return refusedByStatus("The sandbox", status, { code, message })
      }
    }
  })
