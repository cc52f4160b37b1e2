import { type PlatformData, platformRules } from "@carillon/domain"
import { DateTime, Duration, Effect, Schema } from "effect"
import type { HttpClient } from "effect/http"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { makeGraph } from "../meta/Graph.ts"
import { refuseOfAccount } from "../meta/GraphErrors.ts"
import type { FormFile } from "../MultipartForm.ts"
import {
  Accepted,
  type Platform,
  PublishError,
  type PublishRequest,
  type Reconciled,
  type Taken
} from "../Platform.ts"
import { handleUnreadable } from "../StoredHandle.ts"
import { isDuplicate, refuseCommit, refuseGraph, refuseVideo } from "./FacebookErrors.ts"
import { type FacebookHandle, readHandle, startedHandle, storedHandle, type Video } from "./FacebookHandle.ts"
import { facebookSignIn, readCredentials } from "./FacebookSignIn.ts"
import { pagePosts } from "./PagePosts.ts"
import { postComments } from "./PostComments.ts"
import { feedFields, kindOf, reelFields, videoFields } from "./PostFields.ts"
import { facebookUploads, imageFile, nextLook } from "./Uploads.ts"
import { videoState } from "./VideoState.ts"

const Id = Schema.Union([Schema.String, Schema.Int])
const Created = Schema.Struct({ id: Schema.String })
const StoryCreated = Schema.Struct({ post_id: Id })
const Finished = Schema.Struct({ post_id: Schema.optionalKey(Id) })
const Permalink = Schema.Struct({ permalink_url: Schema.optionalKey(Schema.String) })

const commitTimeout = Duration.seconds(60)
/** Any video is published by then. */
const longestWork = Duration.hours(24)

export interface FacebookSettings {
  /** The version of the Graph API, for example `v25.0`. */
  readonly version: string
  readonly settle_wait: Duration.Duration
}

/** Facebook's Pages: https://developers.facebook.com/docs/pages-api */
export const makeFacebook = (
  httpClient: HttpClient.HttpClient,
  app: ConnectedApp,
  { settle_wait, version }: FacebookSettings
): Platform => {
  const graph = makeGraph<"facebook">(httpClient, {
    name: "Facebook",
    root: () => Effect.succeed(`${app.at("graph.facebook.com")}/${version}`),
    refuse: refuseGraph
  })
  const look = videoState(graph)
  const posts = pagePosts(graph)
  const { prepare, standing } = facebookUploads(graph, look)

  /** Videos have an address without a host. */
  const addressOf = (url: string) => (url.startsWith("/") ? `${app.at("www.facebook.com")}${url}` : url)
  const dataOf = ({ username }: PublishRequest, id: string, url: string): PlatformData => ({
    id,
    url: addressOf(url),
    username
  })

  const commitTo = <S extends Schema.ConstraintDecoder<unknown>>(
    { remote_id }: PublishRequest,
    token: string,
    edge: string,
    fields: Readonly<Record<string, string>>,
    answer: S,
    file?: FormFile
  ) =>
    graph.post({ login: "facebook", token }, `${remote_id}/${edge}`, fields, answer, {
      commit: true,
      timeout: commitTimeout,
      refuse: refuseOfAccount("Facebook", remote_id, refuseCommit),
      ...(file === undefined ? {} : { file })
    })

  /** The pictures in the order of the post. */
  const photosOf = ({ media }: PublishRequest, { photos }: FacebookHandle) => {
    const ids = media.flatMap(({ id }) => photos[id] ?? [])
    return ids.length === media.length ? Effect.succeed(ids) : Effect.fail(handleUnreadable("Facebook"))
  }

  const finish = Effect.fnUntraced(function* (
    request: PublishRequest,
    { id, session }: Video,
    token: string
  ) {
    const end = { upload_phase: "finish" }
    if (session === undefined) {
      const [edge, fields] =
        kindOf(request) === "reel" ? ["video_reels", reelFields(request)] : ["video_stories", {}]
      return yield* commitTo(request, token, edge, { ...end, video_id: id, ...fields }, Finished)
    }
    const cover = request.cover === null ? request.cover_frame : request.cover.image
    const image = cover === null ? undefined : yield* cover
    return yield* commitTo(
      request,
      token,
      "videos",
      { ...end, upload_session_id: session.id, ...videoFields(request) },
      Finished,
      image === undefined ? undefined : imageFile("thumb", "thumb", image)
    )
  })

  /** A post that the Page seems to have already is looked for: an earlier try may have made it. */
  const publish = Effect.fnUntraced(function* (
    request: PublishRequest,
    handle: FacebookHandle,
    photos: ReadonlyArray<string>,
    token: string
  ) {
    return yield* commitTo(request, token, "feed", feedFields(request, photos), Created).pipe(
      Effect.map(({ id }) => dataOf(request, id, `/${id}`)),
      Effect.catchIf(isDuplicate, ({ code, message }) =>
        Effect.succeed(
          new Accepted({
            handle: storedHandle({ ...handle, duplicate: { code, message } }),
            ask_after: settle_wait
          })
        )
      )
    )
  })

  const lookUp = Effect.fnUntraced(function* (
    request: PublishRequest,
    handle: FacebookHandle,
    token: string,
    taken: Taken
  ): Effect.fn.Return<Reconciled, PublishError> {
    const { complete, post } = yield* posts.find(request, handle, token, taken)
    if (post !== undefined)
      return {
        _tag: "published",
        data: dataOf(request, post.id, post.permalink_url ?? `/${post.id}`)
      }
    if (!complete) return { _tag: "unknown" }
    return handle.duplicate === undefined
      ? { _tag: "not_published" }
      : { _tag: "refused", failure: new PublishError({ class: "invalid", ...handle.duplicate }) }
  })

  /** The story of a picture or video; undefined: none is shown yet. */
  const storyOf = Effect.fnUntraced(function* (request: PublishRequest, media_id: string, token: string) {
    const story = yield* posts.story(request, media_id, token)
    return story === undefined ? undefined : dataOf(request, story.id, story.url ?? `/stories/${story.id}`)
  })

  const publishedVideo = Effect.fnUntraced(function* (
    request: PublishRequest,
    { post_id, video }: FacebookHandle & { readonly video: Video },
    token: string,
    permalink: string | undefined
  ) {
    switch (kindOf(request)) {
      case "reel":
        return dataOf(request, video.id, permalink ?? `/reel/${video.id}`)
      case "video_story": {
        const story = yield* storyOf(request, video.id, token).pipe(
          Effect.catchIf(
            ({ token_expired }) => token_expired !== true,
            () => Effect.void
          )
        )
        const id = post_id ?? video.id
        return story ?? dataOf(request, id, `/stories/${id}`)
      }
      default:
        return dataOf(request, video.id, permalink ?? `/watch/?v=${video.id}`)
    }
  })

  const followVideo = Effect.fnUntraced(function* (
    request: PublishRequest,
    handle: FacebookHandle & { readonly video: Video },
    token: string
  ): Effect.fn.Return<Reconciled, PublishError> {
    const { failed, isPublished, isWorking, permalink } = yield* look(token, handle.video.id)
    if (failed !== undefined) return { _tag: "refused", failure: new PublishError(refuseVideo(failed)) }
    if (isPublished)
      return { _tag: "published", data: yield* publishedVideo(request, handle, token, permalink) }
    if (handle.accepted !== true && !isWorking) return { _tag: "not_published" }
    const now = (yield* DateTime.now).epochMilliseconds
    const { looks = 0, since = now } = handle
    return now - since > Duration.toMillis(longestWork)
      ? { _tag: "unknown" }
      : {
          _tag: "working",
          handle: storedHandle({ ...handle, since, looks: looks + 1 }),
          ask_after: nextLook(looks)
        }
  })

  return {
    id: "facebook",
    rules: platformRules.facebook,
    stand_in: app.stand_in,
    capabilities: {
      reconcile: () => "lookup",
      by_words: true,
      // Unpublished pictures last about a day.
      prepare_ahead: Duration.hours(1),
      settle_wait,
      lookup_apart: settle_wait,
      concurrent_commits: 32,
      commit_timeout: commitTimeout
    },

    ...facebookSignIn(app, graph, version),

    prepare: Effect.fn("Facebook.prepare")(function* (request, credentials, saved, save) {
      const { token } = yield* readCredentials(credentials)
      const started = startedHandle(saved)
      const isNew = kindOf(request) === "post" && started.seen === undefined
      const seen = isNew ? { seen: yield* posts.newest(request, token) } : {}
      return yield* prepare(request, token, { ...started, ...seen }, save)
    }),

    poll: Effect.fn("Facebook.poll")(function* (_request, credentials, saved) {
      const { token } = yield* readCredentials(credentials)
      return yield* standing(yield* readHandle(saved), token)
    }),

    commit: Effect.fn("Facebook.commit")(function* (request, credentials, saved) {
      const { token } = yield* readCredentials(credentials)
      const handle = yield* readHandle(saved)
      if (handle.video !== undefined) {
        const { post_id } = yield* finish(request, handle.video, token)
        const since = (yield* DateTime.now).epochMilliseconds
        const { looks: _, ...rest } = handle
        const made = post_id === undefined ? {} : { post_id: String(post_id) }
        return new Accepted({
          handle: storedHandle({ ...rest, ...made, accepted: true, since }),
          ask_after: nextLook(0)
        })
      }
      const photos = yield* photosOf(request, handle)
      if (kindOf(request) === "post") return yield* publish(request, handle, photos, token)
      const story = yield* commitTo(request, token, "photo_stories", { photo_id: photos[0]! }, StoryCreated)
      const id = String(story.post_id)
      return dataOf(request, id, `/stories/${id}`)
    }),

    reconcile: Effect.fn("Facebook.reconcile")(function* (request, credentials, saved, taken) {
      const { token } = yield* readCredentials(credentials)
      const handle = yield* readHandle(saved)
      const { video } = handle
      if (video !== undefined) return yield* followVideo(request, { ...handle, video }, token)
      if (kindOf(request) === "post") return yield* lookUp(request, handle, token, taken)
      const [photo] = yield* photosOf(request, handle)
      const data = yield* storyOf(request, photo!, token)
      return data === undefined ? { _tag: "not_published" } : { _tag: "published", data }
    }),

    confirm: Effect.fn("Facebook.confirm")(function* (request, credentials, saved, data) {
      const kind = kindOf(request)
      if (kind !== "post" && kind !== "photo_story") return data
      const { token } = yield* readCredentials(credentials)
      if (kind === "photo_story") {
        const [photo] = yield* photosOf(request, yield* readHandle(saved))
        return { ...data, url: (yield* storyOf(request, photo!, token))?.url ?? data.url }
      }
      const { permalink_url } = yield* graph.get(
        { login: "facebook", token },
        data.id,
        { fields: "permalink_url" },
        Permalink
      )
      return permalink_url === undefined ? data : { ...data, url: addressOf(permalink_url) }
    }),

    comments: postComments(graph)
  }
}
