import { type PlatformData, platformRules } from "@carillon/domain"
import { DateTime, Duration, Effect, Option, Redacted, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import {
  Accepted,
  type ConnectedAccount,
  type Credentials,
  type Platform,
  PublishError,
  type PublishRequest,
  type Reconciled
} from "../Platform.ts"
import { accessEnd } from "../AccessEnd.ts"
import { requireScopes } from "../GrantedScopes.ts"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { platformHttp, refusedByStatus, shortAnswer } from "../PlatformHttp.ts"
import { decodeCredentials } from "../StoredCredentials.ts"
import { readHandleWith } from "../StoredHandle.ts"
import { arrivedOf, chunkCount, chunkSizes, nextChunk } from "./Chunks.ts"
import {
  CreatorInfo,
  durationAllowed,
  type Options,
  optionsOf,
  photoInfo,
  privacyLevel,
  videoInfo
} from "./PostInfo.ts"
import { chunksRefused, failed, refuse } from "./TikTokErrors.ts"

/** The scopes of an app unless the operator says otherwise. */
export const tiktokScopes = ["user.info.basic", "user.info.profile", "video.publish", "video.upload"]

const TikTokCredentials = Schema.Struct({
  access_token: Schema.String,
  refresh_token: Schema.String,
  open_id: Schema.String
})

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

const Pushing = Schema.Struct({ publish_id: Schema.String, upload_url: Schema.String })
const Pulling = Schema.Struct({ publish_id: Schema.String })
const Status = Schema.Struct({
  status: Schema.String,
  fail_reason: Schema.optionalKey(Schema.String),
  /** Long numbers come as strings; short ones would come as numbers. */
  publicaly_available_post_id: Schema.optionalKey(
    Schema.NullOr(Schema.Array(Schema.Union([Schema.String, Schema.Finite])))
  ),
  uploaded_bytes: Schema.optionalKey(Schema.Finite)
})

const followed = {
  inbox: Schema.Boolean,
  /** Others will see it, so it gets a usable id. */
  public: Schema.Boolean,
  /** As the creator info had it when the post was begun; a draft has no address that would need it. */
  username: Schema.optionalKey(Schema.String),
  /** When TikTok had all of it: Unix time in milliseconds. */
  accepted_at: Schema.NullOr(Schema.Int),
  /** When it was found published without an id. */
  complete_at: Schema.NullOr(Schema.Int)
}
const PushHandle = Schema.Struct({
  _tag: Schema.tag("push"),
  publish_id: Schema.String,
  upload_url: Schema.String,
  size: Schema.Int,
  /** Missing in handles of earlier versions, whose chunks had 5 MiB. */
  chunk_size: Schema.optionalKey(Schema.Int),
  /** Bytes that have arrived. */
  sent: Schema.Int,
  ...followed
})
const PullHandle = Schema.Struct({
  _tag: Schema.tag("pull"),
  publish_id: Schema.NullOr(Schema.String),
  post_info: Schema.Record(Schema.String, Schema.Json),
  photo_images: Schema.Array(Schema.String),
  ...followed
})
const TikTokHandle = Schema.Union([PushHandle, PullHandle])
type PushHandle = typeof PushHandle.Type
type PullHandle = typeof PullHandle.Type
type TikTokHandle = typeof TikTokHandle.Type

/** A refusal may come with status 200; a success has no body. */
const isRefusal = Schema.is(Schema.Struct({ error: Schema.String }))

const decodeStored = decodeCredentials(TikTokCredentials, "TikTok")
const decodeHandle = Schema.decodeUnknownOption(TikTokHandle)
const readHandle = readHandleWith(decodeHandle, "TikTok")

const Chunk = Schema.Struct({
  status: Schema.Int,
  headers: Schema.Struct({ "content-range": Schema.optionalKey(Schema.String) })
})

/** The slowest line that an upload allows for. */
const minimumBytesPerSecond = 64 * 1024
/** 64 MB in a commit, on a line of one megabit a second. */
const commitTimeout = Duration.minutes(10)

/** The id of a public post becomes known about a minute after it is live, sometimes hours. */
const idPatience = 2 * 60_000

/**
 * TikTok's Content Posting API v2. Videos are pushed in chunks: all but the last one ahead of the due time, and the last
 * one is the commit. TikTok fetches photos itself: their init is the commit.
 */
export const makeTikTok = (client: HttpClient.HttpClient, app: ConnectedApp): Platform => {
  const call = platformHttp(client, "TikTok")
  const host = app.at("open.tiktokapis.com")
  const scopes = app.scopes ?? tiktokScopes

  /** One JSON call. A refusal may come with status 200. */
  const api = Effect.fnUntraced(function* <S extends Schema.ConstraintDecoder<unknown>>(
    path: string,
    { access_token }: typeof TikTokCredentials.Type,
    body: Schema.Json,
    data: S,
    commit = false
  ) {
    const answer = yield* call({
      method: "POST",
      url: `${host}/v2/post/publish/${path}/`,
      bearer: access_token,
      body: HttpBody.text(JSON.stringify(body), "application/json; charset=UTF-8"),
      commit,
      maxAnswerBytes: shortAnswer,
      answer: Schema.Union([Schema.Struct({ error: Ok, data }), Schema.Struct({ error: NotOk })]),
      refuse
    })
    return "data" in answer
      ? (answer.data as S["Type"])
      : yield* new PublishError(refuse({ status: 200, body: answer }))
  })

  const token = Effect.fnUntraced(function* (fields: Record<string, string>, secret: string) {
    const answer = yield* call({
      method: "POST",
      url: `${host}/v2/oauth/token/`,
      body: HttpBody.urlParams(
        Object.entries({ client_key: app.id, client_secret: Redacted.value(app.secret), ...fields })
      ),
      secrets: [Redacted.value(app.secret), secret],
      maxAnswerBytes: shortAnswer,
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

  const creatorInfo = (stored: typeof TikTokCredentials.Type) =>
    api("creator_info/query", stored, {}, CreatorInfo)

  /** A post appears only after its last byte has arrived, so an init whose answer is lost may be repeated. */
  const startPush = Effect.fnUntraced(function* (
    request: PublishRequest,
    options: Options,
    stored: typeof TikTokCredentials.Type
  ) {
    const video = request.media[0]!
    const size = video.size_bytes
    const begin = Effect.fnUntraced(function* (
      path: string,
      rest: { readonly [key: string]: Schema.Json },
      followed: ReturnType<typeof unfollowed>
    ) {
      const inChunksOf = (chunk_size: number) => {
        const total_chunk_count = chunkCount(size, chunk_size)
        const source_info = { source: "FILE_UPLOAD", video_size: size, chunk_size, total_chunk_count }
        return Effect.map(api(path, stored, { ...rest, source_info }, Pushing), (pushing): PushHandle => ({
          _tag: "push",
          ...pushing,
          size,
          chunk_size,
          sent: 0,
          ...followed
        }))
      }
      const [first, other] = chunkSizes(size)
      return yield* inChunksOf(first).pipe(
        Effect.catchIf(
          ({ code }) => code === chunksRefused && other !== undefined,
          () => inChunksOf(other!)
        )
      )
    })
    if (options.draft === true) return yield* begin("inbox/video/init", {}, unfollowed(null))
    const creator = yield* creatorInfo(stored)
    yield* durationAllowed(request, creator)
    const level = yield* privacyLevel(options, request.default_privacy_level, creator)
    const post_info = videoInfo(request.caption, level, options, creator)
    return yield* begin("video/init", { post_info }, unfollowed({ level, creator }))
  })

  const startPull = Effect.fnUntraced(function* (
    request: PublishRequest,
    options: Options,
    stored: typeof TikTokCredentials.Type
  ) {
    const photo_images = yield* Effect.forEach(request.media, ({ public_url }) => public_url)
    const pull = (
      post_info: PullHandle["post_info"],
      followed: ReturnType<typeof unfollowed>
    ): PullHandle => ({ _tag: "pull", publish_id: null, post_info, photo_images, ...followed })
    if (options.draft === true) return pull(photoInfo(request.caption, options, null), unfollowed(null))
    const creator = yield* creatorInfo(stored)
    const level = yield* privacyLevel(options, request.default_privacy_level, creator)
    const post_info = photoInfo(request.caption, options, { privacy_level: level, creator })
    return pull(post_info, unfollowed({ level, creator }))
  })

  /** Sends one chunk; gives the number of bytes that have arrived, or undefined where TikTok does not say. */
  const put = Effect.fnUntraced(function* (request: PublishRequest, handle: PushHandle, commit: boolean) {
    const video = request.media[0]!
    const { start, end } = chunkAfter(handle)
    const length = end + 1 - start
    const { status, headers } = yield* call({
      method: "PUT",
      url: handle.upload_url,
      headers: { "content-range": `bytes ${start}-${end}/${handle.size}` },
      body: HttpBody.stream(video.part({ start, end }), video.mime_type, length),
      // A holder of the address can send bytes to it.
      secrets: [handle.upload_url, ...new URL(handle.upload_url).searchParams.values()],
      timeout: commit
        ? commitTimeout
        : Duration.sum(Duration.seconds(30), Duration.seconds(length / minimumBytesPerSecond)),
      commit,
      format: "whole",
      also: [416],
      maxAnswerBytes: shortAnswer,
      answer: Chunk,
      refuse: ({ status }) => refusedUpload(status)
    })
    const arrived = arrivedOf(headers["content-range"])
    return status === 416 ? { inOrder: false, arrived } : { inOrder: true, arrived: arrived ?? end + 1 }
  })

  const accepted = Effect.fnUntraced(function* (handle: TikTokHandle) {
    const accepted_at = DateTime.toEpochMillis(yield* DateTime.now)
    return new Accepted({ handle: { ...handle, accepted_at }, ask_after: firstLook })
  })

  const permalink = (username: string, kind: "video" | "photo", id: string) =>
    `${app.at("www.tiktok.com")}/@${encodeURIComponent(username)}/${kind}/${id}`

  const commitPush = Effect.fnUntraced(function* (request: PublishRequest, handle: PushHandle) {
    if (handle.sent >= handle.size) return yield* accepted(handle)
    const { inOrder, arrived } = yield* put(request, handle, true)
    if (arrived === handle.size) return yield* accepted({ ...handle, sent: handle.size })
    // Without its last byte it cannot be live.
    if (inOrder || arrived !== undefined) return yield* uploadLost("upload_out_of_order")
    return yield* new PublishError({
      class: "ambiguous",
      code: "upload_out_of_order",
      message:
        "TikTok expects different bytes of this video and does not say which. Carillon will ask it what became of the post."
    })
  })

  const commitPull = Effect.fnUntraced(function* (
    request: PublishRequest,
    handle: PullHandle,
    stored: typeof TikTokCredentials.Type
  ) {
    const { photo_cover_index, is_aigc } = optionsOf(request)
    const { photo_images } = handle
    const { publish_id } = yield* api(
      "content/init",
      stored,
      {
        media_type: "PHOTO",
        post_mode: handle.inbox ? "MEDIA_UPLOAD" : "DIRECT_POST",
        post_info: handle.post_info,
        source_info: { source: "PULL_FROM_URL", photo_images, photo_cover_index: photo_cover_index ?? 0 },
        ...(is_aigc == null ? {} : { is_aigc })
      },
      Pulling,
      true
    )
    return yield* accepted({ ...handle, publish_id })
  })

  return {
    id: "tiktok",
    rules: platformRules.tiktok,
    stand_in: app.stand_in,
    capabilities: {
      reconcile: () => "lookup",
      // Upload addresses are valid for an hour, and the due time has to be within it.
      prepare_ahead: Duration.minutes(30),
      settle_wait: Duration.seconds(2),
      lookup_apart: Duration.seconds(60),
      concurrent_commits: 50,
      commit_timeout: commitTimeout
    },

    secret_handle_fields: ["upload_url", "photo_images"],

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
    }),

    choices: Effect.fn("TikTok.choices")(function* (credentials) {
      const creator = yield* creatorInfo(yield* decodeStored(credentials))
      return {
        username: creator.creator_username ?? null,
        nickname: creator.creator_nickname ?? null,
        avatar_url: creator.creator_avatar_url ?? null,
        privacy_level: creator.privacy_level_options,
        allow_comment: !creator.comment_disabled,
        allow_duet: !creator.duet_disabled,
        allow_stitch: !creator.stitch_disabled,
        max_video_duration_ms: creator.max_video_post_duration_sec * 1000
      }
    }),

    prepare: Effect.fn("TikTok.prepare")(function* (request, credentials, saved, save) {
      const stored = yield* decodeStored(credentials)
      const options = optionsOf(request)
      const known = Option.getOrUndefined(decodeHandle(saved))
      if (request.media[0]?.kind !== "video") {
        const handle = known?._tag === "pull" ? known : yield* startPull(request, options, stored)
        return { _tag: "ready", handle: { ...handle } }
      }
      let handle = known?._tag === "push" ? known : yield* startPush(request, options, stored)
      if (known === undefined) yield* save({ ...handle })
      while (handle.sent < handle.size && !chunkAfter(handle).last) {
        const { inOrder, arrived } = yield* put(request, handle, false)
        if (arrived === undefined || (!inOrder && arrived === handle.sent)) {
          return yield* uploadLost("upload_out_of_order")
        }
        handle = withSent(handle, arrived)
        yield* save({ ...handle })
      }
      return { _tag: "ready", handle: { ...handle } }
    }),

    poll: (_request, _credentials, handle) => Effect.succeed({ _tag: "ready", handle }),

    commit: Effect.fn("TikTok.commit")(function* (request, credentials, saved) {
      const handle = yield* readHandle(saved)
      return yield* handle._tag === "push"
        ? commitPush(request, handle)
        : commitPull(request, handle, yield* decodeStored(credentials))
    }),

    reconcile: Effect.fn("TikTok.reconcile")(function* (request, credentials, saved): Effect.fn.Return<
      Reconciled,
      PublishError
    > {
      const known = decodeHandle(saved)
      if (Option.isNone(known) || known.value.publish_id === null) return { _tag: "unknown" }
      const handle = known.value
      const publish_id = known.value.publish_id
      const stored = yield* decodeStored(credentials)
      const looked = yield* api("status/fetch", stored, { publish_id }, Status)
      const username = handle.username ?? request.username
      const now = DateTime.toEpochMillis(yield* DateTime.now)
      const working = (seen: TikTokHandle): Reconciled => ({
        _tag: "working",
        handle: { ...seen, accepted_at: seen.accepted_at ?? now },
        ask_after: nextLook(now - (seen.accepted_at ?? now))
      })
      const published = (id: string, url: string | null): Reconciled => {
        const data: PlatformData = { id, url, username }
        return { _tag: "published", data }
      }
      switch (looked.status) {
        case "PUBLISH_COMPLETE": {
          const [postId] = looked.publicaly_available_post_id ?? []
          if (postId !== undefined) {
            const kind = handle._tag === "push" ? "video" : "photo"
            return published(String(postId), permalink(username, kind, String(postId)))
          }
          const complete_at = handle.complete_at ?? now
          return handle.public && now - complete_at < idPatience
            ? working({ ...handle, complete_at })
            : published(publish_id, null)
        }
        case "SEND_TO_USER_INBOX":
          return published(publish_id, null)
        case "FAILED":
          return { _tag: "refused", failure: failed(looked.fail_reason ?? "internal") }
        default: {
          const incomplete =
            handle._tag === "push" &&
            handle.accepted_at === null &&
            looked.uploaded_bytes !== undefined &&
            looked.uploaded_bytes < handle.size
          return incomplete ? { _tag: "not_published" } : working(handle)
        }
      }
    }),

    confirm: (_request, _credentials, _handle, data) => Effect.succeed(data)
  }
}

const Ok = Schema.Struct({ code: Schema.Literal("ok") })
const NotOk = Schema.Struct({
  code: Schema.String.check(Schema.makeFilter((code) => code !== "ok")),
  message: Schema.optionalKey(Schema.String)
})

/** Of a post to an audience, or of a draft (null). */
const unfollowed = (
  direct: { readonly level: string; readonly creator: Pick<CreatorInfo, "creator_username"> } | null
) => ({
  inbox: direct === null,
  public: direct?.level === "PUBLIC_TO_EVERYONE",
  ...(direct?.creator.creator_username === undefined ? {} : { username: direct.creator.creator_username }),
  accepted_at: null,
  complete_at: null
})

const chunkAfter = ({ sent, size, chunk_size = 5 * 1024 * 1024 }: PushHandle) =>
  nextChunk(sent, size, chunk_size)

const withSent = (handle: PushHandle, sent: number): PushHandle => ({ ...handle, sent })

const firstLook = Duration.seconds(2)

/** TikTok allows 30 looks a minute for all posts of an account, so looks become rarer. */
const nextLook = (elapsed: number) => Duration.millis(Math.min(60_000, Math.max(2000, elapsed / 4)))

const uploadLost = (code: string) =>
  new PublishError({
    class: "transient",
    code,
    message:
      "TikTok lost the upload, or the upload address expired. Nothing was posted. Carillon will send the file again.",
    discard_handle: true
  })

/** A chunk's errors. Nothing is posted before the last chunk was accepted. */
const refusedUpload = (status: number) => {
  switch (status) {
    case 403:
      return uploadLost("upload_expired")
    case 404:
      return uploadLost("upload_not_found")
    default:
      return { ...refusedByStatus("TikTok", status), discard_handle: true }
  }
}
