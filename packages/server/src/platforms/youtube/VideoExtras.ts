import { Effect, Schema } from "effect"
import { HttpBody } from "effect/http"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { PublishError, type PublishRequest } from "../Platform.ts"
import { shortAnswer } from "../PlatformHttp.ts"
import { wideScopes } from "./ChannelAccess.ts"
import { cost, type MeteredCalls } from "./MeteredCalls.ts"
import { youtubeOptions } from "./Metadata.ts"

const PlaylistItems = Schema.Struct({ items: Schema.optionalKey(Schema.Array(Schema.Unknown)) })

/** What a video gets once it is there: its thumbnail, and its places in playlists. */
export const videoExtras = (metered: MeteredCalls, app: ConnectedApp) => {
  const api = `${app.at("www.googleapis.com")}/youtube/v3`
  const uploads = `${app.at("www.googleapis.com")}/upload/youtube/v3`

  const setThumbnail = Effect.fnUntraced(function* (thumbnail: Thumbnail, video: string, bearer: string) {
    // The video is there: if the media store is away, it loses its thumbnail and nothing more.
    const { bytes, mime_type } = yield* Effect.catchDefect(thumbnail, (defect) =>
      Effect.andThen(Effect.logError("a thumbnail could not be read", defect), thumbnailLost)
    )
    yield* metered("units", cost.thumbnail, {
      method: "POST",
      url: `${uploads}/thumbnails/set`,
      query: { videoId: video },
      bearer,
      body: HttpBody.uint8Array(bytes, mime_type),
      maxAnswerBytes: shortAnswer,
      answer: Schema.Unknown
    })
  })

  const addToPlaylist = Effect.fnUntraced(function* (playlistId: string, video: string, bearer: string) {
    const { items = [] } = yield* metered("units", cost.list, {
      method: "GET",
      url: `${api}/playlistItems`,
      query: { part: "id", playlistId, videoId: video },
      bearer,
      maxAnswerBytes: shortAnswer,
      answer: PlaylistItems
    })
    if (items.length > 0) return
    yield* metered("units", cost.playlist, {
      method: "POST",
      url: `${api}/playlistItems`,
      query: { part: "snippet" },
      bearer,
      body: HttpBody.jsonUnsafe({
        snippet: { playlistId, resourceId: { kind: "youtube#video", videoId: video } }
      }),
      maxAnswerBytes: shortAnswer,
      answer: Schema.Unknown
    })
  })

  type Step = readonly [what: string, step: Effect.Effect<unknown, PublishError>]

  /** Gives what YouTube refused. */
  const carryOut = (steps: ReadonlyArray<Step>) =>
    Effect.forEach(steps, ([what, step]) =>
      step.pipe(
        Effect.as([]),
        Effect.catchIf(
          (failure) => failure.token_expired !== true,
          ({ message }) => Effect.succeed([`The ${what} could not be set. ${message}`])
        )
      )
    ).pipe(Effect.map((refused): ReadonlyArray<string> => refused.flat()))

  const thumbnailSteps = (request: PublishRequest, video: string, bearer: string): ReadonlyArray<Step> => {
    const thumbnail = thumbnailOf(request)
    return thumbnail === null ? [] : [["thumbnail", setThumbnail(thumbnail, video, bearer)]]
  }

  const playlistSteps = (request: PublishRequest, video: string, bearer: string): ReadonlyArray<Step> =>
    (youtubeOptions(request).playlist_ids ?? []).map((id) => [
      `playlist ${id}`,
      addToPlaylist(id, video, bearer)
    ])

  /** Adds the thumbnail and playlists to a video. May be repeated. */
  const finish = (request: PublishRequest, video: string, bearer: string) =>
    carryOut([...thumbnailSteps(request, video, bearer), ...playlistSteps(request, video, bearer)])

  return {
    finish,
    setThumbnail: (request: PublishRequest, video: string, bearer: string) =>
      carryOut(thumbnailSteps(request, video, bearer)),
    addToPlaylists: (request: PublishRequest, video: string, bearer: string) =>
      carryOut(playlistSteps(request, video, bearer))
  }
}

/** A picture for the thumbnail. */
type Thumbnail = NonNullable<PublishRequest["cover_frame"]>

const thumbnailLost = new PublishError({
  class: "transient",
  code: "thumbnail_not_read",
  message: "The service could not read the image. Tell the operator."
})

export const thumbnailOf = (request: PublishRequest): Thumbnail | null =>
  request.cover?.image ?? request.cover_frame

/** Finds problems before the upload that would otherwise show only after the video is there. */
export const checkExtras = Effect.fnUntraced(function* (request: PublishRequest, scope: string) {
  if (request.cover !== null) yield* request.cover.image
  const { playlist_ids = [] } = youtubeOptions(request)
  if (playlist_ids.length > 0 && !wideScopes.some((one) => scope.split(" ").includes(one))) {
    return yield* new PublishError({
      class: "forbidden",
      code: "playlists_not_granted",
      message:
        "The post names playlists, but the account was connected without the permission to manage them. Connect it again and allow that, or leave playlist_ids out."
    })
  }
})
