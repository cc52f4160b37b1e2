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
 *   Instagram account of the same name and one without any; `...-two` have a second, `...-shop`, and `...-sixty` have sixty, up to `...-branch-60`; `...-nopages` have none,
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
 * Resumable uploads: `UploadHttp.ts`.
 *
 * Errors: `{ error: { message, type, code, error_subcode?, is_transient, fbtrace_id } }`; a script names one as
 * `code/subcode`. `processing` on `media` with `becomes: failed` and a subcode as `reason`, or `EXPIRED`, is the state of
 * the container.
 */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { avatarPath, displayName } from "../Avatar.ts"
import { Exchange, Granted } from "../Exchange.ts"
import type { Publication } from "../Ledger.ts"
import { MediaStore } from "../MediaStore.ts"
import { NodeServer } from "../NodeServer.ts"
import { authorizationRoutes } from "../oauth/AuthorizationServer.ts"
import { authorization, bearerOf } from "../oauth/Bearer.ts"
import { type Grant, Tokens } from "../oauth/Tokens.ts"
import { graphDialect, graphError, processingError } from "./GraphErrors.ts"
import { containerRequest } from "./ContainerRequest.ts"
import { fieldsOf, parametersOf, pick, pickFields } from "./GraphParameters.ts"
import { type ContainerState, Instagram, quotaOf } from "./Instagram.ts"
import {
  facebookLogin,
  instagramLogin,
  invalidToken,
  type Login,
  loginOf,
  pageLifetimes
} from "./MetaAuthorization.ts"
import { uploadRoute } from "./UploadHttp.ts"

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

export const InstagramHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const instagram = yield* Instagram
    const store = yield* MediaStore
    const exchange = yield* Exchange
    const tokens = yield* Tokens
    const { url } = yield* NodeServer

    const igId = (account: string) => tokens.accountId("instagram", account)
    const userId = (account: string) => `9${igId(account)}`
    // A Page is another object than the Instagram account.
    const pageId = (account: string) => `1${igId(account).slice(2)}`

    /** The calls of one login. `own`: the path names the account that the token is for. */
    const endpointsOf = (login: Login) => {
      const authorized = authorization(
        {
          platform: "instagram",
          owns: (grant) => loginOf(grant) === login,
          invalid: invalidToken,
          outOfScope: () => graphError("10", "Application does not have permission for this action", 403)
        },
        tokens
      )
      return exchange.endpoints({
        dialect: graphDialect,
        caller: (
          arrived,
          { own = false, scope }: { readonly scope?: keyof (typeof needed)[Login]; readonly own?: boolean }
        ) =>
          Effect.gen(function* () {
            const given = yield* parametersOf(arrived)
            const token = bearerOf(arrived.request) ?? given.get("access_token") ?? ""
            const caller = yield* authorized(
              arrived,
              { scopes: scope === undefined ? [] : [needed[login][scope]] },
              token
            )
            const { id = "" } = arrived.path
            if (own && id !== igId(caller.account) && id !== "me") return yield* noObject(id)
            return { ...caller, given, id }
          })
      })
    }
    const person = endpointsOf("facebook")

    const profile = (account: string) => ({
      id: igId(account),
      user_id: igId(account),
      username: account,
      name: displayName(account),
      account_type: "BUSINESS",
      profile_picture_url: url() + avatarPath(account)
    })

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
      if (account.endsWith("-two")) return [account, account.replace(/-two$/, "-shop")]
      const others = account.endsWith("-sixty") ? 59 : 0
      return [
        account,
        ...Array.from({ length: others }, (_, index) => account.replace(/sixty$/, `branch-${index + 2}`))
      ]
    }

    const mediaBody = ({ id, text, published_at }: Publication) => ({
      id,
      caption: text,
      permalink: `${url()}/posts/${id}`,
      shortcode: Buffer.from(id.slice(-9)).toString("base64url"),
      timestamp: published_at.replace(/\.\d+Z$/, "+0000")
    })

    const publishedOf = (account: string, id: string) =>
      [...instagram.posts(account, "feed"), ...instagram.posts(account, "stories")].find(
        (one) => one.id === id
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

    const graph = (login: Login) => {
      const endpoint = endpointsOf(login)
      const at = `${hosts[login]}/:version` as const
      const lists = (["media", "stories"] as const).map((list) =>
        endpoint("GET", `${at}/:id/${list}`, {
          operation: "post_search",
          scope: "read",
          own: true,
          answer: ({ account, given }) => ({
            data: instagram
              .posts(account, list === "media" ? "feed" : "stories")
              .slice(0, Number(given.get("limit") ?? 25))
              .map((publication) => pick(mediaBody(publication), given))
          })
        })
      )
      return [
        ...lists,
        endpoint("GET", `${at}/me`, {
          operation: "account",
          scope: "read",
          answer: ({ account, given }) =>
            login === "instagram"
              ? pick(profile(account), given)
              : { id: userId(account), name: displayName(account) }
        }),
        endpoint("POST", `${at}/:id/media`, {
          operation: "media",
          scope: "publish",
          own: true,
          answer: ({ account, fault, given, path: { version = "" } }) =>
            Effect.gen(function* () {
              const resumable = given.get("upload_type") === "resumable"
              if (account.endsWith("-personal")) {
                return yield* graphError("10", "(#10) The user is not an Instagram Business", 403)
              }
              if (resumable && login === "instagram" && !account.endsWith("-push")) {
                return yield* graphError("100", "(#100) The parameter video_url is required")
              }
              const container = yield* containerRequest(instagram, store, account, given)
              const id = yield* instagram.create(container, fault)
              const uri = `${url()}/rupload.facebook.com/ig-api-upload/${version}/${id}`
              return resumable ? { id, uri } : { id }
            }).pipe(Effect.scoped)
        }),
        endpoint("POST", `${at}/:id/media_publish`, {
          operation: "post",
          scope: "publish",
          own: true,
          answer: ({ account, given, seen }) =>
            Effect.map(
              instagram.publish(account, given.get("creation_id") ?? "", seen),
              ({ id }) => new Granted({ body: { id }, publication: id })
            )
        }),
        endpoint("GET", `${at}/:id/content_publishing_limit`, {
          operation: "publishing_limit",
          scope: "publish",
          own: true,
          answer: ({ account }) =>
            Effect.map(instagram.usage(account), (quota_usage) => ({
              data: [{ config: { quota_total: quotaOf(account), quota_duration: 86_400 }, quota_usage }]
            }))
        }),
        endpoint("POST", `${at}/:id/comments`, {
          operation: "comment",
          scope: "comment",
          answer: ({ account, given, id }) => {
            const message = given.get("message") ?? ""
            if (publishedOf(account, id) === undefined) {
              return graphError("100/33", `Object with ID '${id}' does not exist.`)
            }
            if (message === "") return graphError("100", "(#100) The parameter message is required")
            return { id: instagram.comment(id, message) }
          }
        }),
        endpoint("GET", `${at}/:id/comments`, {
          operation: "comment_search",
          scope: "comment",
          answer: ({ account: username, id }) => {
            const comments = publishedOf(username, id) === undefined ? [] : instagram.comments(id)
            return { data: comments.map(({ id, text }) => ({ id, text, username })) }
          }
        }),
        // A container, something that was published, or the person's Page.
        endpoint("GET", `${at}/:id`, {
          operation: null,
          scope: "read",
          read: ({ account, id, seen }) =>
            Effect.sync(() => {
              const container = instagram.container(account, id)
              const publication = publishedOf(account, id)
              seen.operation =
                container !== undefined
                  ? "media_status"
                  : publication !== undefined
                    ? "post_status"
                    : "account"
              return { container, publication }
            }),
          answer: ({ account, grant, given, id }, { container, publication }) =>
            Effect.gen(function* () {
              if (container !== undefined) {
                const body = pick(yield* containerBody(container), given)
                instagram.looked(container)
                return body
              }
              if (publication !== undefined) return pick(mediaBody(publication), given)
              if (login === "facebook" && id === pageId(account)) {
                return yield* page(account, grant, fieldsOf(given))
              }
              return yield* noObject(id, "get")
            })
        }),
        exchange.unknown(graphDialect, `${hosts[login]}/*`, (_method, path) =>
          graphError("2500", `Unknown path components: ${path}`)
        )
      ]
    }

    return [
      ...(yield* authorizationRoutes(instagramLogin)),
      ...(yield* authorizationRoutes(facebookLogin)),
      person("GET", "/graph.facebook.com/:version/me/permissions", {
        operation: "account",
        answer: ({ grant }) => ({
          data: grant.scopes.map((permission) => ({ permission, status: "granted" }))
        })
      }),
      person("DELETE", "/graph.facebook.com/:version/:id/permissions", {
        operation: "revoke",
        scope: "read",
        read: ({ account, id }) =>
          id === "me" || id === userId(account) ? Effect.void : noObject(id, "delete"),
        answer: ({ account, grant }) => {
          for (const name of pagesOf(account)) tokens.withdraw({ ...grant, account: name })
          tokens.withdraw(grant)
          return { success: true }
        }
      }),
      person("GET", "/graph.facebook.com/:version/me/accounts", {
        operation: "account",
        scope: "read",
        answer: ({ account, grant, given }) =>
          Effect.gen(function* () {
            if (!grant.scopes.includes("pages_show_list") || account.endsWith("-business")) {
              return { data: [] }
            }
            const fields = fieldsOf(given)
            const found = yield* Effect.forEach(pagesOf(account), (name) => page(name, grant, fields))
            const without = {
              id: "1999999999999999",
              name: "A Page without Instagram",
              access_token: "none"
            }
            return { data: found.length === 0 ? [] : [...found, pickFields(without, fields)] }
          })
      }),
      person("GET", "/graph.facebook.com/:version/me/businesses", {
        operation: "account",
        scope: "read",
        answer: ({ account, grant }) =>
          Effect.gen(function* () {
            if (!account.endsWith("-business")) return { data: [] }
            const fields = ["id", "name", "access_token", "instagram_business_account"]
            const owned = yield* Effect.forEach(pagesOf(account), (name) => page(name, grant, fields))
            const client_pages = { data: [] }
            return { data: [{ id: "5", name: "A business", owned_pages: { data: owned }, client_pages }] }
          })
      }),
      yield* uploadRoute,
      ...graph("instagram"),
      ...graph("facebook")
    ]
  })
)

const words = {
  IN_PROGRESS: "In Progress: Media is still being processed.",
  FINISHED: "Finished: Media has been uploaded and it is ready to be published.",
  PUBLISHED: "Published: Media has been published.",
  EXPIRED: "Expired: The container was not published within 24 hours and has expired."
} as const

const noObject = (id: string, what?: string) =>
  graphError(
    "100/33",
    `Unsupported ${what === undefined ? "" : `${what} `}request. Object with ID '${id}' does not exist.`
  )
