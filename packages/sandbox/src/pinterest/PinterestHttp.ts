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
import { ByteSize, Clock, Effect, Schema, Stream } from "effect"
import {
  HttpIncomingMessage,
  HttpRouter,
  type HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "effect/http"
import { avatarPath, displayName } from "../Avatar.ts"
import { Exchange, type Granted, Refused, type Seen } from "../Exchange.ts"
import { isoTime, Ledger } from "../Ledger.ts"
import { MediaStore, type StoredMedia } from "../MediaStore.ts"
import { NodeServer } from "../NodeServer.ts"
import { authorizationRoutes } from "../oauth/AuthorizationServer.ts"
import { authorization, bearerOf } from "../oauth/Bearer.ts"
import { Tokens } from "../oauth/Tokens.ts"
import type { Operation } from "../Platforms.ts"
import { RateWindows } from "../RateWindows.ts"
import { type Board, boardResource, boardsOf } from "./Boards.ts"
import { imageOf, type PinImage, pullImage } from "./Images.ts"
import { type MediaSource, PinDraft } from "./PinDraft.ts"
import { Pinterest } from "./Pinterest.ts"
import { pinResource } from "./PinResource.ts"
import { dialect, pinterestLogin } from "./PinterestAuthorization.ts"
import { readForm, uploadDialect } from "./UploadForm.ts"

type Request = HttpServerRequest.HttpServerRequest

const perMinute = { org_read: 1000, org_write: 100 }

const api = "/api.pinterest.com/v5"
const uploads = "/pinterest-media-upload.s3-accelerate.amazonaws.com/"
const uploadSeconds = 3600

export const PinterestHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const pinterest = yield* Pinterest
    const ledger = yield* Ledger
    const store = yield* MediaStore
    const exchange = yield* Exchange
    const tokens = yield* Tokens
    const { url } = yield* NodeServer
    const rates = new RateWindows()

    const bearer = authorization(
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

    const authorized = Effect.fnUntraced(function* (
      request: Request,
      seen: Seen,
      operation: Operation | null,
      category: keyof typeof perMinute,
      scopes: ReadonlyArray<string>
    ) {
      const { account, grant, expireToken } = yield* bearer(seen, operation, bearerOf(request), scopes)
      const limit = perMinute[category]
      const fits = yield* rates.take(`${category}/${account}`, limit)
      const headers = {
        "x-ratelimit-limit": `${limit}, ${limit};w=60;name="${category}_app_id_user_id"`,
        "x-ratelimit-remaining": String(yield* rates.left(`${category}/${account}`, limit)),
        "x-ratelimit-reset": "60"
      }
      if (!fits) {
        return yield* new Refused({
          status: 429,
          code: "8",
          message: "You have exceeded your rate limit. Try again later.",
          headers
        })
      }
      const secret = (name: string) => grant.scopes.includes(name)
      const all = boardsOf(account, tokens.accountId("pinterest", account))
      return {
        account,
        boards: all.filter(({ privacy }) => privacy === "PUBLIC" || secret("boards:read_secret")),
        /** The boards that the token may put a pin on. */
        open: all.filter(({ privacy }) => privacy === "PUBLIC" || secret("pins:write_secret")),
        expireToken,
        answer: (status: number, body: Schema.Json, publication?: string): Granted => ({
          status,
          body,
          headers,
          ...(publication === undefined ? {} : { publication })
        })
      }
    })

    const userAccount = exchange.answer(
      dialect,
      Effect.fnUntraced(function* (request, seen) {
        const { account, boards, expireToken, answer } = yield* authorized(
          request,
          seen,
          "account",
          "org_read",
          ["user_accounts:read"]
        )
        return {
          expireToken,
          effect: () =>
            Effect.sync(() =>
              answer(200, {
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
            )
        }
      })
    )

    const found = (boards: ReadonlyArray<Board>) =>
      Effect.gen(function* () {
        const { board_id } = yield* HttpRouter.params
        const board = boards.find(({ id }) => id === board_id)
        return board ?? (yield* refused(404, "40", "Board not found."))
      })

    const resourceOf = (account: string) => (board: Board) =>
      boardResource(board, account, pinterest.pins(account, board.id).length)

    const boards = exchange.answer(
      dialect,
      Effect.fnUntraced(function* (request, seen) {
        const caller = yield* authorized(request, seen, "boards", "org_read", ["boards:read"])
        const page = yield* pageOf(request, caller.boards)
        return {
          expireToken: caller.expireToken,
          effect: () => Effect.sync(() => caller.answer(200, page(resourceOf(caller.account))))
        }
      })
    )

    const board = exchange.answer(
      dialect,
      Effect.fnUntraced(function* (request, seen) {
        const caller = yield* authorized(request, seen, "boards", "org_read", ["boards:read"])
        const one = yield* found(caller.boards)
        return {
          expireToken: caller.expireToken,
          effect: () => Effect.sync(() => caller.answer(200, resourceOf(caller.account)(one)))
        }
      })
    )

    const sections = exchange.answer(
      dialect,
      Effect.fnUntraced(function* (request, seen) {
        const caller = yield* authorized(request, seen, "boards", "org_read", ["boards:read"])
        const page = yield* pageOf(request, (yield* found(caller.boards)).sections)
        return {
          expireToken: caller.expireToken,
          effect: () =>
            Effect.sync(() =>
              caller.answer(
                200,
                page(({ id, name }) => ({ id, name }))
              )
            )
        }
      })
    )

    const boardPins = exchange.answer(
      dialect,
      Effect.fnUntraced(function* (request, seen) {
        const caller = yield* authorized(request, seen, "post_search", "org_read", [
          "boards:read",
          "pins:read"
        ])
        const { id } = yield* found(caller.boards)
        return {
          expireToken: caller.expireToken,
          effect: () =>
            Effect.map(pageOf(request, pinterest.pins(caller.account, id)), (page) =>
              caller.answer(200, page(pinResource(url())))
            )
        }
      })
    )

    const pin = exchange.answer(
      dialect,
      Effect.fnUntraced(function* (request, seen) {
        const caller = yield* authorized(request, seen, null, "org_read", ["boards:read", "pins:read"])
        const { pin_id = "" } = yield* HttpRouter.params
        return {
          expireToken: caller.expireToken,
          effect: () => {
            const publication = ledger.find("pinterest", pin_id)
            return publication?.account === caller.account
              ? Effect.succeed(caller.answer(200, pinResource(url())(publication)))
              : refused(404, "50", "Pin not found.")
          }
        }
      })
    )

    const register = exchange.answer(
      dialect,
      Effect.fnUntraced(function* (request, seen) {
        const caller = yield* authorized(request, seen, "upload_start", "org_write", [
          "pins:read",
          "pins:write"
        ])
        yield* fromBody(request.text, decodeRegistration)
        return {
          expireToken: caller.expireToken,
          effect: (fault) =>
            Effect.gen(function* () {
              const seconds = fault?.fault === "short_lived" ? fault.seconds : uploadSeconds
              const { media_id, parameters } = yield* pinterest.register(caller.account, seconds)
              return caller.answer(201, {
                media_id,
                media_type: "video",
                upload_url: url() + uploads,
                upload_parameters: parameters
              })
            })
        }
      })
    )

    const upload = exchange.answer(
      uploadDialect,
      Effect.fnUntraced(function* (request, seen) {
        seen.operation = "media"
        const { owner, file } = yield* readForm(request, pinterest.byKey, store)
        seen.account = owner.account
        return {
          effect: (fault) =>
            Effect.gen(function* () {
              const { polls, becomes = "ready" } = fault?.fault === "processing" ? fault : { polls: 0 }
              pinterest.uploaded(
                owner.media_id,
                yield* file.keep,
                polls,
                becomes === "ready" ? "succeeded" : "failed"
              )
              return { status: 204, body: undefined }
            })
        }
      })
    )

    const media = exchange.answer(
      dialect,
      Effect.fnUntraced(function* (request, seen) {
        const caller = yield* authorized(request, seen, "media_status", "org_read", ["pins:read"])
        const { media_id = "" } = yield* HttpRouter.params
        return {
          expireToken: caller.expireToken,
          effect: () => {
            const video = pinterest.look(caller.account, media_id)
            return video === undefined
              ? refused(404, "2031", "Media not found.")
              : Effect.succeed(caller.answer(200, { media_id, media_type: "video", status: video.status }))
          }
        }
      })
    )

    const decoded = ({ content_type, data }: { readonly content_type: string; readonly data: string }) => {
      const image = imageOf(Buffer.from(data, "base64"))
      return image?.content_type === content_type
        ? Effect.succeed(image)
        : refused(400, "1", `The data is no image of the type ${content_type}, or is larger than 20 MB.`)
    }
    const pulled = (address: string) =>
      Effect.filterOrElse(pullImage(address), isDefined, () =>
        refused(400, "235", "Sorry, we are unable to reach the URL, or it is not an image.")
      )

    const kept = Effect.fnUntraced(function* ({ content_type, bytes }: PinImage) {
      const received = yield* store.receive(content_type, Stream.succeed(bytes))
      return yield* received.keep
    }, Effect.scoped)

    /** The files of a pin, with their further facts. */
    const filesOf = Effect.fnUntraced(function* (
      account: string,
      source: MediaSource
    ): Effect.fn.Return<
      {
        readonly files: ReadonlyArray<StoredMedia>
        readonly told: { readonly [key: string]: Schema.Json }
      },
      Refused
    > {
      switch (source.source_type) {
        case "image_base64":
          return { files: [yield* kept(yield* decoded(source))], told: {} }
        case "image_url":
          return { files: [yield* kept(yield* pulled(source.url))], told: {} }
        case "multiple_image_base64":
        case "multiple_image_urls": {
          const { items, index = 0 } = source
          if (index >= items.length) return yield* refused(400, "1", `${index} is not the index of an item.`)
          const listed: ReadonlyArray<(typeof items)[number]> = items
          const images = yield* Effect.forEach(listed, (item) =>
            "url" in item ? pulled(item.url) : decoded(item)
          )
          const told = listed.map(({ title = null, description = null, link = null }) => ({
            title,
            description,
            link
          }))
          return { files: yield* Effect.forEach(images, kept), told: { index, items: told } }
        }
        case "video_id": {
          const video = pinterest.video(account, source.media_id)
          if (video === undefined) return yield* refused(404, "2031", "Media not found.")
          if (video.status !== "succeeded" || video.file === null) {
            return yield* refused(400, "1", `The media ${source.media_id} is ${video.status}.`)
          }
          const { cover_image_url, cover_image_data, cover_image_content_type, cover_image_key_frame_time } =
            source
          const image =
            cover_image_url !== undefined
              ? yield* pulled(cover_image_url)
              : cover_image_data !== undefined && cover_image_content_type !== undefined
                ? yield* decoded({ data: cover_image_data, content_type: cover_image_content_type })
                : undefined
          if (image === undefined && cover_image_key_frame_time === undefined) {
            return yield* refused(
              400,
              "1",
              "A video needs a cover: cover_image_url, cover_image_data or cover_image_key_frame_time."
            )
          }
          const cover =
            image === undefined ? { key_frame_time: cover_image_key_frame_time! } : yield* kept(image)
          return { files: [video.file], told: { cover: { ...cover }, media_id: source.media_id } }
        }
      }
    })

    const createPin = exchange.answer(
      dialect,
      Effect.fnUntraced(function* (request, seen) {
        const caller = yield* authorized(request, seen, "post", "org_write", [
          "boards:read",
          "boards:write",
          "pins:read",
          "pins:write"
        ])
        const { account } = caller
        const draft = yield* fromBody(
          request.text.pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.mebibytes(200))),
          decodeDraft
        )
        return {
          expireToken: caller.expireToken,
          effect: () =>
            Effect.gen(function* () {
              const board = caller.open.find(({ id }) => id === draft.board_id)
              if (board === undefined) return yield* refused(404, "40", "Board not found.")
              const section = draft.board_section_id ?? null
              if (section !== null && !board.sections.some(({ id }) => id === section)) {
                return yield* refused(404, "2030", "Board section not found.")
              }
              const { files, told } = yield* filesOf(account, draft.media_source)
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
              return caller.answer(201, pinResource(url())(publication), publication.id)
            })
        }
      })
    )

    /** The page behind the link: the pin in the feed. */
    const look = Effect.gen(function* () {
      const { pin_id = "" } = yield* HttpRouter.params
      const publication = ledger.find("pinterest", pin_id)
      return publication === undefined
        ? HttpServerResponse.text("This Pin was removed.", { status: 404 })
        : HttpServerResponse.redirect(`${url()}/posts/${publication.id}`)
    })

    const unknown = exchange.answer(dialect, (request) =>
      Effect.fail(
        refused(404, "11", `API method not found: ${request.method} ${request.url.split("?", 1)[0]}.`)
      )
    )

    return [
      ...(yield* authorizationRoutes(pinterestLogin)),
      HttpRouter.route("GET", `${api}/user_account`, userAccount, whole),
      HttpRouter.route("GET", `${api}/boards`, boards, whole),
      HttpRouter.route("GET", `${api}/boards/:board_id`, board, whole),
      HttpRouter.route("GET", `${api}/boards/:board_id/sections`, sections, whole),
      HttpRouter.route("GET", `${api}/boards/:board_id/pins`, boardPins, whole),
      HttpRouter.route("GET", `${api}/pins/:pin_id`, pin, whole),
      HttpRouter.route("POST", `${api}/pins`, createPin, whole),
      HttpRouter.route("POST", `${api}/media`, register, whole),
      HttpRouter.route("GET", `${api}/media/:media_id`, media, whole),
      HttpRouter.route("POST", uploads, upload, whole),
      HttpRouter.route("GET", "/www.pinterest.com/pin/:pin_id/", look),
      HttpRouter.route("*", "/api.pinterest.com/*", unknown, whole)
    ]
  })
)

const isDefined = <A>(value: A | undefined): value is A => value !== undefined

const whole = { uninterruptible: true }

/** One page of a list: `page_size` items from `bookmark` on. */
const pageOf = <A>(request: Request, all: ReadonlyArray<A>) => {
  const query = new URLSearchParams(request.url.split("?", 2)[1] ?? "")
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

const decodeDraft = Schema.decodeUnknownEffect(Schema.fromJsonString(PinDraft))
const decodeRegistration = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Struct({ media_type: Schema.Literal("video") }))
)

const fromBody = <A>(
  text: Effect.Effect<string, HttpServerError.HttpServerError>,
  decode: (text: string) => Effect.Effect<A, Schema.SchemaError>
): Effect.Effect<A, Refused | HttpServerError.HttpServerError> =>
  text.pipe(
    Effect.flatMap(decode),
    Effect.catchTag("SchemaError", ({ message }) =>
      refused(400, "1", `Invalid request: ${message.slice(0, 300)}`)
    )
  )

const refused = (status: number, code: string, message: string) => new Refused({ status, code, message })
