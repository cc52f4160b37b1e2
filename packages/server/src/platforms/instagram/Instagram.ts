import { platformRules } from "@carillon/domain"
import { DateTime, Duration, Effect, Schema } from "effect"
import type { HttpClient } from "effect/http"
import { type Platform, type PublishRequest, type Taken, withWarnings } from "../Platform.ts"
import { decodeCredentials } from "../StoredCredentials.ts"
import { optionsOf, placementNameOf } from "./ContainerFields.ts"
import { ContainerStatus, instagramContainers } from "./Containers.ts"
import { InstagramCredentials } from "./Credentials.ts"
import { type InstagramApps, instagramGraph } from "./Graph.ts"
import { samePerson } from "../meta/FacebookLogin.ts"
import { timeOf } from "../meta/Graph.ts"
import { refuseOfAccount } from "../meta/GraphErrors.ts"
import { PublishingLimit, requireRoom } from "../meta/PublishingLimit.ts"
import { refuseComment, refuseGraph, refusePublish } from "./GraphErrors.ts"
import { instagramSignIn, limitsOf } from "./SignIn.ts"

const Created = Schema.Struct({ id: Schema.String })
const Permalink = Schema.Struct({ permalink: Schema.optionalKey(Schema.String) })
const Published = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      caption: Schema.optionalKey(Schema.String),
      permalink: Schema.optionalKey(Schema.String),
      timestamp: Schema.String
    })
  )
})
const Comments = Schema.Struct({
  data: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      text: Schema.optionalKey(Schema.String),
      username: Schema.optionalKey(Schema.String)
    })
  )
})

const Sounds = Schema.Array(
  Schema.Struct({
    audio_id: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite])),
    id: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite])),
    title: Schema.optionalKey(Schema.String),
    display_artist: Schema.optionalKey(Schema.String),
    ig_username: Schema.optionalKey(Schema.String)
  })
)
/** The list has a name of its own; `data` is what other lists of Meta are called. */
const Audio = Schema.Struct({ audio: Schema.optionalKey(Sounds), data: Schema.optionalKey(Sounds) })

const decodeStored = decodeCredentials(InstagramCredentials, "Instagram")

/** How many of the account's posts are looked at, the newest first. */
const newest = 50
/** 50 posts or 50 comments of 2,200 characters each, of which each may be written as six bytes. */
const postsAnswer = 1024 * 1024
const commentsAnswer = 1024 * 1024
/** A page of songs, with addresses of pictures and previews. */
const audioAnswer = 1024 * 1024

const commitTimeout = Duration.seconds(60)

/** How much earlier than its due time a post may seem to be published, because clocks differ. */
const clockSlack = Duration.minutes(1)

export interface InstagramSettings {
  readonly apps: InstagramApps
  /** The version of the Graph API, for example `v25.0`. */
  readonly version: string
  readonly stand_in: boolean
  readonly settle_wait: Duration.Duration
}

/**
 * Instagram's content publishing, with Instagram Login and Facebook Login:
 * https://developers.facebook.com/docs/instagram-platform/content-publishing
 */
export const makeInstagram = (
  httpClient: HttpClient.HttpClient,
  { apps, version, stand_in, settle_wait }: InstagramSettings
): Platform => {
  const graph = instagramGraph(httpClient, apps, version)
  const { get, post } = graph
  const { oauth, refresh, revoke } = instagramSignIn(apps, graph)
  const { prepare, poll, creationId } = instagramContainers(graph)

  const requireQuota = ({ remote_id, username }: PublishRequest, credentials: InstagramCredentials) =>
    requireRoom(
      "Instagram",
      username,
      get(
        credentials,
        `${remote_id}/content_publishing_limit`,
        { fields: "config,quota_usage" },
        PublishingLimit,
        { refuse: refuseOfAccount("Instagram", remote_id, refuseGraph) }
      )
    )

  /** The newest post that can be this one and is no other's; null where none can. */
  const find = Effect.fnUntraced(function* (
    request: PublishRequest,
    credentials: InstagramCredentials,
    taken: Taken
  ) {
    const isStory = placementNameOf(request) === "story"
    const { data } = yield* get(
      credentials,
      `${request.remote_id}/${isStory ? "stories" : "media"}`,
      { fields: "id,caption,permalink,timestamp", limit: String(newest) },
      Published,
      { maxAnswerBytes: postsAnswer, refuse: refuseOfAccount("Instagram", request.remote_id, refuseGraph) }
    )
    const earliest = DateTime.toEpochMillis(DateTime.subtractDuration(request.due_at, clockSlack))
    const alike = data.filter(
      ({ caption = "", timestamp }) =>
        timeOf(timestamp) >= earliest && (isStory || caption.trim() === request.caption.trim())
    )
    const others = yield* taken(alike.flatMap(({ id, permalink }) => [id, permalink ?? id]))
    return alike.find(({ id, permalink }) => !others.has(id) && !others.has(permalink ?? id)) ?? null
  })

  /** What is popular now: songs, then original sounds. The person's token is asked for; the Page's outlives it. */
  const popularAudio = Effect.fnUntraced(function* (token: string, user_id: string) {
    const pages = yield* Effect.forEach(["music", "original_sound"], (audio_type) =>
      get({ login: "facebook", token }, "ig_audio", { audio_type, user_id }, Audio, {
        maxAnswerBytes: audioAnswer,
        refuse: (refusal) => ({ ...refuseGraph(refusal), token_expired: false })
      })
    )
    return pages.flatMap(({ data = [], audio = data }) =>
      audio.flatMap(({ id, audio_id = id, display_artist, ig_username: by = display_artist, title }) =>
        audio_id === undefined
          ? []
          : [{ id: String(audio_id), name: [title, by].filter(Boolean).join(" – ") || String(audio_id) }]
      )
    )
  })

  /** Instagram may publish a post and leave its add-on out; that is read only afterwards. */
  const addOnWarnings = Effect.fnUntraced(function* (
    request: PublishRequest,
    stored: InstagramCredentials,
    id: string
  ) {
    const { comment_prompt, poll } = optionsOf(request)
    if (poll === undefined && comment_prompt !== true) return []
    const [edge, name] =
      poll === undefined ? ["prompt_response", "comment prompt"] : ["poll_attachment", "poll"]
    const there = yield* get(stored, `${id}/${edge}`, {}, Schema.Unknown)
    return there === null ? [`Instagram published the post without its ${name}.`] : []
  })

  return {
    id: "instagram",
    rules: platformRules.instagram,
    stand_in,
    capabilities: {
      reconcile: () => "lookup",
      by_words: true,
      // Containers last 24 hours; a long reel is processed for half an hour.
      prepare_ahead: Duration.hours(1),
      settle_wait,
      lookup_apart: settle_wait,
      concurrent_commits: 64,
      commit_timeout: commitTimeout
    },
    oauth,

    revocation: {
      shared: samePerson,
      beside: ["facebook"],
      revoke: Effect.fn("Instagram.revoke")((stored) => Effect.flatMap(decodeStored(stored), revoke))
    },

    // Known without a call, also of accounts that an earlier release connected.
    limits: (credentials) => Effect.map(decodeStored(credentials), ({ login }) => limitsOf(login)),

    choices: Effect.fn("Instagram.choices")(function* (credentials, remote_id) {
      const stored = yield* decodeStored(credentials)
      return stored.login === "facebook"
        ? { audio_id: yield* popularAudio(stored.user_token, remote_id) }
        : {}
    }),

    refresh: Effect.fn("Instagram.refresh")(function* (stored) {
      return yield* refresh(yield* decodeStored(stored))
    }),

    prepare: Effect.fn("Instagram.prepare")(function* (request, credentials, saved, save) {
      return yield* prepare(request, yield* decodeStored(credentials), saved, save)
    }),

    poll: Effect.fn("Instagram.poll")(function* (request, credentials, saved) {
      return yield* poll(request, yield* decodeStored(credentials), saved)
    }),

    commit: Effect.fn("Instagram.commit")(function* (request, credentials, saved) {
      const stored = yield* decodeStored(credentials)
      const creation_id = yield* creationId(saved)
      yield* requireQuota(request, stored)
      const { id } = yield* post(stored, `${request.remote_id}/media_publish`, { creation_id }, Created, {
        commit: true,
        timeout: commitTimeout,
        refuse: refuseOfAccount("Instagram", request.remote_id, refusePublish)
      })
      return { id, url: null, username: request.username }
    }),

    reconcile: Effect.fn("Instagram.reconcile")(function* (request, credentials, saved, taken) {
      const stored = yield* decodeStored(credentials)
      const container = yield* creationId(saved)
      const { status_code } = yield* get(stored, container, { fields: "status_code,status" }, ContainerStatus)
      if (status_code === "IN_PROGRESS")
        return { _tag: "working", handle: saved, ask_after: settle_wait } as const
      if (status_code !== "PUBLISHED") return { _tag: "not_published" } as const
      // The post is certainly live, even if it cannot be found or told from others.
      const found = yield* find(request, stored, taken).pipe(
        Effect.catchIf(
          ({ token_expired }) => token_expired !== true,
          () => Effect.succeed(null)
        )
      )
      return {
        _tag: "published",
        data: { id: found?.id ?? container, url: found?.permalink ?? null, username: request.username }
      } as const
    }),

    confirm: Effect.fn("Instagram.confirm")(function* (request, credentials, _handle, data) {
      const stored = yield* decodeStored(credentials)
      const { permalink } = yield* get(stored, data.id, { fields: "permalink" }, Permalink)
      const warnings = yield* Effect.orElseSucceed(addOnWarnings(request, stored, data.id), () => [])
      return withWarnings({ ...data, url: permalink ?? data.url }, warnings)
    }),

    comments: {
      create: Effect.fn("Instagram.comment")(function* ({ post: { id: media }, text }, credentials) {
        const stored = yield* decodeStored(credentials)
        const { id } = yield* post(stored, `${media}/comments`, { message: text }, Created, {
          commit: true,
          refuse: refuseComment
        })
        return id
      }),
      find: Effect.fn("Instagram.findComment")(function* ({ post: { id }, text, username }, credentials) {
        const stored = yield* decodeStored(credentials)
        const { data } = yield* get(
          stored,
          `${id}/comments`,
          { fields: "id,text,username", limit: "50" },
          Comments,
          { maxAnswerBytes: commentsAnswer }
        )
        return (
          data.find((one) => one.text?.trim() === text.trim() && one.username === username) ?? "not_published"
        )
      })
    }
  }
}
