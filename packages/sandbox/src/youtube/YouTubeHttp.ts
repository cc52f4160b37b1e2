/**
 * YouTube at the wire: Google's sign-in, the Data API v3 and its resumable uploads,
 * every host as the first part of the path.
 *
 * `GET /accounts.google.com/o/oauth2/v2/auth`: the consent page. `access_type=offline` and `prompt=consent` are insisted
 * on: without them Google gives no refresh token, which no test should find out too late. PKCE with S256 alone.
 * `POST /oauth2.googleapis.com/token`, a form: `authorization_code` or `refresh_token`, `client_secret` is `sandbox`
 *   200 `{ access_token, expires_in: 3599, scope, token_type, refresh_token? }`; a refresh gives no new refresh token
 *   400 `invalid_grant`, `redirect_uri_mismatch`, `unsupported_grant_type` · 401 `invalid_client`, as RFC 6749 has them
 * `POST /oauth2.googleapis.com/revoke?token=`, or as a form: an access or a refresh token, with which all that the account
 *   has allowed the client is over: 200 `{}` · 400 `invalid_token`
 *
 * Below `/www.googleapis.com`, with `Authorization: Bearer`:
 * `GET /youtube/v3/channels?part=snippet&mine=true`: the account's one channel; of `...-nochannel` none
 * `POST /upload/youtube/v3/videos?uploadType=resumable&part=&notifySubscribers=`, JSON, `X-Upload-Content-Length`,
 *   `X-Upload-Content-Type`: 200 with `Location`, the session's address, good for a week. Takes `snippet` and `status`
 *   only where `part` names them. 400 `invalidTitle`, `invalidDescription`, `invalidTags`, `invalidCategoryId`,
 *   `invalidPublishAt`, `invalidVideoMetadata`, `mediaBodyRequired` · 401 `youtubeSignupRequired` of `...-nochannel`
 * `PUT` of the session's address with `Content-Range: bytes a-b/N`: chunks of whole 256 KiB but the last, in order. 308
 *   and `Range: bytes=0-x` (left out when there is nothing) until the last byte: then 201 and the video. Of a chunk that
 *   breaks off the whole 256 KiB blocks are kept. A star instead of `a-b`, without a body, asks how far it is. Once the
 *   video is there every `PUT` answers it again, 200. 404 when the session is unknown or over. A bearer need not be sent,
 *   and must be right when it is.
 * `GET /youtube/v3/videos?part=&id=`: `snippet`, `status`, `processingDetails` of the account's own videos
 * `POST /upload/youtube/v3/thumbnails/set?videoId=`: a JPEG or PNG of at most 50 MB; 404 `videoNotFound`, 400
 *   `mediaBodyRequired`, `invalidImage`, 413 `mediaTooLarge`. Of a Short in processing it is answered and lost, as
 *   https://developers.google.com/youtube/v3/revision_history has it of 3 November 2026.
 * `POST /youtube/v3/playlistItems?part=snippet`: playlists of an account have ids that begin with `PL`; every other one is
 *   404 `playlistNotFound`. `GET /youtube/v3/playlistItems?part=id&playlistId=&videoId=`: whether the video is in it
 * `POST /youtube/v3/commentThreads?part=snippet`: a comment on a video, 400 `channelOrVideoIdMissing`, `commentTextRequired`,
 *   `commentTextTooLong`, 403 `commentsDisabled` of videos that are private or made for kids, 404 `videoNotFound`.
 *   `GET /youtube/v3/commentThreads?part=snippet&videoId=&order=time`: the newest first. Both want `youtube.force-ssl`.
 *
 * `...-private` is a channel whose settings keep its videos private; all videos of `...-shorts` are Shorts.
 * Errors: `{ error: { code, message, errors: [{ message, domain, reason }] } }`; 403 `insufficientPermissions` where the
 * person has not granted a scope that allows the call.
 */
import { Effect, Schema, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { avatarPath, displayName } from "../Avatar.ts"
import { type Caller, type Dialect, Exchange, Granted, queryOf, Refused } from "../Exchange.ts"
import { Ledger } from "../Ledger.ts"
import { MediaStore } from "../MediaStore.ts"
import { NodeServer } from "../NodeServer.ts"
import { authorizationRoutes } from "../oauth/AuthorizationServer.ts"
import { authorization } from "../oauth/Bearer.ts"
import { Tokens } from "../oauth/Tokens.ts"
import { receivedJson } from "../ReceivedJson.ts"
import { sha256 } from "../Redaction.ts"
import { draftProblem } from "./DraftRules.ts"
import { googleLogin } from "./GoogleAuthorization.ts"
import { channelIdOf, publicationOf } from "./VideoIds.ts"
import { type Video, VideoDraft, videoResource, YouTube } from "./YouTube.ts"

const dialect: Dialect = {
  platform: "youtube",
  errorBody: (code, message, status) => ({
    error: { code: status, message, errors: [{ message, domain: "youtube", reason: code }] }
  }),
  words: {
    unauthorized: { status: 401, code: "authError" },
    rate_limited: { status: 429, code: "rateLimitExceeded" },
    server_error: { status: 500, code: "backendError" }
  }
}

const scope = (name: string) => `https://www.googleapis.com/auth/${name}`
const manage = scope("youtube")
const comment = scope("youtube.force-ssl")
const allowed = {
  read: [manage, comment, scope("youtube.readonly")],
  upload: [manage, comment, scope("youtube.upload")],
  manage: [manage, comment],
  comment: [comment]
}

const json = receivedJson((message) => refused(400, "parseError", message))

const api = "/www.googleapis.com/youtube/v3"
const uploads = "/www.googleapis.com/upload/youtube/v3"

export const YouTubeHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const youtube = yield* YouTube
    const ledger = yield* Ledger
    const store = yield* MediaStore
    const exchange = yield* Exchange
    const tokens = yield* Tokens
    const { url } = yield* NodeServer

    const authorized = authorization(
      {
        platform: "youtube",
        invalid: () => refused(401, "authError", "Invalid Credentials"),
        outOfScope: () =>
          refused(403, "insufficientPermissions", "Request had insufficient authentication scopes.")
      },
      tokens
    )
    const endpoint = exchange.endpoints({ dialect, caller: authorized })
    /** The session is the permission; a bearer need not be sent, and must be right when it is. */
    const session = exchange.endpoints({
      dialect,
      caller: (arrived) =>
        Effect.gen(function* () {
          const { query, request, seen } = arrived
          const id = sha256(query.get("upload_id") ?? "")
          const upload = yield* youtube.upload(id)
          const range = yield* contentRange(request, upload.size)
          seen.account = upload.account
          seen.operation =
            range.first === null ? "post_search" : range.last + 1 === range.total ? "post" : "media"
          const caller: Caller =
            request.headers.authorization === undefined
              ? {}
              : yield* authorized(arrived, { scopes: [allowed.upload] })
          return { ...caller, session: id, upload, range, account: upload.account }
        })
    })

    const channelOf = (account: string) => ({
      id: channelIdOf(tokens.accountId("youtube", account)),
      title: displayName(account),
      keeps_private: account.endsWith("-private")
    })

    const videoAnswer = (video: Video, parts: ReadonlyArray<string>, status: number) =>
      new Granted({
        status,
        body: videoResource(video, channelOf(video.publication.account), parts),
        publication: video.publication.id
      })
    const unfinished = (bytes: number) =>
      new Granted({ status: 308, headers: bytes === 0 ? {} : { range: `bytes=0-${bytes - 1}` } })

    const ownVideo = (account: string, videoId: string) =>
      Effect.suspend(() => {
        const video = youtube.video(account, publicationOf(videoId) ?? "")
        return video === undefined
          ? refused(404, "videoNotFound", `The video ${videoId} cannot be found.`)
          : Effect.succeed(video)
      })

    /** A video that takes comments. */
    const commented = Effect.fnUntraced(function* (account: string, videoId: string) {
      const video = yield* ownVideo(account, videoId)
      const { privacyStatus, selfDeclaredMadeForKids } = video.draft.status ?? {}
      return channelOf(account).keeps_private ||
        privacyStatus === "private" ||
        selfDeclaredMadeForKids === true
        ? yield* refused(403, "commentsDisabled", "The video has disabled comments.")
        : video
    })

    const commentThread = (account: string, videoId: string, text: string, number: number) => ({
      kind: "youtube#commentThread",
      id: `${videoId}.${number}`,
      snippet: {
        channelId: channelOf(account).id,
        videoId,
        topLevelComment: {
          kind: "youtube#comment",
          id: `${videoId}.${number}`,
          snippet: {
            textDisplay: text,
            textOriginal: text,
            authorDisplayName: `@${account}`,
            authorChannelId: { value: channelOf(account).id }
          }
        },
        canReply: true,
        totalReplyCount: 0,
        isPublic: true
      }
    })

    const playlistItem = (playlist: string, videoId: string) => ({
      kind: "youtube#playlistItem",
      id: Buffer.from(`${playlist}.${videoId}`).toString("base64url"),
      snippet: { playlistId: playlist, resourceId: { kind: "youtube#video", videoId } }
    })

    /** The page behind the link: the post in the feed. */
    const watch = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { id = queryOf(request).get("v") ?? "" } = yield* HttpRouter.params
      const publication = ledger.find("youtube", publicationOf(id) ?? "")
      return publication === undefined
        ? HttpServerResponse.text("This video isn't available any more", { status: 404 })
        : HttpServerResponse.redirect(`${url()}/posts/${publication.id}`)
    })

    return [
      ...(yield* authorizationRoutes(googleLogin)),
      endpoint("GET", `${api}/channels`, {
        operation: "account",
        scopes: [allowed.read],
        read: ({ query }) =>
          query.get("part") === null
            ? missing("No part given.")
            : query.get("mine") === "true"
              ? Effect.void
              : missing("No filter selected."),
        answer: ({ account }) => {
          const { id, title } = channelOf(account)
          const thumbnails = { default: { url: url() + avatarPath(account), width: 88, height: 88 } }
          const items = account.endsWith("-nochannel")
            ? []
            : [{ kind: "youtube#channel", id, snippet: { title, customUrl: `@${account}`, thumbnails } }]
          return {
            kind: "youtube#channelListResponse",
            pageInfo: { totalResults: items.length, resultsPerPage: 5 },
            ...(items.length === 0 ? {} : { items })
          }
        }
      }),
      endpoint("POST", `${uploads}/videos`, {
        operation: "upload_start",
        scopes: [allowed.upload],
        read: (call) =>
          call.query.get("uploadType") === "resumable"
            ? json(call, VideoDraft)
            : refused(400, "badRequest", "The stand-in takes uploadType=resumable alone."),
        answer: ({ account, query, request: { headers } }, sent) =>
          Effect.gen(function* () {
            const parts = partsOf(query)
            const draft: VideoDraft = {
              ...(sent.snippet !== undefined && parts.includes("snippet") ? { snippet: sent.snippet } : {}),
              ...(sent.status !== undefined && parts.includes("status") ? { status: sent.status } : {})
            }
            const problem = draftProblem(draft)
            const length = headers["x-upload-content-length"]
            const type = headers["x-upload-content-type"] ?? "application/octet-stream"
            if (account.endsWith("-nochannel")) {
              return yield* refused(401, "youtubeSignupRequired", "The account has no channel.")
            }
            if (parts.length === 0) return yield* missing("No part given.")
            if (problem !== undefined) return yield* refused(400, problem.reason, problem.message)
            if (!/^(video\/[\w.+-]+|application\/octet-stream)$/.test(type) || length === "0") {
              return yield* refused(
                400,
                "mediaBodyRequired",
                "The request does not include the video content."
              )
            }
            const permission = yield* youtube.start({
              account,
              size: length === undefined ? null : Number(length),
              content_type: type,
              draft,
              notify_subscribers: query.get("notifySubscribers") !== "false"
            })
            query.set("upload_id", permission)
            return new Granted({ headers: { location: `${url()}${uploads}/videos?${query}` } })
          })
      }),
      session("PUT", `${uploads}/videos`, {
        operation: null,
        read: ({ range, request, session, upload: { publication, received } }) =>
          Effect.gen(function* () {
            if (range.first === null || publication !== null) {
              yield* Stream.runDrain(request.stream)
              return null
            }
            const { first, last, total } = range
            const length = last - first + 1
            if (first !== received) {
              return yield* refused(
                400,
                "badRequest",
                `The chunk begins at byte ${first}; ${received} bytes have arrived so far.`
              )
            }
            if (last + 1 !== total && length % block !== 0) {
              return yield* refused(
                400,
                "badRequest",
                `A chunk that is not the last has a multiple of ${block} bytes.`
              )
            }
            let arrived = 0
            const end = yield* store
              .append(
                session,
                first,
                Stream.tap(request.stream, (chunk) => Effect.sync(() => void (arrived += chunk.length)))
              )
              .pipe(
                Effect.tapError(() =>
                  Effect.sync(() => youtube.received(session, first + arrived - (arrived % block)))
                )
              )
            if (end - first === length) return { end, total }
            return yield* refused(
              400,
              "badRequest",
              `The chunk has ${end - first} bytes; Content-Range says ${length}.`
            )
          }),
        answer: ({ account, fault, query, seen, session }, chunk) =>
          Effect.gen(function* () {
            const parts = partsOf(query)
            if (chunk === null) {
              const { publication, received } = yield* youtube.upload(session)
              return publication === null
                ? unfinished(received)
                : videoAnswer(youtube.video(account, publication)!, parts, 200)
            }
            const { end, total } = chunk
            youtube.received(session, end)
            return end < total
              ? unfinished(end)
              : videoAnswer(yield* youtube.create(session, total, fault, seen), parts, 201)
          })
      }),
      endpoint("GET", `${api}/videos`, {
        operation: "media_status",
        scopes: [allowed.read],
        read: ({ query }) => (partsOf(query).length === 0 ? missing("No part given.") : Effect.void),
        answer: ({ account, query }) => {
          const items = (query.get("id") ?? "")
            .split(",")
            .flatMap((id) => youtube.look(account, publicationOf(id) ?? "") ?? [])
            .map((video) => videoResource(video, channelOf(account), partsOf(query)))
          return { kind: "youtube#videoListResponse", items }
        }
      }),
      endpoint("POST", `${uploads}/thumbnails/set`, {
        operation: "thumbnail",
        scopes: [allowed.upload],
        read: ({ request }) => store.receive(request.headers["content-type"] ?? "", request.stream),
        answer: ({ account, query, request }, image) =>
          Effect.gen(function* () {
            const type = request.headers["content-type"] ?? ""
            const { publication, state } = yield* ownVideo(account, query.get("videoId") ?? "")
            if (image.size === 0) {
              return yield* refused(
                400,
                "mediaBodyRequired",
                "The request does not include the image content."
              )
            }
            if (!/^image\/(jpeg|png)$/.test(type)) {
              return yield* refused(400, "invalidImage", `The provided image content is invalid: ${type}.`)
            }
            if (image.size > 50 * 1024 * 1024) {
              return yield* refused(413, "mediaTooLarge", "The image is larger than 50 MB.")
            }
            const file = yield* image.keep
            if (state === "ready" || !account.endsWith("-shorts")) {
              youtube.setThumbnail(publication.id, file)
            }
            return {
              kind: "youtube#thumbnailSetResponse",
              items: [{ default: { url: `${url()}/media/${file.id}`, width: 120, height: 90 } }]
            }
          })
      }),
      endpoint("POST", `${api}/playlistItems`, {
        operation: "playlist",
        scopes: [allowed.manage],
        read: (call) => json(call, PlaylistItem),
        answer: ({ account }, { snippet: { playlistId, resourceId } }) =>
          Effect.gen(function* () {
            if (!playlistId.startsWith("PL")) return yield* noPlaylist
            const { publication } = yield* ownVideo(account, resourceId.videoId)
            youtube.addToPlaylist(publication.id, playlistId)
            return playlistItem(playlistId, resourceId.videoId)
          })
      }),
      endpoint("GET", `${api}/playlistItems`, {
        operation: null,
        scopes: [allowed.read],
        answer: ({ account, query }) => {
          const playlist = query.get("playlistId") ?? ""
          const videoId = query.get("videoId") ?? ""
          if (!playlist.startsWith("PL")) return noPlaylist
          const video = youtube.video(account, publicationOf(videoId) ?? "")
          const items = (video?.playlists ?? []).filter((id) => id === playlist)
          return {
            kind: "youtube#playlistItemListResponse",
            items: items.map((id) => playlistItem(id, videoId))
          }
        }
      }),
      endpoint("POST", `${api}/commentThreads`, {
        operation: "comment",
        scopes: [allowed.comment],
        read: (call) => json(call, CommentThread),
        answer: ({ account, query }, { snippet: { channelId, topLevelComment, videoId = "" } }) =>
          Effect.gen(function* () {
            const { textOriginal: text = "" } = topLevelComment.snippet
            if (!partsOf(query).includes("snippet")) return yield* missing("No part given.")
            if (channelId === undefined || videoId === "")
              return yield* refused(400, "channelOrVideoIdMissing", "The channel or the video is missing.")
            if (text.trim() === "")
              return yield* refused(400, "commentTextRequired", "The comment has no text.")
            if ([...text].length > longestComment)
              return yield* refused(400, "commentTextTooLong", "The comment has too many characters.")
            const { publication } = yield* commented(account, videoId)
            return commentThread(account, videoId, text, youtube.comment(publication.id, text))
          })
      }),
      endpoint("GET", `${api}/commentThreads`, {
        operation: "comment_search",
        scopes: [allowed.comment],
        answer: ({ account, query }) => {
          const videoId = query.get("videoId") ?? ""
          return Effect.map(commented(account, videoId), ({ comments }) => ({
            kind: "youtube#commentThreadListResponse",
            items: comments
              .map((text, index) => commentThread(account, videoId, text, index + 1))
              .reverse()
              .slice(0, Number(query.get("maxResults") ?? 20))
          }))
        }
      }),
      HttpRouter.route("GET", "/www.youtube.com/watch", watch),
      HttpRouter.route("GET", "/www.youtube.com/shorts/:id", watch),
      exchange.unknown(dialect, "/www.googleapis.com/*", (method, path) =>
        refused(404, "notFound", `There is no ${method} ${path}.`)
      )
    ]
  })
)

/** Chunks are whole multiples of it. */
const block = 256 * 1024

const partsOf = (query: URLSearchParams) => (query.get("part") ?? "").split(",").filter((part) => part !== "")

interface Chunk {
  readonly first: number
  readonly last: number
  readonly total: number
}

/** The content of a `PUT`; `first` null: none, it asks. Without the header the body is the whole file. */
const contentRange = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  size: number | null
): Effect.fn.Return<
  Chunk | { readonly first: null; readonly last: number; readonly total: number | null },
  Refused
> {
  const length = Number(request.headers["content-length"] ?? Number.NaN)
  const header = request.headers["content-range"]
  if (header === undefined && length > 0) return { first: 0, last: length - 1, total: length }
  const [, span, first, last, whole] = /^bytes (\*|(\d+)-(\d+))\/(\d+|\*)$/.exec(header ?? "") ?? []
  const total = whole === undefined || whole === "*" ? null : Number(whole)
  const right = total === null || size === null || total === size
  if (span === "*" && right) return { first: null, last: 0, total }
  if (first !== undefined && last !== undefined && total !== null && right && Number(last) < total) {
    return { first: Number(first), last: Number(last), total }
  }
  return yield* refused(400, "badRequest", `Content-Range: ${header ?? "(none)"} does not fit the upload.`)
})

const PlaylistItem = Schema.Struct({
  snippet: Schema.Struct({
    playlistId: Schema.String,
    resourceId: Schema.Struct({ kind: Schema.Literal("youtube#video"), videoId: Schema.String })
  })
})

const CommentThread = Schema.Struct({
  snippet: Schema.Struct({
    channelId: Schema.optionalKey(Schema.String),
    videoId: Schema.optionalKey(Schema.String),
    topLevelComment: Schema.Struct({
      snippet: Schema.Struct({ textOriginal: Schema.optionalKey(Schema.String) })
    })
  })
})

/** The reference names no number; this is what YouTube's page takes. */
const longestComment = 10_000

const refused = (status: number, code: string, message: string) => new Refused({ status, code, message })
const missing = (message: string) => refused(400, "missingRequiredParameter", message)
const noPlaylist = refused(404, "playlistNotFound", "The playlist cannot be found.")
