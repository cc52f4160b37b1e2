/**
 * The wire of the sandbox's own platform. JSON in UTF-8 both ways, times in UTC (ISO 8601 with milliseconds), ids are
 * numbers above 2^53 written as strings. Every call but the first carries `Authorization: Bearer <access_token>`.
 * Commentary and examples: docs/platforms/sandbox.md.
 *
 * `POST /api/session` `{ username, password }`
 *   Any username of 1 to 64 letters, digits, `.`, `_` and `-`; the password is always `sandbox`. Opens the account if
 *   it is new.
 *   201 `{ access_token, expires_in (seconds), account: { id, username, display_name, avatar_url, commit_kind } }`
 *   401 `bad_credentials` · 422 `bad_username`
 *   Or `{ code }` of a person who has allowed it on the consent page: 400 `code_invalid`
 *   `commit_kind` follows from the username: `...-lookup`: `lookup`, `...-none`: `none`, all others: `key`.
 *
 * `POST /api/media`, the raw bytes with their `Content-Type`, `image/*` up to 20 MB or `video/*` up to 1 GB
 *   201 `{ id, status: ready | processing }` · 413 `media_too_large` · 415 `unsupported_media_type` · 422 `empty_media`
 * `GET /api/media/{id}`
 *   200 `{ id, status: ready | processing | failed }` · 404 `not_found`
 *
 * `POST /api/posts` `{ text?, title?, media?: [{ id, alt_text? }], client_reference?, reply_to? }`, header `Idempotency-Key?`
 *   `reply_to` is the id of a post of the same account, which this one answers.
 *   Text and media may not both be missing; at most 500 characters (graphemes) and 4 media.
 *   201 `{ id, url, created_at, review? }`; for a `key` account the same key is the same answer, for ever and whatever the body
 *   409 `media_not_ready` · 422 `empty_post`, `text_too_long`, `too_many_media`, `media_not_found`, `post_not_found`, `media_failed`
 * `GET /api/posts?reference=` the `Idempotency-Key` or `client_reference` of a post; `lookup` accounts only
 *   200 `{ posts: [{ id, url, created_at, text, title, client_reference, media: [{ id, alt_text }] }] }`, oldest first
 *   404 `not_supported` for the other kinds · 422 `reference_missing`
 * `GET /api/posts/{id}`
 *   200 the same post, with `review` · 404 `not_found`
 *   `review` is `{ state: pending | approved | rejected, reason }`, only of a post that is reviewed (by script); `reason` is null
 *   unless it is rejected. Each of these calls moves it one state on.
 *
 * Every error is `{ error: { code, message } }`. Besides those above: 400 `bad_request` (not the JSON that is
 * expected), 401 `token_invalid`, 401 `token_expired` (sign in again), 404 `not_found`, 413 `too_large` (JSON over
 * 1 MiB), and what a script adds: 403 `forbidden`, 422 with any code, 429 `rate_limited` with or without
 * `Retry-After`, 500 `server_error`.
 */
import { Effect, Schema, Stream } from "effect"
import { HttpRouter } from "effect/http"
import { avatarPath, displayName } from "../Avatar.ts"
import { type Dialect, Exchange, Granted, Refused } from "../Exchange.ts"
import type { Publication } from "../Ledger.ts"
import { MediaStore } from "../MediaStore.ts"
import { NodeServer } from "../NodeServer.ts"
import { bearerOf } from "../oauth/Bearer.ts"
import { type Consent, consentRoutes } from "../oauth/ConsentPage.ts"
import { Tokens } from "../oauth/Tokens.ts"
import { receivedJson } from "../ReceivedJson.ts"
import { commitKindOf, Credentials, Network, PostDraft, type Session } from "./Network.ts"

const consent: Consent = {
  platform: "sandbox",
  name: "The sandbox",
  scopeSeparator: " "
}

const dialect: Dialect = {
  platform: "sandbox",
  errorBody: (code, message) => ({ error: { code, message } })
}

const json = receivedJson((message) => refused(400, "bad_request", message))

export const NetworkHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const network = yield* Network
    const store = yield* MediaStore
    const exchange = yield* Exchange
    const tokens = yield* Tokens
    const { url } = yield* NodeServer

    const endpoint = exchange.endpoints({
      dialect,
      caller: Effect.fnUntraced(function* ({ request, seen }) {
        const token = bearerOf(request)
        const username = yield* network.authenticate(token)
        seen.account = username
        return { username, expireToken: () => network.expire(token!) }
      })
    })
    const open = exchange.endpoints({ dialect })

    const sessionAnswer = ({ username, account_id, access_token, expires_in }: Session) =>
      new Granted({
        status: 201,
        body: {
          access_token,
          expires_in,
          account: {
            id: account_id,
            username,
            display_name: displayName(username),
            avatar_url: `${url()}${avatarPath(username)}`,
            commit_kind: commitKindOf(username)
          }
        }
      })

    const reviewOf = (id: string) => {
      const review = network.review(id)
      return review === undefined ? {} : { review }
    }

    const postAnswer = ({ id, published_at }: Publication) => ({
      id,
      url: `${url()}/posts/${id}`,
      created_at: published_at,
      ...reviewOf(id)
    })

    const wholePost = (publication: Publication) => ({
      ...postAnswer(publication),
      text: publication.text,
      title: publication.title,
      client_reference: publication.client_reference,
      media: publication.media.map(({ id, alt_text }) => ({ id, alt_text }))
    })

    const redeemed = (code: string) =>
      tokens.redeem("sandbox", code).pipe(
        Effect.map(({ grant }) => ({ username: grant.account, password: "sandbox" })),
        Effect.mapError((problem) =>
          refused(
            400,
            "code_invalid",
            `The code is ${problem}; it works once, within ten minutes. Ask the person again.`
          )
        )
      )

    return [
      ...consentRoutes("/oauth/authorize", consent, tokens),
      open("POST", "/api/session", {
        operation: "session",
        read: (call) =>
          Effect.gen(function* () {
            const body = yield* json(call, SignIn)
            const credentials = "code" in body ? yield* redeemed(body.code) : body
            if (!/^[\w.-]{1,64}$/.test(credentials.username)) {
              return yield* refused(
                422,
                "bad_username",
                "A username has 1 to 64 letters, digits, dots, hyphens and underscores."
              )
            }
            call.seen.account = credentials.username
            return credentials
          }),
        answer: ({ fault }, credentials) =>
          Effect.map(
            network.signIn(credentials, fault?.fault === "short_lived" ? fault.seconds : undefined),
            sessionAnswer
          )
      }),
      endpoint("POST", "/api/media", {
        operation: "media",
        read: ({ request }) =>
          Effect.gen(function* () {
            const type = request.headers["content-type"]?.split(";", 1)[0]!.trim().toLowerCase() ?? ""
            const maximum = maximumBytes(type)
            if (maximum === undefined) {
              return yield* refused(
                415,
                "unsupported_media_type",
                `Send image/* or video/*, not ${type === "" ? "a body without Content-Type" : type}.`
              )
            }
            let size = 0
            const bytes = Stream.mapEffect(request.stream, (chunk) => {
              size += chunk.length
              return size <= maximum
                ? Effect.succeed(chunk)
                : refused(413, "media_too_large", `A file of type ${type} has at most ${maximum} bytes.`)
            })
            const received = yield* store.receive(type, bytes)
            return received.size > 0 ? received : yield* refused(422, "empty_media", "The file has no bytes.")
          }),
        answer: ({ username, fault }, received) =>
          Effect.map(
            network.addMedia(username, received, fault),
            (id) => new Granted({ status: 201, body: { id, status: network.mediaStatus(id) } })
          )
      }),
      endpoint("GET", "/api/media/:id", {
        operation: "media_status",
        answer: ({ username, path: { id = "" } }) =>
          Effect.map(network.lookAtMedia(username, id), (status) => ({ id, status }))
      }),
      endpoint("POST", "/api/posts", {
        operation: "post",
        read: (call) => {
          call.seen.idempotency_key = call.request.headers["idempotency-key"] ?? null
          return json(call, PostDraft)
        },
        answer: ({ username, seen, fault }, draft) =>
          Effect.map(
            network.publish(username, draft, seen.idempotency_key, seen, fault),
            (publication) =>
              new Granted({ status: 201, body: postAnswer(publication), publication: publication.id })
          )
      }),
      endpoint("GET", "/api/posts", {
        operation: "post_search",
        answer: ({ username, query }) => {
          const reference = query.get("reference")
          return reference === null
            ? refused(
                422,
                "reference_missing",
                "Say which post: ?reference=<its Idempotency-Key or client_reference>."
              )
            : Effect.map(network.find(username, reference), (posts) => ({ posts: posts.map(wholePost) }))
        }
      }),
      endpoint("GET", "/api/posts/:id", {
        operation: "post_status",
        answer: ({ username, path: { id = "" } }) =>
          Effect.map(
            network.get(username, id),
            (publication) => new Granted({ body: wholePost(publication), publication: publication.id })
          )
      }),
      exchange.unknown(dialect, "/api/*", (method, path) =>
        refused(404, "not_found", `There is no ${method} ${path} here; see docs/platforms/sandbox.md.`)
      )
    ]
  })
)

const maximumBytes = (type: string): number | undefined =>
  /^image\/[\w.+-]+$/.test(type) ? 20_000_000 : /^video\/[\w.+-]+$/.test(type) ? 1_000_000_000 : undefined

const SignIn = Schema.Union([Credentials, Schema.Struct({ code: Schema.String })])

const refused = (status: number, code: string, message: string) => new Refused({ status, code, message })
