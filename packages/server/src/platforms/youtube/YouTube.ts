import { type PlatformData, platformRules } from "@carillon/domain"
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import type { Handle } from "../../engine/Handle.ts"
import {
  Accepted,
  type Platform,
  PublishError,
  type PublishMedia,
  type PublishRequest,
  type Reconciled,
  withWarnings
} from "../Platform.ts"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { googleIssuer, googleSignIn } from "../google/GoogleSignIn.ts"
import { platformHttp, shortAnswer } from "../PlatformHttp.ts"
import { readHandleWith } from "../StoredHandle.ts"
import { readCredentials, sharesAccess, youtubeAccess } from "./ChannelAccess.ts"
import { cost, meteredCalls } from "./MeteredCalls.ts"
import { metadataOf, youtubeOptions } from "./Metadata.ts"
import { projectOf, type Quota } from "./Quota.ts"
import { heldBackFrom, lastChunk, nextChunk, resumableUpload, Video } from "./ResumableUpload.ts"
import { videoComments } from "./VideoComments.ts"
import { checkExtras, thumbnailOf, videoExtras } from "./VideoExtras.ts"
import { rejected, stateOf, workingState } from "./VideoState.ts"
import { sessionGone } from "./YouTubeErrors.ts"

/** The identity of an upload; `session` is a secret. */
const YouTubeHandle = Schema.Struct({
  session: Schema.String,
  started_at: Schema.DateTimeUtcFromString,
  /** The video, once its last byte has been taken. */
  video: Schema.optionalKey(Schema.String),
  /** Playlists are done, and the thumbnail unless it waits for the processing. */
  finished: Schema.optionalKey(Schema.Boolean),
  warnings: Schema.optionalKey(Schema.Array(Schema.String)),
  /** How often YouTube was asked about the video. */
  looks: Schema.optionalKey(Schema.Int)
})
type YouTubeHandle = typeof YouTubeHandle.Type

const decodeHandle = Schema.decodeUnknownOption(YouTubeHandle)
const readHandle = readHandleWith(decodeHandle, "YouTube")
const encodeHandle = Schema.encodeSync(YouTubeHandle)
const toHandle = (handle: YouTubeHandle): Handle => ({ ...encodeHandle(handle) })

const Channels = Schema.Struct({
  items: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        id: Schema.String,
        snippet: Schema.Struct({
          title: Schema.String,
          customUrl: Schema.optionalKey(Schema.String),
          thumbnails: Schema.optionalKey(
            Schema.Struct({ default: Schema.optionalKey(Schema.Struct({ url: Schema.String })) })
          )
        })
      })
    )
  )
})
const Started = Schema.Struct({ headers: Schema.Struct({ location: Schema.String }) })
const Videos = Schema.Struct({ items: Schema.optionalKey(Schema.Array(Video)) })
/** 50 channels with descriptions of 1,000 characters, which may occur twice. */
const channelsAnswer = 1024 * 1024

const commitTimeout = Duration.seconds(60)

/** A session lives for about a week; one that disappears sooner made no video. */
const sessionSurelyLives = Duration.days(5)

/** After this many looks, about ten minutes, a video that YouTube still processes counts as published: it has a page. */
const patience = 14

/** docs/decisions/0016-uploads-and-slow-commits.md says why the last chunk is held back. */
export const makeYouTube = (
  client: HttpClient.HttpClient,
  app: ConnectedApp,
  quota: Quota["Service"]
): Platform => {
  const signIn = googleSignIn(client, app, youtubeAccess)
  const call = platformHttp(client, "YouTube")
  const upload = resumableUpload(call)
  const api = `${app.at("www.googleapis.com")}/youtube/v3`
  const uploads = `${app.at("www.googleapis.com")}/upload/youtube/v3`
  const metered = meteredCalls(call, quota, projectOf(app.id))
  const extras = videoExtras(metered, app)

  const start = Effect.fnUntraced(function* (request: PublishRequest, media: PublishMedia, bearer: string) {
    const { notify_subscribers } = youtubeOptions(request)
    const { headers } = yield* metered("uploads", 1, {
      method: "POST",
      url: `${uploads}/videos`,
      query: {
        uploadType: "resumable",
        part: "snippet,status",
        ...(notify_subscribers === undefined ? {} : { notifySubscribers: String(notify_subscribers) })
      },
      bearer,
      headers: {
        "x-upload-content-length": String(media.size_bytes),
        "x-upload-content-type": media.mime_type
      },
      body: HttpBody.jsonUnsafe(metadataOf(request)),
      format: "whole",
      maxAnswerBytes: shortAnswer,
      answer: Started
    })
    return { session: headers.location, started_at: yield* DateTime.now }
  })

  const toPlatformData = (
    request: PublishRequest,
    { id, status }: Pick<Video, "id" | "status">
  ): PlatformData =>
    withWarnings(
      {
        id,
        url: `${app.at("www.youtube.com")}/${isShort(request) === true ? `shorts/${id}` : `watch?v=${id}`}`,
        username: request.username
      },
      heldPrivate(request, status)
    )

  const look = Effect.fnUntraced(function* (id: string, bearer: string) {
    const { items = [] } = yield* metered("units", cost.list, {
      method: "GET",
      url: `${api}/videos`,
      query: { part: "status,processingDetails", id },
      bearer,
      maxAnswerBytes: shortAnswer,
      answer: Videos
    })
    return items[0]
  })

  return {
    id: "youtube",
    stand_in: app.stand_in,
    rules: platformRules.youtube,
    capabilities: {
      reconcile: () => "lookup",
      prepare_ahead: Duration.hours(1),
      settle_wait: Duration.seconds(5),
      lookup_apart: Duration.seconds(15),
      concurrent_commits: 64,
      commit_timeout: commitTimeout
    },

    secret_handle_fields: ["session"],

    oauth: {
      issuer: () => googleIssuer,
      logins: ["google"],
      authorizeUrl: signIn.authorizeUrl,
      exchange: Effect.fn("YouTube.exchange")(function* (consent) {
        const { credentials, access_token, expiry, scopes } = yield* signIn.exchange(consent)
        const { items = [] } = yield* metered("units", cost.list, {
          method: "GET",
          url: `${api}/channels`,
          query: { part: "snippet", mine: "true" },
          bearer: access_token,
          maxAnswerBytes: channelsAnswer,
          answer: Channels
        })
        if (items.length === 0) {
          return yield* new PublishError({
            class: "forbidden",
            code: "no_accounts",
            message:
              "This Google account has no YouTube channel. Create one on youtube.com and connect again."
          })
        }
        return items.map(({ id, snippet: { title, customUrl, thumbnails } }) => ({
          remote_id: id,
          username: customUrl?.replace(/^@/, "") ?? title,
          display_name: title,
          avatar_url: thumbnails?.default?.url ?? null,
          credentials,
          scopes,
          ...expiry
        }))
      })
    },

    revocation: { shared: sharesAccess, revoke: Effect.fn("YouTube.revoke")(signIn.revoke) },

    refresh: Effect.fn("YouTube.refresh")(signIn.refresh),

    prepare: Effect.fn("YouTube.prepare")(function* (request, credentials, saved, save) {
      const { access_token: bearer, scope } = yield* readCredentials(credentials)
      const media = yield* onlyVideo(request)
      const size = media.size_bytes
      let handle = Option.getOrUndefined(decodeHandle(saved))
      let progress = handle && (yield* upload.probe(handle.session, bearer, size))
      if (handle === undefined || progress === undefined) {
        yield* checkExtras(request, scope)
        // Cut in time, so that after the commit it only has to be sent; a failure is reported then.
        if (request.cover_frame !== null) yield* Effect.ignore(request.cover_frame)
        handle = yield* start(request, media, bearer)
        progress = { _tag: "received", bytes: 0 }
        yield* save(toHandle(handle))
      }
      while (progress._tag === "received" && progress.bytes < heldBackFrom(size)) {
        const chunk = nextChunk(progress.bytes, size)
        const next: typeof progress | { readonly _tag: "created"; readonly video: Video } =
          yield* upload.send(handle.session, bearer, media, chunk, false)
        if (next._tag === "received" && next.bytes <= progress.bytes) {
          return yield* new PublishError({
            class: "transient",
            code: "upload_stuck",
            message: `YouTube accepted none of the bytes from ${chunk.start} on. Carillon will try again.`
          })
        }
        progress = next
        // This also shows whether the post is still this one, so that a large file is not sent to its end in vain.
        yield* save(toHandle(handle))
      }
      return {
        _tag: "ready",
        handle: toHandle(progress._tag === "created" ? { ...handle, video: progress.video.id } : handle)
      }
    }),

    poll: (_request, _credentials, handle) => Effect.succeed({ _tag: "ready", handle }),

    commit: Effect.fn("YouTube.commit")(function* (request, credentials, saved) {
      const { access_token: bearer } = yield* readCredentials(credentials)
      const handle = yield* readHandle(saved)
      if (handle.video !== undefined) {
        return thumbnailWaits(request)
          ? new Accepted({ handle: toHandle(handle), ask_after: lookAfter(0) })
          : toPlatformData(request, { id: handle.video })
      }
      const media = yield* onlyVideo(request)
      const progress = yield* upload.send(handle.session, bearer, media, lastChunk(media.size_bytes), true)
      if (progress._tag === "received") {
        return yield* new PublishError({
          class: "transient",
          code: "upload_incomplete",
          message:
            "YouTube lost part of the upload and did not create a video. Carillon will start the upload again.",
          discard_handle: true
        })
      }
      const { video } = progress
      switch (stateOf(video)._tag) {
        case "ready":
          return toPlatformData(request, video)
        case "working":
          return new Accepted({
            handle: toHandle({ ...handle, video: video.id }),
            ask_after: lookAfter(0)
          })
        case "refused":
          return yield* rejected(video)
      }
    }),

    reconcile: Effect.fn("YouTube.reconcile")(function* (request, credentials, saved): Effect.fn.Return<
      Reconciled,
      PublishError
    > {
      const { access_token: bearer } = yield* readCredentials(credentials)
      const handle = yield* readHandle(saved)
      let video = handle.video
      if (video === undefined) {
        const media = yield* onlyVideo(request)
        const progress = yield* upload.probe(handle.session, bearer, media.size_bytes).pipe(
          Effect.map((found) => ({ ...found })),
          Effect.catchIf(
            ({ code }) => code === sessionGone,
            () => Effect.succeed({ _tag: "gone" as const })
          )
        )
        if (progress._tag === "received") {
          if (progress.bytes < media.size_bytes) return { _tag: "not_published" }
          return yield* new PublishError({
            class: "transient",
            code: "upload_not_settled",
            message:
              "YouTube has every byte of the video but has not finished it yet. Carillon will ask again."
          })
        }
        if (progress._tag === "gone") {
          const young = DateTime.addDuration(handle.started_at, sessionSurelyLives)
          return DateTime.isLessThan(yield* DateTime.now, young)
            ? { _tag: "not_published" }
            : { _tag: "unknown" }
        }
        video = progress.video.id
      }
      const waits = thumbnailWaits(request)
      const warnings =
        handle.finished === true
          ? (handle.warnings ?? [])
          : yield* waits
              ? extras.addToPlaylists(request, video, bearer)
              : extras.finish(request, video, bearer)
      // A failed look says nothing against a video that is known to be there.
      const seen = yield* look(video, bearer).pipe(
        Effect.catchIf(
          (failure) => failure.token_expired !== true,
          () => Effect.undefined
        )
      )
      const state = seen === undefined ? workingState : stateOf(seen)
      if (state._tag === "refused") return { _tag: "refused", failure: rejected(seen!) }
      const looks = (handle.looks ?? 0) + 1
      if (state._tag !== "ready" && looks < patience) {
        return {
          _tag: "working",
          handle: toHandle({ ...handle, video, finished: true, warnings, looks }),
          ask_after: lookAfter(looks)
        }
      }
      const late = !waits
        ? []
        : state._tag === "ready"
          ? yield* extras.setThumbnail(request, video, bearer)
          : [notProcessed]
      const data = toPlatformData(request, seen ?? { id: video })
      return { _tag: "published", data: withMore(data, [...warnings, ...late]) }
    }),

    confirm: Effect.fn("YouTube.confirm")(function* (request, credentials, _handle, data) {
      const { access_token: bearer } = yield* readCredentials(credentials)
      return withMore(data, yield* extras.finish(request, data.id, bearer))
    }),

    comments: videoComments(metered, app)
  }
}

const unknownVideo = { width: null, height: null, duration_ms: null }

/** Square or upright, and three minutes at most; undefined where the file does not say. */
const isShort = ({ media }: PublishRequest) => {
  const [{ width, height, duration_ms } = unknownVideo] = media
  if (width === null || height === null) return undefined
  if (height < width) return false
  return duration_ms === null ? undefined : duration_ms <= 180_000
}

/** YouTube loses the thumbnail of a Short that is not processed: https://developers.google.com/youtube/v3/revision_history */
const thumbnailWaits = (request: PublishRequest) =>
  thumbnailOf(request) !== null && isShort(request) !== false

const notProcessed =
  "The thumbnail could not be set. YouTube accepts a Short's thumbnail only after it has processed the video, which took too long. Set it in YouTube Studio."

/** Settings of a channel or of a project may keep a video private that was to be seen. */
const heldPrivate = (request: PublishRequest, status: Video["status"]) => {
  const wanted = youtubeOptions(request).privacy_status ?? "public"
  return status?.privacyStatus === "private" && wanted !== "private"
    ? [`YouTube made the video private instead of ${wanted}. Change it in YouTube Studio.`]
    : []
}

const withMore = (data: PlatformData, warnings: ReadonlyArray<string>) =>
  withWarnings(data, [...(data.warnings ?? []), ...warnings])

const onlyVideo = ({ media }: PublishRequest): Effect.Effect<PublishMedia, PublishError> =>
  Effect.fromOption(Option.fromUndefinedOr(media.find(({ kind }) => kind === "video"))).pipe(
    Effect.mapError(
      () =>
        new PublishError({
          class: "invalid",
          code: "media_required",
          message: "This post has no video. YouTube requires one. Add a video."
        })
    )
  )

/** 5, 10, 20, 40 seconds, then every minute. */
const lookAfter = (looks: number) => Duration.seconds(Math.min(60, 5 * 2 ** Math.min(looks, 5)))
