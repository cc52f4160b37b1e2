import { type PlatformData, platformRules } from "@carillon/domain"
import { DateTime, Duration, Effect, Schema } from "effect"
import type { HttpClient } from "effect/http"
import type { ConnectedApp } from "../ConnectedApp.ts"
import { nextLook } from "../meta/ContainerWait.ts"
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
import { isDuplicate, isUsedPhoto, refuseCommit, refuseGraph, refuseVideo } from "./FacebookErrors.ts"
import { type FacebookHandle, readHandle, startedHandle, storedHandle, type Video } from "./FacebookHandle.ts"
import { facebookSignIn, readCredentials } from "./FacebookSignIn.ts"
import { pagePosts } from "./PagePosts.ts"
import { postComments } from "./PostComments.ts"
import { feedFields, kindOf, reelFields, videoFields } from "./PostFields.ts"
import { facebookUploads, imageFile } from "./Uploads.ts"
import { type VideoState, videoState } from "./VideoState.ts"

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
    const image = yield* coverOf(request)
    return yield* commitTo(
      request,
      token,
      "videos",
      { ...end, upload_session_id: session.id, ...videoFields(request) },
      Finished,
      image === undefined ? undefined : imageFile("thumb", "thumb", image)
    )
  })

  /** A video that was finished before is refused, although it is live or on its way. */
  const isTaken = (video: Video, token: string) =>
    look(token, video.id).pipe(
      Effect.map((seen) => seen.isPublished || isAtWork(video, seen)),
      Effect.orElseSucceed(() => false)
    )

  /** What the Page seems to have already is looked for: an earlier try may have made it. */
  const orLookedFor = <A>(
    handle: FacebookHandle,
    commit: Effect.Effect<A, PublishError>,
    seemsThere: (error: PublishError) => boolean
  ): Effect.Effect<A | Accepted, PublishError> =>
    Effect.catchIf(commit, seemsThere, ({ code, message }) =>
      Effect.succeed(
        new Accepted({
          handle: storedHandle({ ...handle, duplicate: { code, message } }),
          ask_after: settle_wait
        })
      )
    )

  const publish = Effect.fnUntraced(function* (
    request: PublishRequest,
    handle: FacebookHandle,
    photos: ReadonlyArray<string>,
    token: string
  ) {
    if (kindOf(request) === "post") {
      const made = commitTo(request, token, "feed", feedFields(request, photos), Created)
      return yield* orLookedFor(
        handle,
        Effect.map(made, ({ id }) => dataOf(request, id, `/${id}`)),
        isDuplicate
      )
    }
    const made = commitTo(request, token, "photo_stories", { photo_id: photos[0]! }, StoryCreated)
    return yield* orLookedFor(
      handle,
      Effect.map(made, ({ post_id }) => dataOf(request, String(post_id), `/stories/${post_id}`)),
      isUsedPhoto
    )
  })

  const lookUp = Effect.fnUntraced(function* (
    request: PublishRequest,
    handle: FacebookHandle,
    token: string,
    taken: Taken
  ): Effect.fn.Return<Reconciled, PublishError> {
    const { certain, exact, post } = yield* posts.find(request, handle, token, taken)
    if (post !== undefined)
      return {
        _tag: "published",
        data: dataOf(request, post.id, post.permalink_url ?? `/${post.id}`),
        ...(exact ? { exact } : {})
      }
    if (!certain) return { _tag: "unknown" }
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
    const seen = yield* look(token, handle.video.id)
    const { failed, isPublished, permalink } = seen
    if (isPublished) {
      const data = yield* publishedVideo(request, handle, token, permalink)
      return { _tag: "published", data, exact: true }
    }
    if (failed !== undefined) return { _tag: "refused", failure: new PublishError(refuseVideo(failed)) }
    if (handle.accepted !== true && !isAtWork(handle.video, seen)) return { _tag: "not_published" }
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
      // Made now, it is there at once for the commit.
      if (kindOf(request) === "video") yield* coverOf(request)
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
      const { video } = handle
      if (video !== undefined) {
        const since = (yield* DateTime.now).epochMilliseconds
        const { looks: _, ...rest } = handle
        const followed = (more: Partial<FacebookHandle>) =>
          new Accepted({ handle: storedHandle({ ...rest, ...more, since }), ask_after: nextLook(0) })
        return yield* finish(request, video, token).pipe(
          Effect.map(({ post_id }) =>
            followed({ accepted: true, ...(post_id === undefined ? {} : { post_id: String(post_id) }) })
          ),
          // Nobody has said that it is accepted, so it can still come out that nothing was published.
          Effect.catchIf(
            ({ class: errorClass, token_expired }) => errorClass !== "ambiguous" && token_expired !== true,
            (refused) =>
              Effect.flatMap(isTaken(video, token), (taken) =>
                taken ? Effect.succeed(followed({})) : Effect.fail(refused)
              )
          )
        )
      }
      return yield* publish(request, handle, yield* photosOf(request, handle), token)
    }),

    reconcile: Effect.fn("Facebook.reconcile")(function* (request, credentials, saved, taken) {
      const { token } = yield* readCredentials(credentials)
      const handle = yield* readHandle(saved)
      const { video } = handle
      if (video !== undefined) return yield* followVideo(request, { ...handle, video }, token)
      if (kindOf(request) === "post") return yield* lookUp(request, handle, token, taken)
      const [photo] = yield* photosOf(request, handle)
      const data = yield* storyOf(request, photo!, token)
      if (data !== undefined) return { _tag: "published", data, exact: true }
      return { _tag: handle.duplicate === undefined ? "not_published" : "unknown" }
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

const coverOf = ({ cover, cover_frame }: PublishRequest) =>
  cover?.image ?? cover_frame ?? Effect.succeed(undefined)

/** A video in the feed is not processed before the commit; a reel or story may be. */
const isAtWork = ({ session }: Video, { isProcessing, isWorking }: VideoState) =>
  isWorking || (session !== undefined && isProcessing)
