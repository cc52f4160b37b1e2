/**
 * The wire of TikTok's Login Kit and Content Posting API v2, from its documents,
 * under the real hosts as path prefixes. JSON calls carry `Authorization: Bearer` and answer
 * `{ data, error: { code: "ok", message, log_id } }`; a refusal has the same shape with another code.
 *
 * `GET /www.tiktok.com/v2/auth/authorize/` `client_key`, `response_type=code`, `scope` (commas), `redirect_uri`
 * (without query and fragment), `state`: the consent page; any username, every scope can be unticked.
 * `POST /open.tiktokapis.com/v2/oauth/token/` form: `client_key`, `client_secret` (anything but `wrong`), `grant_type`
 * with `code` and `redirect_uri`, with `refresh_token`, or `client_credentials` for a token of the app alone. 200 `{ access_token, expires_in (2 hours), refresh_token,
 * refresh_expires_in (180 days), open_id, scope, token_type }`; the refresh token rotates, the old one is dead at once.
 * 400 `{ error: invalid_grant | invalid_client | unsupported_grant_type, error_description, log_id }`
 * `POST /open.tiktokapis.com/v2/oauth/revoke/` form: `client_key`, `client_secret`, `token` (an access token). 200 without
 * a body; all that the account has allowed the app is over. Of a token that is not good any more too (RFC 7009).
 * `GET /open.tiktokapis.com/v2/user/info/?fields=`
 *
 * `POST /open.tiktokapis.com/v2/post/publish/...`
 *   `creator_info/query/`  20 a minute for each token
 *   `video/init/`, `inbox/video/init/`, `content/init/`  6 a minute: `{ publish_id, upload_url? }`
 *   `status/fetch/` `{ publish_id }`  30 a minute
 *   `cancel/` `{ publish_id }`  while it is being fetched
 * `PUT /open-upload.tiktokapis.com/video/?upload_id=&upload_token=` with `Content-Type`, `Content-Length`,
 * `Content-Range: bytes a-b/total`, one chunk after the other: 206, and 201 for the last one, with which posting
 * starts; both with the `Content-Range` of all that has arrived. 416 with the same header for other bytes than the
 * next ones, 403 after one hour, 404 for an upload that is not there.
 *
 * A post is found in work by the first look at its status and published by the second. `publicaly_available_post_id`
 * holds JSON numbers above 2^53, of public posts only. The account follows from its name: `...-private` is a private
 * account (no PUBLIC_TO_EVERYONE), `...-self` can only post to itself, `...-quiet` has comments, duets and stitches
 * switched off, `...-long` may post ten minutes, all others three; of `...-moderated` no post id ever becomes known;
 * `...-pieces` takes no file of 5 MB or more in one chunk, `...-whole` none in several. `...-renamed` has the username
 * `...-named-anew` by the time it posts.
 *
 * Unlike TikTok it takes redirect and media addresses with http, and of any host.
 */
import { Effect, type Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { avatarPath, displayName } from "../Avatar.ts"
import { type Arrived, type Dialect, Exchange, Granted, Refused } from "../Exchange.ts"
import type { Fault } from "../Faults.ts"
import { MediaStore } from "../MediaStore.ts"
import { NodeServer } from "../NodeServer.ts"
import { authorizationRoutes } from "../oauth/AuthorizationServer.ts"
import { authorization, type NeededScopes } from "../oauth/Bearer.ts"
import { Tokens } from "../oauth/Tokens.ts"
import { receivedJson } from "../ReceivedJson.ts"
import { ContentInit, InboxInit, PublishId, VideoInit } from "./PostInit.ts"
import { RateWindows } from "../RateWindows.ts"
import { type Draft, fileOf, TikTok } from "./TikTok.ts"
import { logId, openIdOf, tiktokLogin } from "./TikTokAuthorization.ts"
import { contentProblem, pushProblem, videoProblem } from "./TikTokRules.ts"

const answer = (data: Schema.Json, code = "ok", message = ""): Schema.Json => ({
  data,
  error: { code, message, log_id: logId() }
})

const dialect: Dialect = {
  platform: "tiktok",
  errorBody: (code, message) => answer({}, code, message),
  words: {
    forbidden: { status: 403, code: "spam_risk" },
    unauthorized: { status: 401, code: "access_token_invalid" },
    rate_limited: { status: 429, code: "rate_limit_exceeded" },
    server_error: { status: 500, code: "internal_error" }
  }
}

const json = receivedJson((message) => refused(400, "invalid_param", message))

export const TikTokHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const tiktok = yield* TikTok
    const exchange = yield* Exchange
    const tokens = yield* Tokens
    const store = yield* MediaStore
    const { url } = yield* NodeServer
    const rates = new RateWindows()

    const openId = (account: string) => openIdOf(tokens.accountId("tiktok", account))

    const authorized = authorization(
      {
        platform: "tiktok",
        invalid: () =>
          refused(401, "access_token_invalid", "The access token is invalid or not found in the request."),
        outOfScope
      },
      tokens
    )
    const granted = ({ body = {} }: Granted) => new Granted({ body: answer(body) })

    const endpoint = exchange.endpoints({
      dialect,
      caller: (arrived, { scopes }: { readonly scopes: (fields: ReadonlyArray<string>) => NeededScopes }) =>
        authorized(arrived, { scopes: scopes(fieldsOf(arrived)) }),
      granted
    })
    /** One JSON call: the token, one of its scopes, the rate, the kind of its body. */
    const call = exchange.endpoints({
      dialect,
      caller: Effect.fnUntraced(function* (
        arrived: Arrived,
        { oneOf, a_minute }: { readonly oneOf: ReadonlyArray<string>; readonly a_minute?: number }
      ) {
        const { request, seen } = arrived
        const caller = yield* authorized(arrived, { scopes: [oneOf] })
        if (a_minute !== undefined && !(yield* rates.take(`${seen.operation} ${caller.token}`, a_minute))) {
          return yield* refused(429, "rate_limit_exceeded", `At most ${a_minute} calls a minute.`)
        }
        return /^application\/json\b/.test(request.headers["content-type"] ?? "")
          ? caller
          : yield* refused(400, "invalid_param", "Content-Type must be application/json; charset=UTF-8.")
      }),
      granted
    })
    const open = exchange.endpoints({ dialect })

    const begin = Effect.fnUntraced(function* (
      draft: Draft,
      source: (typeof VideoInit.Type)["source_info"],
      seen: Arrived["seen"],
      fault: Fault | undefined
    ) {
      if (source.source === "PULL_FROM_URL") {
        return { publish_id: yield* tiktok.startPull(draft, [source.video_url], seen, fault) }
      }
      const problem = pushProblem(source)
      if (problem !== undefined) return yield* refused(400, "invalid_param", problem)
      const { video_size: size, chunk_size, total_chunk_count: chunks } = source
      if (
        (chunks === 1 && size >= 5_000_000 && inPieces(draft.account)) ||
        (chunks > 1 && inOne(draft.account))
      ) {
        return yield* refused(400, "invalid_params", "The chunk size is invalid")
      }
      const lifetime = fault?.fault === "short_lived" ? fault.seconds : undefined
      const { publish_id, upload_token } = yield* tiktok.startPush(
        draft,
        { size, chunk_size, chunks },
        seen,
        lifetime
      )
      const query = new URLSearchParams({ upload_id: publish_id, upload_token })
      return { publish_id, upload_url: `${url()}/open-upload.tiktokapis.com/video/?${query}` }
    })

    const api = "/open.tiktokapis.com/v2"
    const publishing = `${api}/post/publish` as const
    return [
      ...(yield* authorizationRoutes(tiktokLogin)),
      HttpRouter.route("GET", "/www.tiktok.com/:user/:kind/:id", permalink),
      endpoint("GET", `${api}/user/info/`, {
        operation: "account",
        scopes: (fields) => [
          "user.info.basic",
          ...(fields.includes("username") ? ["user.info.profile"] : [])
        ],
        answer: ({ account, ...call }) => {
          const user: Record<string, string> = {
            open_id: openId(account),
            union_id: `union${openId(account)}`,
            avatar_url: `${url()}${avatarPath(account)}`,
            display_name: displayName(account),
            username: account
          }
          const wanted = fieldsOf(call)
          return wanted.length === 0 || wanted.some((field) => !(field in user))
            ? refused(400, "invalid_params", "fields is missing or names an unknown field.")
            : { user: Object.fromEntries(wanted.map((field) => [field, user[field]!])) }
        }
      }),
      call("POST", `${publishing}/creator_info/query/`, {
        operation: "creator_info",
        oneOf: ["video.publish"],
        a_minute: 20,
        read: ({ request }) => request.text,
        answer: ({ account }) => ({
          creator_avatar_url: `${url()}${avatarPath(account)}`,
          creator_username: account.replace(/-renamed$/, "-named-anew"),
          creator_nickname: displayName(account),
          privacy_level_options: [...privacyLevels(account)],
          comment_disabled: isQuiet(account),
          duet_disabled: isQuiet(account),
          stitch_disabled: isQuiet(account),
          max_video_post_duration_sec: account.endsWith("-long") ? 600 : 180
        })
      }),
      call("POST", `${publishing}/video/init/`, {
        operation: "upload_start",
        oneOf: ["video.publish"],
        a_minute: 6,
        read: (call) => json(call, VideoInit),
        answer: ({ account, seen, fault }, { post_info, source_info }) =>
          Effect.gen(function* () {
            yield* allowed(account, post_info.privacy_level)
            const problem = videoProblem(post_info)
            if (problem !== undefined) return yield* refused(400, "invalid_param", problem)
            const { title, ...details } = post_info
            const draft: Draft = {
              account,
              kind: "video",
              inbox: false,
              title: null,
              text: title ?? "",
              public: isPublic(account, post_info.privacy_level),
              details
            }
            return yield* begin(draft, source_info, seen, fault)
          })
      }),
      call("POST", `${publishing}/inbox/video/init/`, {
        operation: "upload_start",
        oneOf: ["video.upload"],
        a_minute: 6,
        read: (call) => json(call, InboxInit),
        answer: ({ account, seen, fault }, { source_info }) => {
          const kept = { inbox: true, title: null, text: "", public: false, details: { inbox: true } }
          return begin({ account, kind: "video", ...kept }, source_info, seen, fault)
        }
      }),
      call("POST", `${publishing}/content/init/`, {
        operation: "post",
        oneOf: either,
        a_minute: 6,
        read: (call) => json(call, ContentInit),
        answer: ({ account, grant, seen, fault }, { post_mode, post_info, source_info, ...rest }) =>
          Effect.gen(function* () {
            const inbox = post_mode === "MEDIA_UPLOAD"
            const needed = inbox ? "video.upload" : "video.publish"
            if (!grant.scopes.includes(needed)) return yield* outOfScope([needed])
            if (!inbox) yield* allowed(account, post_info.privacy_level)
            const problem = contentProblem(post_info, source_info)
            if (problem !== undefined) return yield* refused(400, "invalid_param", problem)
            const { title, description, ...details } = post_info
            const { photo_images, photo_cover_index } = source_info
            const draft: Draft = {
              account,
              kind: "photo",
              inbox,
              title: title ?? null,
              text: description ?? "",
              public: !inbox && isPublic(account, post_info.privacy_level ?? ""),
              details: {
                ...details,
                photo_cover_index,
                ...(rest.is_aigc === undefined ? {} : { is_aigc: rest.is_aigc }),
                ...(inbox ? { inbox } : {})
              }
            }
            return { publish_id: yield* tiktok.startPull(draft, photo_images, seen, fault) }
          })
      }),
      call("POST", `${publishing}/status/fetch/`, {
        operation: "post_status",
        oneOf: either,
        a_minute: 30,
        read: (call) => json(call, PublishId),
        answer: ({ account }, { publish_id }) =>
          Effect.map(tiktok.look(account, publish_id), (found) => ({
            status: found.status,
            ...(found.fail_reason === null ? {} : { fail_reason: found.fail_reason }),
            publicaly_available_post_id: found.post_id === null ? [] : [longNumber(found.post_id)],
            [found.pushed ? "uploaded_bytes" : "downloaded_bytes"]: found.bytes
          }))
      }),
      call("POST", `${publishing}/cancel/`, {
        operation: "upload_start",
        oneOf: either,
        read: (call) => json(call, PublishId),
        answer: ({ account }, { publish_id }) => Effect.as(tiktok.cancel(account, publish_id), {})
      }),
      open("PUT", "/open-upload.tiktokapis.com/video/", {
        operation: "media",
        read: ({ request, seen, query }) =>
          Effect.gen(function* () {
            const type = request.headers["content-type"] ?? ""
            const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(request.headers["content-range"] ?? "")
            if (range === null || !["video/mp4", "video/quicktime", "video/webm"].includes(type)) {
              return yield* refused(
                400,
                "invalid_param",
                "Content-Range or Content-Type is missing or wrong."
              )
            }
            const [start, end, total] = range.slice(1).map(Number) as [number, number, number]
            if (request.headers["content-length"] !== String(end + 1 - start)) {
              return yield* refused(400, "invalid_param", "Content-Length is not that of Content-Range.")
            }
            const admitted = yield* tiktok.admit(
              { publish_id: query.get("upload_id") ?? "", token: query.get("upload_token") ?? "" },
              { start, end, total }
            )
            seen.account = admitted.account
            seen.operation = admitted.last ? "post" : "media"
            yield* store.append(fileOf(admitted.publish_id), start, request.stream)
            return { ...admitted, end, type }
          }),
        answer: ({ fault }, { publish_id, size, last, end, type }) =>
          Effect.map(
            tiktok.received(publish_id, end, type, fault),
            (publication) =>
              new Granted({
                status: last ? 201 : 206,
                headers: { "content-range": `bytes 0-${end}/${size}` },
                ...(publication === null ? {} : { publication })
              })
          )
      }),
      exchange.unknown(dialect, "/open.tiktokapis.com/*", (method, path) =>
        refused(404, "invalid_url", `There is no ${method} ${path}.`)
      )
    ]
  })
)

const permalink = Effect.map(HttpRouter.params, ({ id = "" }) =>
  HttpServerResponse.redirect(`/posts/${encodeURIComponent(id)}`)
)

const fieldsOf = ({ query }: Pick<Arrived, "query">) => {
  const fields = query.get("fields")
  return fields === null ? [] : fields.split(",")
}

const allowed = (account: string, level: string | undefined) =>
  level !== undefined && privacyLevels(account).includes(level)
    ? Effect.void
    : refused(
        403,
        "privacy_level_option_mismatch",
        "privacy_level is missing or not among the privacy_level_options of the creator."
      )

const either = ["video.publish", "video.upload"]

const refused = (status: number, code: string, message: string) => new Refused({ status, code, message })

const outOfScope = (missing: ReadonlyArray<string>) =>
  refused(401, "scope_not_authorized", `The user did not authorize ${missing.join(" or ")}.`)

const inPieces = (account: string) => account.endsWith("-pieces")
const inOne = (account: string) => account.endsWith("-whole")

const isQuiet = (account: string) => account.endsWith("-quiet")

/** A number that no JavaScript number can hold. */
const longNumber = (digits: string) =>
  (JSON as unknown as { readonly rawJSON: (text: string) => Schema.Json }).rawJSON(digits)

const privacyLevels = (account: string): ReadonlyArray<string> => {
  if (account.endsWith("-self")) return ["SELF_ONLY"]
  const widest = account.endsWith("-private") ? "FOLLOWER_OF_CREATOR" : "PUBLIC_TO_EVERYONE"
  return [widest, "MUTUAL_FOLLOW_FRIENDS", "SELF_ONLY"]
}

const isPublic = (account: string, level: string) =>
  level === "PUBLIC_TO_EVERYONE" && !account.endsWith("-moderated")
