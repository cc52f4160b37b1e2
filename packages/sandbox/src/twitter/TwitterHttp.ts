/**
 * X's API v2 at the wire (https://docs.x.com), with the host as the first part of the path.
 *
 * `/x.com/i/oauth2/authorize` with PKCE; the code lives 30 seconds · `POST /api.x.com/2/oauth2/token`, `…/revoke` with Basic: any id, a
 * secret that begins with `sandbox`; a refresh token works once, and needs `offline.access` · `GET /2/users/me` ·
 * `POST /2/media/upload` with a whole file, or `…/initialize`, `…/{id}/append`, `…/{id}/finalize`, `GET /2/media/upload?command=STATUS` ·
 * `POST /2/media/metadata`, `/2/media/subtitles` · `POST /2/tweets` · `GET /2/users/{id}/tweets`. `/x.com/{username}/status/{id}` is
 * the post in the feed.
 *
 * Of `…-premium` the account is a subscriber's: 25,000 characters. The app of `…-selfserve` may not continue a thread. `…-unhurried` says
 * to look at a file again in five seconds. Calls of `…-nocredits`, `…-capped`, `…-unenrolled` and `…-suspended` are refused, after the
 * connection.
 *
 * The words of a post are taken once a day, unless it has files or answers another post. A file belongs to one post. Two cashtags, a
 * quote, an edit, and an answer to somebody who has not mentioned the account are refused, as of self-serve apps. X documents the names
 * `tweet.fields` and `post.fields`, each with its own names in the answer; both work.
 *
 * Unlike X it takes segments in their order, and files as forms alone; it does not look into videos.
 */
import { ByteSize, Clock, Effect, Schema, Stream } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerResponse } from "effect/http"
import { avatarPath, displayName } from "../Avatar.ts"
import { type Arrived, Exchange, Granted } from "../Exchange.ts"
import { isoTime, Ledger } from "../Ledger.ts"
import { NodeServer } from "../NodeServer.ts"
import { authorizationRoutes } from "../oauth/AuthorizationServer.ts"
import { authorization, type NeededScopes } from "../oauth/Bearer.ts"
import { Tokens } from "../oauth/Tokens.ts"
import { RateWindows } from "../RateWindows.ts"
import { receivedJson } from "../ReceivedJson.ts"
import { dialect, forbidden, invalid, notFound, refused, troubleOf, xLogin } from "./TwitterAuthorization.ts"
import { draftProblem, TwitterDraft } from "./TwitterDraft.ts"
import { Category, isReady, mediaKeyOf, mediaResource, TwitterMedia } from "./TwitterMedia.ts"
import { mediaIdsOf, postText, timeline } from "./TwitterPosts.ts"

const api = "/api.x.com/2"
const json = receivedJson(
  (message) => invalid(`One or more parameters to your request was invalid: ${message}`),
  {
    onExcessProperty: "error"
  }
)

const Id = Schema.String.check(Schema.isPattern(/^\d{1,19}$/))
const Announcement = Schema.Struct({
  media_type: Schema.String,
  total_bytes: Schema.Int,
  media_category: Category
})
const Metadata = Schema.Struct({
  id: Id,
  metadata: Schema.Struct({
    alt_text: Schema.Struct({ text: Schema.String.check(Schema.isMaxLength(1000)) })
  })
})
const Subtitles = Schema.Struct({
  id: Id,
  media_category: Schema.Literals(["TweetVideo", "AmplifyVideo"]),
  subtitles: Schema.Struct({
    id: Id,
    language_code: Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/)),
    display_name: Schema.optionalKey(Schema.String)
  })
})

export const TwitterHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const media = yield* TwitterMedia
    const ledger = yield* Ledger
    const exchange = yield* Exchange
    const tokens = yield* Tokens
    const { url } = yield* NodeServer
    const rates = new RateWindows(15 * 60_000)

    const authorized = authorization(
      {
        platform: "twitter",
        invalid: () => refused(401, "about:blank", "Unauthorized"),
        outOfScope: (missing) => forbidden(`The token lacks the scopes ${missing.join(", ")}.`)
      },
      tokens
    )
    const endpoint = exchange.endpoints({
      dialect,
      /** `limit`: calls in 15 minutes for each user, https://docs.x.com/x-api/fundamentals/rate-limits. */
      caller: (arrived, needs: { readonly scopes: NeededScopes; readonly limit: number }) =>
        Effect.gen(function* () {
          const { account, expireToken } = yield* authorized(arrived, needs)
          const { operation } = arrived.seen
          const key = `${operation}/${account}`
          const fits = yield* rates.take(key, needs.limit)
          const headers = {
            "x-rate-limit-limit": String(needs.limit),
            "x-rate-limit-remaining": String(yield* rates.left(key, needs.limit)),
            "x-rate-limit-reset": String(Math.ceil((yield* rates.resetsAt(key)) / 1000))
          }
          if (!fits) return yield* refused(429, "rate-limit-exceeded", "Too Many Requests", headers)
          const trouble = operation === "account" ? undefined : troubleOf(account)
          if (trouble !== undefined) return yield* trouble
          return { account, expireToken, headers, now: yield* Clock.currentTimeMillis }
        }),
      granted: (granted, { headers }) => new Granted({ ...granted, headers })
    })
    const reads = { scopes: ["tweet.read", "users.read"] }
    const uploads = { scopes: ["media.write"], limit: 1875 }

    const postsOf = (account: string) => ledger.publications({ platform: "twitter", account }).toReversed()

    const filesOf = Effect.fnUntraced(function* (account: string, ids: ReadonlyArray<string>) {
      const spent = new Set(postsOf(account).flatMap(mediaIdsOf))
      const files = yield* Effect.forEach(ids, (id) => media.find(account, id)).pipe(
        Effect.orElseSucceed(() => [])
      )
      if (files.length < ids.length || files.some((one) => !isReady(one) || spent.has(one.id))) {
        return yield* invalid("Your media IDs are invalid.")
      }
      return files.length < 2 || files.every(({ category }) => category === "tweet_image")
        ? files
        : yield* invalid("You may attach up to 4 photos, 1 animated GIF or 1 video in a Post.")
    })

    /** The page behind the link: the post in the feed. */
    const look = Effect.gen(function* () {
      const { id = "" } = yield* HttpRouter.params
      return ledger.find("twitter", id) === undefined
        ? HttpServerResponse.text("Hmm...this page doesn't exist.", { status: 404 })
        : HttpServerResponse.redirect(`${url()}/posts/${id}`)
    })

    return [
      ...(yield* authorizationRoutes(xLogin)),
      endpoint("GET", `${api}/users/me`, {
        ...reads,
        limit: 75,
        operation: "account",
        answer: ({ account, query }) => {
          const isSubscriber = account.endsWith("-premium")
          const further = Object.entries({
            profile_image_url: url() + avatarPath(account),
            verified_type: isSubscriber ? "blue" : "none",
            subscription_type: isSubscriber ? "Premium" : "None",
            protected: false
          })
          const asked = (query.get("user.fields") ?? "").split(",")
          return {
            data: {
              id: tokens.accountId("twitter", account),
              name: displayName(account),
              username: account,
              ...Object.fromEntries(further.filter(([field]) => asked.includes(field)))
            }
          }
        }
      }),
      endpoint("POST", `${api}/media/upload`, {
        ...uploads,
        operation: "media",
        read: (call) => readForm(call, "media_category"),
        answer: ({ account, fault, now }, { bytes, field, type }) =>
          Effect.gen(function* () {
            const category = Category.literals.find((one) => one === field && one !== "amplify_video")
            if (category === undefined) return yield* invalid(`There is no media_category ${field} here.`)
            const begun = yield* media.announce({ account, category, media_type: type, size: bytes.length })
            const whole = yield* media.finalize(yield* media.append(begun, 0, bytes, fault))
            return { data: mediaResource(whole, now, true) }
          })
      }),
      endpoint("POST", `${api}/media/upload/initialize`, {
        ...uploads,
        operation: "upload_start",
        read: (call) => json(call, Announcement),
        answer: ({ account, fault, now }, { media_category: category, media_type, total_bytes: size }) =>
          Effect.map(
            media.announce(
              { account, category, media_type, size },
              fault?.fault === "short_lived" ? fault.seconds : undefined
            ),
            (begun) => ({ data: mediaResource(begun, now) })
          )
      }),
      endpoint("POST", `${api}/media/upload/:id/append`, {
        ...uploads,
        operation: "media",
        read: (call) => readForm(call, "segment_index"),
        answer: ({ account, fault, path: { id = "" } }, { bytes, field }) =>
          media.find(account, id).pipe(
            Effect.flatMap((begun) => media.append(begun, Number.parseInt(field ?? ""), bytes, fault)),
            Effect.map(({ expires_at }) => ({ data: { expires_at: Math.floor(expires_at / 1000) } }))
          )
      }),
      endpoint("POST", `${api}/media/upload/:id/finalize`, {
        ...uploads,
        operation: "upload",
        answer: ({ account, now, path: { id = "" } }) =>
          media.find(account, id).pipe(
            Effect.flatMap(media.finalize),
            Effect.map((whole) => ({ data: mediaResource(whole, now, true) }))
          )
      }),
      endpoint("GET", `${api}/media/upload`, {
        ...uploads,
        limit: 1000,
        operation: "media_status",
        answer: ({ account, now, query }) =>
          Effect.map(media.find(account, query.get("media_id") ?? ""), (found) => {
            if (found.polls > 0) media.change(found, { polls: found.polls - 1 })
            return { data: mediaResource(found, now) }
          })
      }),
      endpoint("POST", `${api}/media/metadata`, {
        ...uploads,
        limit: 500,
        operation: "metadata",
        read: (call) => json(call, Metadata),
        answer: ({ account }, { id, metadata }) =>
          Effect.map(media.find(account, id), (found) => {
            media.change(found, { alt_text: metadata.alt_text.text })
            return { data: { id, associated_metadata: metadata } }
          })
      }),
      endpoint("POST", `${api}/media/subtitles`, {
        ...uploads,
        limit: 100,
        operation: "subtitles",
        read: (call) => json(call, Subtitles),
        answer: ({ account }, { id, media_category, subtitles }) =>
          Effect.gen(function* () {
            const video = yield* media.find(account, id)
            const { category, file } = yield* media.find(account, subtitles.id)
            const wanted = media_category === "TweetVideo" ? "tweet_video" : "amplify_video"
            if (video.category !== wanted || category !== "subtitles" || file === null) {
              return yield* invalid(`These are no ${media_category} and no subtitles.`)
            }
            media.change(video, { subtitles: { ...video.subtitles, [subtitles.language_code]: file } })
            return { data: { id, media_category, associated_subtitles: subtitles } }
          })
      }),
      endpoint("POST", `${api}/tweets`, {
        scopes: ["tweet.write", "users.read", "tweet.read"],
        limit: 100,
        operation: "post",
        read: (call) => json(call, TwitterDraft),
        answer: ({ account, now, seen }, draft) =>
          Effect.gen(function* () {
            const { text = "", ...told } = draft
            const files = yield* filesOf(account, draft.media?.media_ids ?? [])
            const parent = ledger.find("twitter", draft.reply?.in_reply_to_tweet_id ?? "")
            const wrong = draftProblem(draft, { account, now, parent, posts: postsOf(account) })
            if (wrong !== undefined) return yield* wrong
            const subtitles = Object.assign({}, ...files.map((one) => one.subtitles))
            const publication = ledger.publish(
              {
                platform: "twitter",
                account,
                title: null,
                text,
                media: files.map(({ alt_text, file }) => ({ ...file!, alt_text })),
                idempotency_key: null,
                client_reference: null,
                received_at: seen.received_at,
                published_at: isoTime(now),
                details: {
                  ...JSON.parse(JSON.stringify(told)),
                  ...(files.length === 0 ? {} : { media_keys: files.map(mediaKeyOf) }),
                  ...(Object.keys(subtitles).length === 0 ? {} : { subtitles })
                }
              },
              seen.id
            )
            const { id } = publication
            const body = { data: { id, text: postText(publication), edit_history_post_ids: [id] } }
            return new Granted({ status: 201, body, publication: id })
          })
      }),
      endpoint("GET", `${api}/users/:id/tweets`, {
        ...reads,
        limit: 900,
        operation: "post_search",
        answer: ({ account, path: { id = "" }, query }) =>
          id === tokens.accountId("twitter", account)
            ? timeline(postsOf(account), query)
            : notFound("user", id)
      }),
      HttpRouter.route("GET", "/x.com/:username/status/:id", look),
      exchange.unknown(dialect, "/api.x.com/*", () => refused(404, "about:blank", "Not Found"))
    ]
  })
)

/** A form of one field and the file `media`, which is small. */
const readForm = Effect.fnUntraced(function* ({ request }: Arrived, name: string) {
  let field: string | undefined
  let file: { readonly bytes: Uint8Array; readonly type: string } | undefined
  yield* Stream.runForEach(
    request.multipartStream,
    Effect.fnUntraced(function* (part) {
      if (part._tag === "Field" && part.key === name) field = part.value
      else if (part._tag === "File" && part.key === "media") {
        file = { bytes: yield* part.contentEffect, type: part.contentType }
      } else return yield* invalid(`${part.key} is not a parameter of this call.`)
    })
  ).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.mebibytes(6)),
    Effect.catchTag("MultipartError", ({ message }) => invalid(message))
  )
  return file === undefined ? yield* invalid("The form has no file media.") : { ...file, field }
})
