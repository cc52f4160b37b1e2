import { type PlatformData, platformRules } from "@carillon/domain"
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import { Accepted, type Platform, PublishError, type PublishRequest, type Reconciled } from "../Platform.ts"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { platformHttp, refusedByStatus, shortAnswer } from "../PlatformHttp.ts"
import { arrivedOf, chunkCount, chunkSizes } from "./Chunks.ts"
import {
  CreatorInfo,
  durationAllowed,
  type Options,
  optionsOf,
  photoInfo,
  privacyLevel,
  videoInfo
} from "./PostInfo.ts"
import { NotOk, Ok } from "./TikTokAnswers.ts"
import { chunksRefused, failed, refuse } from "./TikTokErrors.ts"
import {
  chunkAfter,
  decodeHandle,
  type PullHandle,
  type PushHandle,
  readHandle,
  type TikTokHandle,
  unfollowed,
  withSent
} from "./TikTokHandle.ts"
import { decodeStored, type TikTokCredentials, tiktokSignIn } from "./TikTokSignIn.ts"

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

  /** One JSON call. A refusal may come with status 200. */
  const api = Effect.fnUntraced(function* <S extends Schema.ConstraintDecoder<unknown>>(
    path: string,
    { access_token }: TikTokCredentials,
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

  const creatorInfo = (stored: TikTokCredentials) => api("creator_info/query", stored, {}, CreatorInfo)

  /** A post appears only after its last byte has arrived, so an init whose answer is lost may be repeated. */
  const startPush = Effect.fnUntraced(function* (
    request: PublishRequest,
    options: Options,
    stored: TikTokCredentials
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
    stored: TikTokCredentials
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
    stored: TikTokCredentials
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

    ...tiktokSignIn(client, app),

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
