/**
 * Threads' API at the wire, https://developers.facebook.com/docs/threads; every host is the first part of the path,
 * `graph.threads.net` or `graph.threads.com`, and `{v}` is a version such as `v1.0`.
 *
 * `GET /threads.net/oauth/authorize` is the consent page, also at `www.` and `threads.com`;
 * `POST /oauth/access_token`, a form: 200 `{ access_token, user_id (a number) }`; a token for an hour. `GET` of it with
 *   `grant_type=client_credentials`: a token of the app
 * `GET /access_token?grant_type=th_exchange_token&client_secret=&access_token=` and
 * `GET /refresh_access_token?grant_type=th_refresh_token&access_token=`: 200 `{ access_token, token_type, expires_in: 5184000 }`;
 *   the second only of a token of 24 hours or more (`...-aged`)
 *
 * The token as `Authorization: Bearer` or `access_token`, parameters in the query, a form of either kind or JSON:
 * `GET /{v}/me?fields=` · `GET /{v}/debug_token?input_token=`: `{ data: { is_valid, scopes, user_id, … } }`
 * `POST /{v}/{user}/threads`: a container, `{ id }`. Pictures are fetched and refused at once; what is wrong with a video is
 *   said by the container. Countries are for accounts of `...-geo`. `auto_publish_text` is not played, and refused.
 * `GET /{v}/{container}?fields=status,error_message` · `POST /{v}/{user}/threads_publish` `creation_id`: `{ id }`; once
 * `GET /{v}/{user}/threads_publishing_limit`: 250 posts and 1,000 replies, or 1 of each of `...-quota`
 * `GET /{v}/{post}?fields=` · `GET /{v}/{user}/threads` without replies, and `/replies`, newest first
 *
 * Errors: `{ error: { message, type, code, error_subcode?, is_transient, fbtrace_id } }`; a script names one as
 * `code/subcode`. `processing` on `media` with `becomes: failed` and an `error_message` as `reason`, or `EXPIRED`, is the state
 * of the container.
 */
import { ByteSize, Effect } from "effect"
import { HttpRouter } from "effect/http"
import { avatarPath, displayName } from "../Avatar.ts"
import { type Arrived, Exchange, Granted } from "../Exchange.ts"
import { graphError, noObject } from "../meta/GraphErrors.ts"
import { type Body, parametersOf, pick } from "../meta/GraphParameters.ts"
import { invalidToken } from "../meta/MetaAuthorization.ts"
import { Ledger, type Publication } from "../Ledger.ts"
import { MediaStore } from "../MediaStore.ts"
import { NodeServer } from "../NodeServer.ts"
import { authorizationRoutes } from "../oauth/AuthorizationServer.ts"
import { authorization, bearerOf } from "../oauth/Bearer.ts"
import { Tokens } from "../oauth/Tokens.ts"
import { isReply, quotasOf, repliedTo, Threads } from "./Threads.ts"
import { hosts, threadsLogin } from "./ThreadsAuthorization.ts"
import { threadsContainer } from "./ThreadsContainer.ts"
import { denied, invalid, threadsDialect } from "./ThreadsErrors.ts"

const publishing = ["threads_content_publish"]

export const ThreadsHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const threads = yield* Threads
    const ledger = yield* Ledger
    const store = yield* MediaStore
    const tokens = yield* Tokens
    const { url } = yield* NodeServer
    const authorized = authorization(
      { platform: "threads", invalid: invalidToken, outOfScope: denied },
      tokens
    )
    const userId = (account: string) => tokens.accountId("threads", account)

    /** `own`: the path names the account that the token is for. */
    const endpoint = (yield* Exchange).endpoints({
      dialect: threadsDialect,
      caller: (
        arrived: Arrived,
        { own = false, scopes = [] }: { readonly own?: boolean; readonly scopes?: ReadonlyArray<string> }
      ) =>
        Effect.gen(function* () {
          const { given } = yield* parametersOf(arrived, store, ByteSize.mebibytes(1))
          const token = bearerOf(arrived.request) ?? given.get("access_token") ?? ""
          const caller = yield* authorized(arrived, { scopes: ["threads_basic", ...scopes] }, token)
          const { id = "" } = arrived.path
          if (own && id !== userId(caller.account) && id !== "me") return yield* noObject(id)
          return { ...caller, given, id }
        })
    })

    const rootOf = (post: Publication): Publication => {
      const parent = ledger.find("threads", repliedTo(post) ?? "")
      return parent === undefined ? post : rootOf(parent)
    }

    const postBody = (post: Publication): Body => {
      const { account, details = {}, id, media, published_at, text } = post
      const parent = repliedTo(post)
      return {
        id,
        media_product_type: "THREADS",
        media_type: shownTypes[String(details["media_type"])] ?? details["media_type"]!,
        permalink: `${url()}/posts/${id}`,
        ...(parent === undefined ? { owner: { id: userId(account) } } : {}),
        username: account,
        text,
        timestamp: published_at.replace(/\.\d+Z$/, "+0000"),
        shortcode: Buffer.from(id.slice(-9)).toString("base64url"),
        is_quote_post: "quote_post_id" in details,
        is_reply: parent !== undefined,
        ...(parent === undefined ? {} : { replied_to: { id: parent }, root_post: { id: rootOf(post).id } }),
        ...(media.length === 1 && media[0]!.alt_text !== null ? { alt_text: media[0]!.alt_text } : {}),
        ...("link_attachment" in details ? { link_attachment_url: details["link_attachment"]! } : {}),
        ...Object.fromEntries(kept.flatMap((name) => (name in details ? [[name, details[name]!]] : [])))
      }
    }

    const routesAt = (host: (typeof hosts)[number]) => {
      const at = `${host}/:version` as const
      const lists = (["threads", "replies"] as const).map((list) =>
        endpoint("GET", `${at}/:id/${list}`, {
          operation: "post_search",
          scopes: list === "replies" ? ["threads_read_replies"] : [],
          own: true,
          answer: ({ account, given }) => {
            const limit = Number(given.get("limit") ?? 25)
            const since = timeOf(given.get("since") ?? "0")
            if (!(limit >= 0 && limit <= 100)) return invalid("Param limit must be between 0 and 100")
            const all = threads
              .posts(account)
              .filter((post) => isReply(post) === (list === "replies"))
              .filter(({ published_at }) => Date.parse(published_at) >= since)
            const from = all.findIndex(({ id }) => id === given.get("after")) + 1
            const page = all.slice(from, from + limit)
            const data = page.map((post) => pick(postBody(post), given))
            const cursors = { before: page[0]?.id ?? "", after: page.at(-1)?.id ?? "" }
            return page.length === 0 ? { data } : { data, paging: { cursors } }
          }
        })
      )
      return [
        ...lists,
        endpoint("GET", `${at}/me`, {
          operation: "account",
          answer: ({ account, given }) =>
            pick(
              {
                id: userId(account),
                username: account,
                name: displayName(account),
                threads_profile_picture_url: url() + avatarPath(account),
                is_verified: false,
                is_eligible_for_geo_gating: account.endsWith("-geo")
              },
              given
            )
        }),
        endpoint("GET", `${at}/debug_token`, {
          operation: "account",
          answer: ({ given }) =>
            tokens.find("threads", "access", given.get("input_token") ?? "").pipe(
              Effect.map(({ expires_at, grant, issued_at }) => ({
                type: "USER",
                application: grant.client_id,
                data_access_expires_at: seconds(issued_at) + ninetyDays,
                expires_at: expires_at === null ? 0 : seconds(expires_at),
                is_valid: true,
                issued_at: seconds(issued_at),
                scopes: grant.scopes,
                user_id: userId(grant.account)
              })),
              Effect.orElseSucceed(() => ({ is_valid: false, scopes: [] })),
              Effect.map((data) => ({ data }))
            )
        }),
        endpoint("POST", `${at}/:id/threads`, {
          operation: "media",
          scopes: publishing,
          own: true,
          answer: ({ account, fault, given, grant }) =>
            Effect.gen(function* () {
              if (given.has("location_id") && !grant.scopes.includes("threads_location_tagging"))
                return yield* denied()
              if (given.has("allowlisted_country_codes") && !account.endsWith("-geo"))
                return yield* invalid("THREADS_API__FEATURE_NOT_AVAILABLE")
              const container = yield* threadsContainer({ ledger, store, threads }, account, given)
              return { id: yield* threads.create(container, fault) }
            }).pipe(Effect.scoped)
        }),
        endpoint("POST", `${at}/:id/threads_publish`, {
          operation: "post",
          scopes: publishing,
          own: true,
          answer: ({ account, given, seen }) =>
            Effect.map(
              threads.publish(account, given.get("creation_id") ?? "", seen),
              ({ id }) => new Granted({ body: { id }, publication: id })
            )
        }),
        endpoint("GET", `${at}/:id/threads_publishing_limit`, {
          operation: "publishing_limit",
          scopes: publishing,
          own: true,
          answer: ({ account, given }) =>
            Effect.map(threads.usage(account), ({ posts, replies }) => {
              const quota = quotasOf(account)
              const config = (quota_total: number) => ({ quota_total, quota_duration: 86_400 })
              const limit = {
                quota_usage: posts,
                config: config(quota.posts),
                reply_quota_usage: replies,
                reply_config: config(quota.replies)
              }
              return { data: [given.has("fields") ? pick(limit, given) : { quota_usage: posts }] }
            })
        }),
        // A container, or something that was published.
        endpoint("GET", `${at}/:id`, {
          operation: null,
          read: ({ account, id, seen }) =>
            Effect.sync(() => {
              const container = threads.container(account, id)
              seen.operation = container === undefined ? "post_status" : "media_status"
              return container
            }),
          answer: ({ account, given, id }, container) =>
            Effect.gen(function* () {
              if (container === undefined) {
                const post = ledger.find("threads", id)
                return post?.account === account ? pick(postBody(post), given) : yield* noObject(id)
              }
              const status = yield* threads.status(container)
              const failed = status === "ERROR" ? { error_message: container.fails_with ?? "UNKNOWN" } : {}
              threads.looked(container)
              return given.has("fields") ? pick({ id, status, ...failed }, given) : { id, status }
            })
        })
      ]
    }

    const exchange = yield* Exchange
    return [
      ...(yield* authorizationRoutes(threadsLogin)),
      ...hosts.flatMap((host) => [
        ...routesAt(host),
        exchange.unknown(threadsDialect, `${host}/*`, (_method, path) =>
          graphError("2500", `Unknown path components: ${path}`)
        )
      ])
    ]
  })
)

/** What was sent, under the same name. */
const kept = ["topic_tag", "poll_attachment", "is_spoiler_media", "text_attachment"]
const shownTypes: Readonly<Record<string, string>> = { TEXT: "TEXT_POST", CAROUSEL: "CAROUSEL_ALBUM" }

/** Unix time in seconds or a date, in milliseconds. */
const timeOf = (text: string) => (/^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text))
const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)
const ninetyDays = 90 * 24 * 3600
