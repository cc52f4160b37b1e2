/**
 * Instagram's content publishing at the wire, with both logins, every host as the
 * first part of the path; `{v}` is a version such as `v25.0`.
 *
 * Instagram Login: `GET /www.instagram.com/oauth/authorize` is the consent page;
 * `POST /api.instagram.com/oauth/access_token`, a form: 200 `{ access_token, user_id (a number), permissions }`, for
 *   accounts of `...-wrapped` inside of `{ data: [] }`; a token for an hour
 * `GET /graph.instagram.com/access_token?grant_type=ig_exchange_token&client_secret=&access_token=` and
 * `GET /graph.instagram.com/refresh_access_token?grant_type=ig_refresh_token&access_token=`: 200
 *   `{ access_token, token_type, expires_in: 5184000 }`; the second only of a token of 24 hours or more (`...-aged`)
 *
 * Facebook Login: `GET /www.facebook.com/{v}/dialog/oauth` is the consent page;
 * `GET /graph.facebook.com/{v}/oauth/access_token`: `code`, `grant_type=fb_exchange_token&fb_exchange_token=`,
 *   or `grant_type=client_credentials`
 * `GET /graph.facebook.com/{v}/me/permissions`: `{ data: [{ permission, status }] }`; `DELETE` of the same, or with the
 *   person's id instead of `me`: `{ success: true }`, and no token of the person or of a Page of theirs works any more
 * `GET /graph.facebook.com/{v}/me/accounts?fields=`: the person's Pages with their own tokens. Everybody has one with the
 *   Instagram account of the same name and one without any; `...-two` have a second, `...-shop`; `...-nopages` have none,
 *   `...-business` have theirs through `GET /{v}/me/businesses` alone.
 *
 * On `graph.instagram.com` and `graph.facebook.com`, the token as `Authorization: Bearer` or `access_token`, parameters
 * in the query, a form or JSON:
 * `GET /{v}/me?fields=` · `GET /{v}/{page}?fields=access_token`
 * `POST /{v}/{ig}/media`: a container, `{ id }`; `{ id, uri }` with `upload_type=resumable`, which is refused with
 *   "video_url is required" for Instagram Login but of `...-push`. Images are fetched at once and refused at once; what is
 *   wrong with a video is said by the container. Trial reels are refused with 2207081 for `...-notrial`; everything is for
 *   `...-personal`, which are no professional accounts.
 * `GET /{v}/{container}?fields=status_code,status,video_status`
 * `POST /{v}/{ig}/media_publish` `creation_id`: `{ id }`; once · `GET /{v}/{ig}/content_publishing_limit`: 100, or 1 of
 *   `...-quota`
 * `GET /{v}/{media}?fields=id,caption,permalink,shortcode,timestamp` · `GET /{v}/{ig}/media` and `/stories`, newest first
 * `POST` and `GET /{v}/{media}/comments`
 * `POST /rupload.facebook.com/ig-api-upload/{v}/{container}`: `Authorization: OAuth`, `offset`, `file_size`, the bytes from
 *   there on; of an upload that breaks off what has arrived is kept. Errors `{ debug_info: { retriable, type, message } }`.
 *
 * Errors: `{ error: { message, type, code, error_subcode?, is_transient, fbtrace_id } }`; a script names one as
 * `code/subcode`. `processing` on `media` with `becomes: failed` and a subcode as `reason`, or `EXPIRED`, is the state of
 * the container.
 */
import { Effect, type Schema, Stream } from "effect"
import { HttpRouter, type HttpServerError, HttpServerRequest } from "effect/http"
import { avatarPath, displayName } from "../Avatar.ts"
import { type Call, type Dialect, Exchange, type Granted, Refused, type Seen } from "../Exchange.ts"
import type { Publication } from "../Ledger.ts"
import { MediaStore } from "../MediaStore.ts"
import { NodeServer } from "../NodeServer.ts"
import { authorizationRoutes } from "../oauth/AuthorizationServer.ts"
import { authorization, bearerOf } from "../oauth/Bearer.ts"
import { type Grant, Tokens } from "../oauth/Tokens.ts"
import type { Operation } from "../Platforms.ts"
import { graphDialect, graphError, processingError } from "./GraphErrors.ts"
import { containerRequest } from "./ContainerRequest.ts"
import { type ContainerState, Instagram, quotaOf } from "./Instagram.ts"
import {
  facebookLogin,
  instagramLogin,
  invalidToken,
  type Login,
  loginOf,
  pageLifetimes
} from "./MetaAuthorization.ts"

type Request = HttpServerRequest.HttpServerRequest
type Read = Effect.Effect<Call, Refused | HttpServerError.HttpServerError, HttpRouter.Provided>

const hosts = { instagram: "/graph.instagram.com", facebook: "/graph.facebook.com" } as const

const needed: Readonly<
  Record<Login, { readonly read: string; readonly publish: string; readonly comment: string }>
> = {
  instagram: {
    read: "instagram_business_basic",
    publish: "instagram_business_content_publish",
    comment: "instagram_business_manage_comments"
  },
  facebook: {
    read: "instagram_basic",
    publish: "instagram_content_publish",
    comment: "instagram_manage_comments"
  }
}

/** The error for the bytes of a resumable upload. */
const uploadDialect: Dialect = {
  ...graphDialect,
  errorBody: (type, message) => ({ debug_info: { retriable: false, type, message } }),
  words: { ...graphDialect.words, unauthorized: { status: 401, code: "NotAuthorizedError" } }
}

interface Authorized {
  readonly account: string
  readonly grant: Grant
  readonly given: URLSearchParams
  readonly expireToken: () => void
}

export const InstagramHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const instagram = yield* Instagram
    const store = yield* MediaStore
    const exchange = yield* Exchange
    const tokens = yield* Tokens
    const { url } = yield* NodeServer

    const bearerOfLogin = (login: Login) =>
      authorization(
        {
          platform: "instagram",
          owns: (grant) => loginOf(grant) === login,
          invalid: invalidToken,
          outOfScope: () => graphError("10", "Application does not have permission for this action", 403)
        },
        tokens
      )
    const bearer = { instagram: bearerOfLogin("instagram"), facebook: bearerOfLogin("facebook") }
    const uploader = authorization(
      {
        platform: "instagram",
        invalid: () => uploadRefused(401, "NotAuthorizedError", "Authentication error")
      },
      tokens
    )

    const authorized = Effect.fnUntraced(function* (
      login: Login,
      request: Request,
      seen: Seen,
      operation: Operation | null,
      scope: keyof (typeof needed)[Login]
    ): Effect.fn.Return<Authorized, Refused | HttpServerError.HttpServerError> {
      const given = yield* parametersOf(request)
      const token = bearerOf(request) ?? given.get("access_token") ?? ""
      const caller = yield* bearer[login](seen, operation, token, [needed[login][scope]])
      return { ...caller, given }
    })

    const igId = (account: string) => tokens.accountId("instagram", account)
    const userId = (account: string) => `9${igId(account)}`
    // A Page is another object than the Instagram account.
    const pageId = (account: string) => `1${igId(account).slice(2)}`

    /** The path names the account that the token is for. */
    const own = Effect.fnUntraced(function* ({ account }: Authorized) {
      const { id = "" } = yield* HttpRouter.params
      if (id === igId(account) || id === "me") return
      return yield* graphError("100/33", `Unsupported request. Object with ID '${id}' does not exist.`)
    })

    const profile = (account: string) => ({
      id: igId(account),
      user_id: igId(account),
      username: account,
      name: displayName(account),
      account_type: "BUSINESS",
      profile_picture_url: url() + avatarPath(account)
    })

    const me = (login: Login) =>
      exchange.answer(
        graphDialect,
        Effect.fnUntraced(function* (request, seen) {
          const caller = yield* authorized(login, request, seen, "account", "read")
          return answering(caller, () =>
            login === "instagram"
              ? pick(profile(caller.account), caller.given)
              : { id: userId(caller.account), name: displayName(caller.account) }
          )
        })
      )

    const page = (account: string, grant: Grant, fields: ReadonlyArray<string>) =>
      Effect.map(tokens.issue({ ...grant, account }, pageLifetimes), ({ access_token }) =>
        pickFields(
          {
            id: pageId(account),
            name: `${displayName(account)} (Page)`,
            access_token,
            instagram_business_account: { id: igId(account), username: account }
          },
          fields
        )
      )

    const pagesOf = (account: string): ReadonlyArray<string> => {
      if (account.endsWith("-nopages")) return []
      return account.endsWith("-two") ? [account, account.replace(/-two$/, "-shop")] : [account]
    }

    const pages = exchange.answer(
      graphDialect,
      Effect.fnUntraced(function* (request, seen) {
        const { account, grant, given, expireToken } = yield* authorized(
          "facebook",
          request,
          seen,
          "account",
          "read"
        )
        return {
          expireToken,
          effect: () =>
            Effect.gen(function* () {
              if (!grant.scopes.includes("pages_show_list") || account.endsWith("-business")) {
                return { status: 200, body: { data: [] } }
              }
              const found = yield* Effect.forEach(pagesOf(account), (name) =>
                page(name, grant, fieldsOf(given))
              )
              const without = {
                id: "1999999999999999",
                name: "A Page without Instagram",
                access_token: "none"
              }
              return {
                status: 200,
                body: {
                  data: [...found, ...(found.length === 0 ? [] : [pickFields(without, fieldsOf(given))])]
                }
              }
            })
        }
      })
    )

    const businesses = exchange.answer(
      graphDialect,
      Effect.fnUntraced(function* (request, seen) {
        const { account, grant, expireToken } = yield* authorized(
          "facebook",
          request,
          seen,
          "account",
          "read"
        )
        return {
          expireToken,
          effect: () =>
            Effect.gen(function* () {
              if (!account.endsWith("-business")) return { status: 200, body: { data: [] } }
              const fields = ["id", "name", "access_token", "instagram_business_account"]
              const owned = yield* Effect.forEach(pagesOf(account), (name) => page(name, grant, fields))
              return {
                status: 200,
                body: {
                  data: [
                    { id: "5", name: "A business", owned_pages: { data: owned }, client_pages: { data: [] } }
                  ]
                }
              }
            })
        }
      })
    )

    const permissions = exchange.answer(
      graphDialect,
      Effect.fnUntraced(function* (request, seen) {
        const { grant } = yield* bearer.facebook(seen, "account", bearerOf(request))
        return {
          effect: () =>
            Effect.succeed({
              status: 200,
              body: { data: grant.scopes.map((permission) => ({ permission, status: "granted" })) }
            })
        }
      })
    )

    const withdraw = exchange.answer(
      graphDialect,
      Effect.fnUntraced(function* (request, seen) {
        const { account, grant, expireToken } = yield* authorized("facebook", request, seen, "revoke", "read")
        const { id = "me" } = yield* HttpRouter.params
        if (id !== "me" && id !== userId(account)) {
          return yield* graphError(
            "100/33",
            `Unsupported delete request. Object with ID '${id}' does not exist.`
          )
        }
        return {
          expireToken,
          effect: () =>
            Effect.sync(() => {
              for (const name of pagesOf(account)) tokens.withdraw({ ...grant, account: name })
              tokens.withdraw(grant)
              return { status: 200, body: { success: true } }
            })
        }
      })
    )

    const createContainer = (login: Login) =>
      exchange.answer(
        graphDialect,
        Effect.fnUntraced(function* (request, seen) {
          const caller = yield* authorized(login, request, seen, "media", "publish")
          yield* own(caller)
          const { version = "" } = yield* HttpRouter.params
          const { account, given, expireToken } = caller
          const resumable = given.get("upload_type") === "resumable"
          return {
            expireToken,
            effect: (fault) =>
              Effect.gen(function* () {
                if (account.endsWith("-personal")) {
                  return yield* graphError("10", "(#10) The user is not an Instagram Business", 403)
                }
                if (resumable && login === "instagram" && !account.endsWith("-push")) {
                  return yield* graphError("100", "(#100) The parameter video_url is required")
                }
                const id = yield* instagram.create(
                  yield* containerRequest(instagram, store, account, given),
                  fault
                )
                const uri = `${url()}/rupload.facebook.com/ig-api-upload/${version}/${id}`
                return { status: 200, body: resumable ? { id, uri } : { id } }
              }).pipe(Effect.scoped)
          }
        })
      )

    const publish = (login: Login) =>
      exchange.answer(
        graphDialect,
        Effect.fnUntraced(function* (request, seen) {
          const caller = yield* authorized(login, request, seen, "post", "publish")
          yield* own(caller)
          const { account, given, expireToken } = caller
          return {
            expireToken,
            effect: () =>
              Effect.map(instagram.publish(account, given.get("creation_id") ?? "", seen), ({ id }) => ({
                status: 200,
                body: { id },
                publication: id
              }))
          }
        })
      )

    const limit = (login: Login) =>
      exchange.answer(
        graphDialect,
        Effect.fnUntraced(function* (request, seen) {
          const caller = yield* authorized(login, request, seen, "publishing_limit", "publish")
          yield* own(caller)
          const { account, expireToken } = caller
          return {
            expireToken,
            effect: () =>
              Effect.map(instagram.usage(account), (quota_usage) => ({
                status: 200,
                body: {
                  data: [{ config: { quota_total: quotaOf(account), quota_duration: 86_400 }, quota_usage }]
                }
              }))
          }
        })
      )

    const mediaBody = ({ id, text, published_at }: Publication) => ({
      id,
      caption: text,
      permalink: `${url()}/posts/${id}`,
      shortcode: Buffer.from(id.slice(-9)).toString("base64url"),
      timestamp: published_at.replace(/\.\d+Z$/, "+0000")
    })

    const list = (login: Login, what: "feed" | "stories") =>
      exchange.answer(
        graphDialect,
        Effect.fnUntraced(function* (request, seen) {
          const caller = yield* authorized(login, request, seen, "post_search", "read")
          yield* own(caller)
          const { account, given } = caller
          const most = Number(given.get("limit") ?? 25)
          return answering(caller, () => ({
            data: instagram
              .posts(account, what)
              .slice(0, most)
              .map((publication) => pick(mediaBody(publication), given))
          }))
        })
      )

    const containerBody = Effect.fnUntraced(function* (container: ContainerState) {
      const status_code = yield* instagram.status(container)
      const { id, fails_with, received, media } = container
      return {
        id,
        status_code,
        status: status_code === "ERROR" ? processingError(fails_with ?? "") : words[status_code],
        video_status: {
          uploading_phase: {
            status: media === null ? "in_progress" : "complete",
            bytes_transferred: received
          },
          processing_phase: { status: status_code === "FINISHED" ? "complete" : "not_started" }
        }
      }
    })

    /** A container, something that was published, or the person's Page. */
    const node = (login: Login) =>
      exchange.answer(
        graphDialect,
        Effect.fnUntraced(function* (request, seen) {
          const caller = yield* authorized(login, request, seen, null, "read")
          const { account, grant, given, expireToken } = caller
          const { id = "" } = yield* HttpRouter.params
          const container = instagram.container(account, id)
          const publication = publishedOf(account, id)
          seen.operation =
            container !== undefined ? "media_status" : publication !== undefined ? "post_status" : "account"
          return {
            expireToken,
            effect: () =>
              Effect.gen(function* (): Effect.fn.Return<Granted, Refused> {
                if (container !== undefined) {
                  const body = pick(yield* containerBody(container), given)
                  instagram.looked(container)
                  return { status: 200, body }
                }
                if (publication !== undefined)
                  return { status: 200, body: pick(mediaBody(publication), given) }
                if (login === "facebook" && id === pageId(account)) {
                  return { status: 200, body: yield* page(account, grant, fieldsOf(given)) }
                }
                return yield* graphError(
                  "100/33",
                  `Unsupported get request. Object with ID '${id}' does not exist.`
                )
              })
          }
        })
      )

    const publishedOf = (account: string, id: string) =>
      [...instagram.posts(account, "feed"), ...instagram.posts(account, "stories")].find(
        (one) => one.id === id
      )

    const comment = (login: Login) =>
      exchange.answer(
        graphDialect,
        Effect.fnUntraced(function* (request, seen) {
          const caller = yield* authorized(login, request, seen, "comment", "comment")
          const { account, given, expireToken } = caller
          const { id = "" } = yield* HttpRouter.params
          return {
            expireToken,
            effect: () =>
              Effect.gen(function* () {
                const message = given.get("message") ?? ""
                if (publishedOf(account, id) === undefined) {
                  return yield* graphError("100/33", `Object with ID '${id}' does not exist.`)
                }
                if (message === "")
                  return yield* graphError("100", "(#100) The parameter message is required")
                return { status: 200, body: { id: instagram.comment(id, message) } }
              })
          }
        })
      )

    const comments = (login: Login) =>
      exchange.answer(
        graphDialect,
        Effect.fnUntraced(function* (request, seen) {
          const caller = yield* authorized(login, request, seen, "comment_search", "comment")
          const { id = "" } = yield* HttpRouter.params
          const username = caller.account
          return answering(caller, () => ({
            data: (publishedOf(username, id) === undefined ? [] : instagram.comments(id)).map(
              ({ id, text }) => ({
                id,
                text,
                username
              })
            )
          }))
        })
      )

    const upload = exchange.answer(
      uploadDialect,
      Effect.fnUntraced(function* (request, seen): Effect.fn.Return<
        Call,
        Refused | HttpServerError.HttpServerError,
        HttpRouter.RouteContext
      > {
        const { account, expireToken } = yield* uploader(seen, "upload", bearerOf(request, "OAuth"))
        const { container: id = "" } = yield* HttpRouter.params
        const container = instagram.container(account, id)
        const { headers } = request
        const [offset, size] = [
          Number(headers["offset"] ?? Number.NaN),
          Number(headers["file_size"] ?? Number.NaN)
        ]
        if (
          container === undefined ||
          container.media !== null ||
          (yield* instagram.status(container)) === "EXPIRED"
        ) {
          return yield* uploadRefused(400, "ProcessingFailedError", "Request processing failed (1363008)")
        }
        if (!Number.isSafeInteger(size) || offset !== container.received) {
          return yield* uploadRefused(
            400,
            "PartialRequestError",
            `offset is ${headers["offset"]}, ${container.received} bytes have arrived; file_size is ${headers["file_size"]}`
          )
        }
        let arrived = offset
        const bytes = Stream.tap(request.stream, (chunk) => Effect.sync(() => void (arrived += chunk.length)))
        const end = yield* store
          .append(id, offset, bytes)
          .pipe(Effect.tapError(() => Effect.sync(() => instagram.received(id, arrived))))
        if (end !== size) {
          instagram.received(id, end)
          return yield* uploadRefused(
            400,
            "PartialRequestError",
            "Partial request (did not match length of file)"
          )
        }
        return {
          expireToken,
          effect: () =>
            Effect.as(instagram.uploaded(id, size, "video/mp4"), {
              status: 200,
              body: { success: true, message: "Upload successful." }
            })
        }
      })
    )

    const unknown = exchange.answer(graphDialect, (request): Read =>
      Effect.fail(graphError("2500", `Unknown path components: ${request.url.split("?", 1)[0]}`))
    )

    const graph = (login: Login) => {
      const at = `${hosts[login]}/:version` as const
      return [
        HttpRouter.route("GET", `${at}/me`, me(login), whole),
        HttpRouter.route("POST", `${at}/:id/media`, createContainer(login), whole),
        HttpRouter.route("GET", `${at}/:id/media`, list(login, "feed"), whole),
        HttpRouter.route("GET", `${at}/:id/stories`, list(login, "stories"), whole),
        HttpRouter.route("POST", `${at}/:id/media_publish`, publish(login), whole),
        HttpRouter.route("GET", `${at}/:id/content_publishing_limit`, limit(login), whole),
        HttpRouter.route("POST", `${at}/:id/comments`, comment(login), whole),
        HttpRouter.route("GET", `${at}/:id/comments`, comments(login), whole),
        HttpRouter.route("GET", `${at}/:id`, node(login), whole),
        HttpRouter.route("*", `${hosts[login]}/*`, unknown, whole)
      ]
    }

    return [
      ...(yield* authorizationRoutes(instagramLogin)),
      ...(yield* authorizationRoutes(facebookLogin)),
      HttpRouter.route("GET", "/graph.facebook.com/:version/me/permissions", permissions, whole),
      HttpRouter.route("DELETE", "/graph.facebook.com/:version/:id/permissions", withdraw, whole),
      HttpRouter.route("GET", "/graph.facebook.com/:version/me/accounts", pages, whole),
      HttpRouter.route("GET", "/graph.facebook.com/:version/me/businesses", businesses, whole),
      HttpRouter.route("POST", "/rupload.facebook.com/ig-api-upload/:version/:container", upload, whole),
      ...graph("instagram"),
      ...graph("facebook")
    ]
  })
)

const whole = { uninterruptible: true }

const words = {
  IN_PROGRESS: "In Progress: Media is still being processed.",
  FINISHED: "Finished: Media has been uploaded and it is ready to be published.",
  PUBLISHED: "Published: Media has been published.",
  EXPIRED: "Expired: The container was not published within 24 hours and has expired."
} as const

const queryOf = (request: Request) => new URLSearchParams(request.url.split("?", 2)[1] ?? "")

/** Parameters from the query, a form and JSON alike; JSON values other than text as their JSON. */
const parametersOf = Effect.fnUntraced(function* (request: Request) {
  const given = queryOf(request)
  if (request.method === "GET") return given
  const body = yield* request.text
  const isJson = request.headers["content-type"]?.startsWith("application/json") === true
  const entries: Iterable<readonly [string, string]> = isJson
    ? Object.entries(JSON.parse(body) as Record<string, unknown>).map(
        ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const
      )
    : new URLSearchParams(body)
  for (const [name, value] of entries) given.set(name, value)
  return given
})

const fieldsOf = (given: URLSearchParams): ReadonlyArray<string> =>
  (given.get("fields") ?? "id").split(/,(?![^{]*\})/).map((field) => field.replace(/\{.*$/, ""))

type Body = { readonly [key: string]: Schema.Json }

/** `id` always, and of the others those that `fields` names. */
const pickFields = (body: Body, fields: ReadonlyArray<string>): Body =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name === "id" || fields.includes(name)))

const pick = (body: Body, given: URLSearchParams) => pickFields(body, fieldsOf(given))

const answering = ({ expireToken }: Authorized, body: () => Body): Call => ({
  expireToken,
  effect: () => Effect.sync(() => ({ status: 200, body: body() }))
})

const uploadRefused = (status: number, code: string, message: string) =>
  new Refused({ status, code, message })
