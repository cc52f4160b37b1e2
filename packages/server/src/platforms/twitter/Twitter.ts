import { type PlatformData, platformRules, textLength, xPostCall } from "@carillon/domain"
import { DateTime, Duration, Effect, Option, Schema } from "effect"
import { HttpBody, type HttpClient } from "effect/http"
import type { ConnectedApp } from "../ConnectedApp.ts"
import {
  Accepted,
  type Platform,
  type Prepared,
  PublishError,
  type PublishRequest,
  type Reconciled
} from "../Platform.ts"
import { type Refusal, type Refused, shortAnswer } from "../PlatformHttp.ts"
import { publishOptions } from "../PublishOptions.ts"
import { handleUnreadable } from "../StoredHandle.ts"
import { ownPosts, slack } from "./OwnPosts.ts"
import type { Spending } from "./Spending.ts"
import { parentOf, requireParent } from "./ThreadParent.ts"
import { duplicatePost, notPermitted, refuse, statusBeside, statusIn } from "./TwitterErrors.ts"
import { decodeHandle, handleOf, readHandle, type TwitterFile, type TwitterHandle } from "./TwitterHandle.ts"
import { type Payment, twitterHttp } from "./TwitterHttp.ts"
import { isKept, twitterMedia } from "./TwitterMedia.ts"
import { decodeStored, twitterSignIn } from "./TwitterSignIn.ts"

const optionsOf = publishOptions("twitter")

const Created = Schema.Union([
  Schema.Struct({ data: Schema.Struct({ id: Schema.String }) }),
  // Errors may stand alone beside a status of success.
  Schema.Struct({ errors: Schema.NonEmptyArray(Schema.Unknown) })
])

const commitTimeout = Duration.minutes(1)
const prepareAhead = Duration.hours(1)
/** A post may wait for so long after its files went up. */
const margin = Duration.hours(2)

/** Of an account without a subscription. */
const { caption: captionRules, videos } = platformRules.twitter.placementOf([], undefined)

/** Left out on the test network, where nobody pays. */
type Metering = Payment & Pick<Spending["Service"], "charges" | "warning">

/** X's API v2 (https://docs.x.com/x-api). Files go up before the post; each item of a thread answers the one before. */
export const makeTwitter = (
  client: HttpClient.HttpClient,
  app: ConnectedApp,
  {
    settle_wait = Duration.seconds(10),
    spending
  }: { readonly settle_wait?: Duration.Duration; readonly spending?: Metering | undefined } = {}
): Platform => {
  const call = twitterHttp(client, spending)
  const api = `${app.at("api.x.com")}/2`
  const media = twitterMedia(call, api)
  const postsOf = ownPosts(call, api)

  const postAt = ({ username }: PublishRequest, id: string): PlatformData => ({
    id,
    url: `${app.at("x.com")}/${encodeURIComponent(username)}/status/${id}`,
    username
  })

  /** What has the same words before this post is sent: a person may have said it by hand. A file or a thread tells without. */
  const seenBefore = Effect.fnUntraced(function* (
    request: PublishRequest,
    bearer: string,
    known: TwitterHandle
  ): Effect.fn.Return<Pick<TwitterHandle, "seen">, PublishError> {
    if (known.seen != null) return { seen: known.seen }
    const begins = DateTime.subtractDuration(request.due_at, slack)
    const isTold = request.media.length > 0 || parentOf(request) !== undefined
    if (isTold || DateTime.isLessThan(yield* DateTime.now, begins)) return {}
    return yield* postsOf(request, bearer, known).pipe(
      Effect.map(({ alike }) => ({ seen: alike })),
      Effect.catchIf(
        ({ token_expired }) => token_expired !== true,
        () => Effect.succeed({ seen: null })
      )
    )
  })

  return {
    id: "twitter",
    rules: platformRules.twitter,
    stand_in: app.stand_in,
    ...(spending === undefined ? {} : { charges: spending.charges, warning: spending.warning }),
    capabilities: {
      reconcile: () => "lookup",
      by_words: true,
      prepare_ahead: prepareAhead,
      // As long before the due time as what was said by hand does not matter: to look for it costs more than the post.
      prepare_text_ahead: Duration.times(slack, 2),
      settle_wait,
      lookup_apart: Duration.seconds(20),
      concurrent_commits: 16,
      commit_timeout: commitTimeout
    },

    ...twitterSignIn(call, app),

    prepare: Effect.fn("Twitter.prepare")(function* (request, credentials, saved, save) {
      const { access_token: bearer } = yield* decodeStored(credentials)
      yield* requireParent(request)
      const known = Option.getOrElse(decodeHandle(saved), (): TwitterHandle => ({ files: {} }))
      const now = yield* DateTime.now
      const files: Record<string, TwitterFile> = {}
      for (const item of request.media) {
        const begun = known.files[item.id]
        files[item.id] = yield* media.upload(
          bearer,
          item,
          optionsOf(request).captions,
          begun !== undefined && isKept(begun, now, margin) ? begun : undefined,
          (file) => save(handleOf({ ...known, files: { ...known.files, ...files, [item.id]: file } }))
        )
      }
      return toPrepared({ files, ...(yield* seenBefore(request, bearer, { ...known, files })) })
    }),

    poll: Effect.fn("Twitter.poll")(function* (_request, credentials, saved) {
      const { access_token: bearer } = yield* decodeStored(credentials)
      const known = yield* readHandle(saved)
      const files: Record<string, TwitterFile> = {}
      for (const [id, file] of Object.entries(known.files))
        files[id] = file.ready ? file : yield* media.look(bearer, file)
      return toPrepared({ ...known, files })
    }),

    commit: Effect.fn("Twitter.commit")(function* (request, credentials, saved) {
      const { access_token: bearer } = yield* decodeStored(credentials)
      const known = yield* readHandle(saved)
      const media_ids = yield* idsOf(request, known)
      const refused = refuseCreate(request)
      return yield* call({
        method: "POST",
        url: `${api}/tweets`,
        bearer,
        body: HttpBody.jsonUnsafe(postOf(request, media_ids)),
        commit: true,
        price: { call: xPostCall(request.caption), count: 1 },
        timeout: commitTimeout,
        statusIn,
        maxAnswerBytes: shortAnswer,
        answer: Created,
        refuse: refused
      }).pipe(
        Effect.flatMap((answer) =>
          "data" in answer
            ? Effect.succeed(postAt(request, answer.data.id))
            : Effect.fail(new PublishError(refused({ status: statusBeside(answer), body: answer })))
        ),
        // An earlier try of this post may have gone through unseen.
        Effect.catchIf(
          ({ code }) => code === duplicatePost,
          () =>
            Effect.succeed(
              new Accepted({ handle: handleOf({ ...known, duplicate: true }), ask_after: settle_wait })
            )
        )
      )
    }),

    reconcile: Effect.fn("Twitter.reconcile")(
      function* (request, credentials, saved, taken): Effect.fn.Return<Reconciled, PublishError> {
        const { access_token: bearer } = yield* decodeStored(credentials)
        const known = yield* readHandle(saved)
        yield* idsOf(request, known)
        const { alike, complete } = yield* postsOf(request, bearer, known, { beyond: true })
        const candidates = alike.filter((id) => known.seen?.includes(id) !== true)
        const others = yield* taken(candidates)
        const ours = candidates.find((id) => !others.has(id))
        if (ours !== undefined) {
          // Without a look before, it may be a person's.
          return known.seen === null
            ? { _tag: "unknown" }
            : { _tag: "published", data: postAt(request, ours) }
        }
        if (!complete) return { _tag: "unknown" }
        return known.duplicate === true ? { _tag: "refused", failure: duplicate } : { _tag: "not_published" }
      }
    ),

    confirm: (_request, _credentials, _handle, data) => Effect.succeed(data)
  }
}

const duplicate = new PublishError({
  class: "invalid",
  code: duplicatePost,
  message:
    "The account has posted the same text on X already, in a post that is not this one. Change the text."
})

const toPrepared = (known: TwitterHandle): Prepared => {
  const handle = handleOf(known)
  const waiting = Object.values(known.files).filter(({ ready }) => !ready)
  return waiting.length === 0
    ? { _tag: "ready", handle }
    : {
        _tag: "wait",
        handle,
        poll_after: Duration.seconds(Math.max(...waiting.map(({ ask_after = 1 }) => ask_after)))
      }
}

/** X's ids of the post's files, in order. */
const idsOf = ({ media }: PublishRequest, { files }: TwitterHandle) =>
  Effect.forEach(media, ({ id }) => {
    const file = files[id]
    return file === undefined ? Effect.fail(handleUnreadable("X")) : Effect.succeed(file.id)
  })

/** The body of https://docs.x.com/x-api/posts/create-post. */
const postOf = (request: PublishRequest, media_ids: ReadonlyArray<string>) => {
  const { community_id, for_super_followers_only, made_with_ai, paid_partnership, poll, reply_settings } =
    optionsOf(request)
  const parent = parentOf(request)
  return {
    text: request.caption,
    ...(media_ids.length === 0 ? {} : { media: { media_ids } }),
    ...(poll === undefined ? {} : { poll: { ...poll } }),
    ...(parent === undefined ? {} : { reply: { in_reply_to_tweet_id: parent } }),
    ...(reply_settings === undefined || reply_settings === "everyone" ? {} : { reply_settings }),
    ...(community_id === undefined ? {} : { community_id }),
    ...(made_with_ai === true ? { made_with_ai } : {}),
    ...(paid_partnership === true ? { paid_partnership } : {}),
    ...(for_super_followers_only === true ? { for_super_followers_only } : {})
  }
}

/** X gives no reason for what is longer than the account may post: its subscription may have ended since the post was checked. */
const refuseCreate =
  ({ caption, media }: Pick<PublishRequest, "caption" | "media">) =>
  (refusal: Refusal): Refused => {
    const refused = refuse(refusal)
    if (refused.code !== notPermitted) return refused
    const isLong = textLength(caption, captionRules, captionRules.max) > captionRules.max
    const longest = videos?.max_duration_ms ?? Infinity
    return isLong || media.some(({ duration_ms }) => (duration_ms ?? 0) > longest)
      ? {
          ...refused,
          class: "invalid",
          message: `X does not allow the account to post this. Without a subscription it takes ${captionRules.max} characters as X counts them, and videos of ${longest / 1000} seconds. Shorten the ${isLong ? "text" : "video"}, or renew the account's subscription.`
        }
      : refused
  }
