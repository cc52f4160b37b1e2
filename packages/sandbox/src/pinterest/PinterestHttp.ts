/**
 * Pinterest's API v5 at the wire (the platform's OpenAPI description 5.23.0), every
 * host as the first part of the path.
 *
 * `GET /www.pinterest.com/oauth/` `client_id`, `redirect_uri`, `response_type=code`, `scope` (commas), `state`: the
 * consent page; any username, every scope can be unticked.
 * `POST /api.pinterest.com/v5/oauth/token`, a form, HTTP Basic with the app's id and secret (`sandbox`):
 * `authorization_code` with `code` and `redirect_uri`, or `refresh_token`. 200 `{ response_type, access_token,
 * expires_in (30 days), refresh_token, refresh_token_expires_in (60 days), refresh_token_expires_at, token_type, scope }`.
 * Every app is one with continuous refresh: each refresh gives a new refresh token, and the old one is dead at once.
 *
 * Below `/api.pinterest.com/v5`, with `Authorization: Bearer`:
 * `GET /user_account` · `GET /boards`, `/boards/{id}`, `/boards/{id}/sections`, `/boards/{id}/pins`, `/pins/{id}`; lists
 *   with `page_size` (1 to 250, 25 unless said) and `bookmark`: `{ items, bookmark }`, `bookmark` null at the end. Secret
 *   boards only with `boards:read_secret`, pins on them only with `pins:write_secret`.
 * `POST /media` `{ media_type: "video" }`: 201 `{ media_id, media_type, upload_url, upload_parameters }`, good for an hour
 * `GET /media/{id}`: `registered`, `processing`, `succeeded` or `failed`
 * `POST /pins`: 201 and the pin. Images as JPEG or PNG in base64, or by address; two to five of them; a video by the id of
 *   its media, which must have succeeded, with a cover: an address, an image in base64 or a frame in whole seconds.
 *
 * `POST /pinterest-media-upload.s3-accelerate.amazonaws.com/`, `multipart/form-data`: every one of `upload_parameters`
 * as a field, and `file` after them all: 204. What comes after the file is not read. Errors are S3's XML.
 *
 * Answers carry `X-RateLimit-Limit`, `-Remaining` and `-Reset` of their category: 1,000 reads and 100 writes a minute for
 * each account here. Errors: `{ code, message }`. Boards follow from the account's name (`boardsOf`); each board of
 * `...-carousels` has 300 carousels besides what was published. Ids are strings of digits above 2^53.
 *
 * Unlike Pinterest it takes addresses with http, and of any host.
 */
import { ByteSize, Clock, Effect, Schema } from "effect"
import { HttpIncomingMessage, HttpRouter, HttpServerResponse } from "effect/http"
import { avatarPath, displayName } from "../Avatar.ts"
import { type Arrived, Exchange, Granted } from "../Exchange.ts"
import { isoTime, Ledger } from "../Ledger.ts"
import { MediaStore } from "../MediaStore.ts"
import { NodeServer } from "../NodeServer.ts"
import { authorizationRoutes } from "../oauth/AuthorizationServer.ts"
import { authorization, type NeededScopes } from "../oauth/Bearer.ts"
import { Tokens } from "../oauth/Tokens.ts"
import { RateWindows } from "../RateWindows.ts"
import { receivedJson } from "../ReceivedJson.ts"
import { type Board, boardResource, boardsOf } from "./Boards.ts"
import { PinDraft } from "./PinDraft.ts"
import { pinFiles } from "./PinFiles.ts"
import { Pinterest } from "./Pinterest.ts"
import { pinResource } from "./PinResource.ts"
import { dialect, pinterestLogin, refused } from "./PinterestAuthorization.ts"
import { readForm, uploadDialect } from "./UploadForm.ts"

const perMinute = { org_read: 1000, org_write: 100 }

const api = "/api.pinterest.com/v5"
const uploads = "/pinterest-media-upload.s3-accelerate.amazonaws.com/"
const uploadSeconds = 3600

const json = receivedJson((message) => refused(400, "1", `Invalid request: ${message.slice(0, 300)}`))
const Registration = Schema.Struct({ media_type: Schema.Literal("video") })

export const PinterestHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const pinterest = yield* Pinterest
    const ledger = yield* Ledger
    const store = yield* MediaStore
    const exchange = yield* Exchange
    const tokens = yield* Tokens
    const { url } = yield* NodeServer
    const rates = new RateWindows()

    const authorized = authorization(
      {
        platform: "pinterest",
        invalid: () => refused(401, "2", "Authentication failed."),
        outOfScope: (missing) =>
          refused(
            403,
            "3",
            `Your application's access token does not have the required scopes: ${missing.join(", ")}.`
          )
      },
      tokens
    )

    const endpoint = exchange.endpoints({
      dialect,
      caller: (arrived, needs: { readonly scopes: NeededScopes }) =>
        Effect.gen(function* () {
          const { account, grant, expireToken } = yield* authorized(arrived, needs)
          const category = arrived.request.method === "GET" ? "org_read" : "org_write"
          const limit = perMinute[category]
          const key = `${category}/${account}`
          const fits = yield* rates.take(key, limit)
          const headers = {
            "x-ratelimit-limit": `${limit}, ${limit};w=60;name="${category}_app_id_user_id"`,
            "x-ratelimit-remaining": String(yield* rates.left(key, limit)),
            "x-ratelimit-reset": "60"
          }
          if (!fits) {
            return yield* refused(429, "8", "You have exceeded your rate limit. Try again later.", headers)
          }
          const secret = (name: string) => grant.scopes.includes(name)
          const all = boardsOf(account, tokens.accountId("pinterest", account))
          return {
            account,
            expireToken,
            headers,
            boards: all.filter(({ privacy }) => privacy === "PUBLIC" || secret("boards:read_secret")),
            /** The boards that the token may put a pin on. */
            open: all.filter(({ privacy }) => privacy === "PUBLIC" || secret("pins:write_secret"))
          }
        }),
      granted: (granted, { headers }) => new Granted({ ...granted, headers })
    })
    const upload = exchange.endpoints({ dialect: uploadDialect })

    const found = (boards: ReadonlyArray<Board>, id: string | undefined) => {
      const board = boards.find((one) => one.id === id)
      return board === undefined ? refused(404, "40", "Board not found.") : Effect.succeed(board)
    }
    const boardOf = ({ boards, path }: Arrived & { readonly boards: ReadonlyArray<Board> }) =>
      found(boards, path["board_id"])

    const resourceOf = (account: string) => (board: Board) =>
      boardResource(board, account, pinterest.pins(account, board.id).length)

    /** The page behind the link: the pin in the feed. */
    const look = Effect.gen(function* () {
      const { pin_id = "" } = yield* HttpRouter.params
      const publication = ledger.find("pinterest", pin_id)
      return publication === undefined
        ? HttpServerResponse.text("This Pin was removed.", { status: 404 })
        : HttpServerResponse.redirect(`${url()}/posts/${publication.id}`)
    })

    return [
      ...(yield* authorizationRoutes(pinterestLogin)),
      endpoint("GET", `${api}/user_account`, {
        operation: "account",
        scopes: ["user_accounts:read"],
        answer: ({ account, boards }) => ({
          account_type: "BUSINESS",
          id: tokens.accountId("pinterest", account),
          username: account,
          business_name: displayName(account),
          about: "",
          profile_image: url() + avatarPath(account),
          website_url: "",
          board_count: boards.length,
          pin_count: pinterest.pins(account).length,
          follower_count: 0,
          following_count: 0,
          monthly_views: 0
        })
      }),
      endpoint("GET", `${api}/boards`, {
        operation: "boards",
        scopes: ["boards:read"],
        read: ({ boards, query }) => pageOf(query, boards),
        answer: ({ account }, page) => page(resourceOf(account))
      }),
      endpoint("GET", `${api}/boards/:board_id`, {
        operation: "boards",
        scopes: ["boards:read"],
        read: boardOf,
        answer: ({ account }, board) => resourceOf(account)(board)
      }),
      endpoint("GET", `${api}/boards/:board_id/sections`, {
        operation: "boards",
        scopes: ["boards:read"],
        read: (call) => Effect.flatMap(boardOf(call), ({ sections }) => pageOf(call.query, sections)),
        answer: (_call, page) => page(({ id, name }) => ({ id, name }))
      }),
      endpoint("GET", `${api}/boards/:board_id/pins`, {
        operation: "post_search",
        scopes: ["boards:read", "pins:read"],
        read: boardOf,
        answer: ({ account, query }, { id }) =>
          Effect.map(pageOf(query, pinterest.pins(account, id)), (page) => page(pinResource(url())))
      }),
      endpoint("GET", `${api}/pins/:pin_id`, {
        operation: null,
        scopes: ["boards:read", "pins:read"],
        answer: ({ account, path: { pin_id = "" } }) => {
          const publication = ledger.find("pinterest", pin_id)
          return publication?.account === account
            ? pinResource(url())(publication)
            : refused(404, "50", "Pin not found.")
        }
      }),
      endpoint("POST", `${api}/pins`, {
        operation: "post",
        scopes: ["boards:read", "boards:write", "pins:read", "pins:write"],
        read: (call) =>
          Effect.provideService(
            json(call, PinDraft),
            HttpIncomingMessage.MaxBodySize,
            ByteSize.mebibytes(200)
          ),
        answer: ({ account, open, seen }, draft) =>
          Effect.gen(function* () {
            const board = yield* found(open, draft.board_id)
            const section = draft.board_section_id ?? null
            if (section !== null && !board.sections.some(({ id }) => id === section)) {
              return yield* refused(404, "2030", "Board section not found.")
            }
            const { files, told } = yield* pinFiles(pinterest, store, account, draft.media_source)
            const publication = ledger.publish(
              {
                platform: "pinterest",
                account,
                title: draft.title ?? null,
                text: draft.description ?? "",
                media: files.map((file) => ({ ...file, alt_text: draft.alt_text ?? null })),
                idempotency_key: null,
                client_reference: null,
                received_at: seen.received_at,
                published_at: isoTime(yield* Clock.currentTimeMillis),
                details: {
                  board_id: board.id,
                  board_section_id: section,
                  link: draft.link ?? null,
                  dominant_color: draft.dominant_color ?? null,
                  source_type: draft.media_source.source_type,
                  ...told
                }
              },
              seen.id
            )
            const body = pinResource(url())(publication)
            return new Granted({ status: 201, body, publication: publication.id })
          })
      }),
      endpoint("POST", `${api}/media`, {
        operation: "upload_start",
        scopes: ["pins:read", "pins:write"],
        read: (call) => json(call, Registration),
        answer: ({ account, fault }) =>
          Effect.gen(function* () {
            const seconds = fault?.fault === "short_lived" ? fault.seconds : uploadSeconds
            const { media_id, parameters } = yield* pinterest.register(account, seconds)
            const body = {
              media_id,
              media_type: "video",
              upload_url: url() + uploads,
              upload_parameters: parameters
            }
            return new Granted({ status: 201, body })
          })
      }),
      endpoint("GET", `${api}/media/:media_id`, {
        operation: "media_status",
        scopes: ["pins:read"],
        answer: ({ account, path: { media_id = "" } }) => {
          const video = pinterest.look(account, media_id)
          return video === undefined
            ? refused(404, "2031", "Media not found.")
            : { media_id, media_type: "video", status: video.status }
        }
      }),
      upload("POST", uploads, {
        operation: "media",
        read: ({ request, seen }) =>
          Effect.tap(readForm(request, pinterest.byKey, store), ({ owner }) =>
            Effect.sync(() => void (seen.account = owner.account))
          ),
        answer: ({ fault }, { owner, file }) =>
          Effect.gen(function* () {
            const { polls, becomes = "ready" } = fault?.fault === "processing" ? fault : { polls: 0 }
            pinterest.uploaded(
              owner.media_id,
              yield* file.keep,
              polls,
              becomes === "ready" ? "succeeded" : "failed"
            )
            return new Granted({ status: 204 })
          })
      }),
      HttpRouter.route("GET", "/www.pinterest.com/pin/:pin_id/", look),
      exchange.unknown(dialect, "/api.pinterest.com/*", (method, path) =>
        refused(404, "11", `API method not found: ${method} ${path}.`)
      )
    ]
  })
)

/** One page of a list: `page_size` items from `bookmark` on. */
const pageOf = <A>(query: URLSearchParams, all: ReadonlyArray<A>) => {
  const size = Number(query.get("page_size") ?? 25)
  const bookmark = query.get("bookmark")
  const from = bookmark === null ? 0 : Number(Buffer.from(bookmark, "base64url").toString())
  if (!Number.isSafeInteger(size) || size < 1 || size > 250) {
    return refused(400, "1", `page_size is a whole number from 1 to 250, not ${query.get("page_size")}.`)
  }
  if (!Number.isSafeInteger(from) || from < 0) return refused(400, "1", "The bookmark is invalid.")
  return Effect.succeed((resource: (item: A) => Schema.Json): Schema.Json => ({
    items: all.slice(from, from + size).map(resource),
    bookmark: from + size < all.length ? Buffer.from(String(from + size)).toString("base64url") : null
  }))
}
