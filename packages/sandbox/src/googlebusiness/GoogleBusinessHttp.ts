/**
 * Google Business Profile at the wire, every host as the first part of the path; Google's sign-in is where YouTube's is
 * (`GoogleAuthorization.ts`), for whoever asks for the scope `https://www.googleapis.com/auth/business.manage`.
 *
 * `GET /mybusinessaccountmanagement.googleapis.com/v1/accounts?pageSize=&pageToken=`: 20 on a page, at most
 * `GET /mybusinessbusinessinformation.googleapis.com/v1/accounts/{account}/locations?readMask=&pageSize=&pageToken=`: 10 on a
 *   page unless said, 100 at most; without `readMask` 400. `accountsOf` says which a person has. `metadata.canOperateLocalPost`
 *   is left out where it is not true, and a list where it is empty.
 * Below `/mybusiness.googleapis.com/v4/accounts/{account}/locations/{location}/localPosts`:
 * `POST`: the post. Its photo is fetched before the answer. A post with a photo is `PROCESSING` in the answer and `LIVE` to the
 *   next look; one without is `LIVE` at once. One with a phone number is `PROCESSING`, then `REJECTED`, and never seen by anybody.
 * `GET ?pageSize=&pageToken=`: newest first, 20 on a page unless said, 100 at most
 * `GET /{post}` · `PATCH /{post}?updateMask=` · `DELETE /{post}`
 * `GET /local.google.com/place?id=&use=posts&lpsid=`: `searchUrl`, the page of a post that is `LIVE`
 *
 * `processing` by script on `post`: so many looks find it `PROCESSING`; `becomes: "failed"` is `REJECTED`. The API gives no reason.
 * A post of `...-flagged` is `LIVE` to one look, and `REJECTED` to every later one. `...-noaccess` signs in with a project that
 * Google has not given access: 429 with a quota of 0.
 *
 * Errors: `{ error: { code, message, status, details? } }`; the rules of posts as `ValidationError`. `refuse` by script takes a
 * status such as `NOT_FOUND` as code, or a reason: `SERVICE_DISABLED`, `RATE_LIMIT_EXCEEDED` (the quota of 0),
 * `ACCESS_TOKEN_SCOPE_INSUFFICIENT`.
 */
import { Effect, type Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Arrived, Exchange, Granted, queryOf } from "../Exchange.ts"
import { MediaStore } from "../MediaStore.ts"
import { NodeServer } from "../NodeServer.ts"
import { googleLogin, managing } from "../youtube/GoogleAuthorization.ts"
import { authorization } from "../oauth/Bearer.ts"
import { Tokens } from "../oauth/Tokens.ts"
import { receivedJson } from "../ReceivedJson.ts"
import { GoogleBusiness, type LocalPost, type State } from "./GoogleBusiness.ts"
import { denied, dialect, invalid, malformed, notFound, refused, withoutQuota } from "./GoogleErrors.ts"
import { type KeptDraft, LocalPostDraft, violationOf } from "./LocalPostDraft.ts"
import { accountsOf, type BusinessAccount, type Location } from "./Locations.ts"
import { fetchPhoto } from "./Photo.ts"

const manage = { scopes: [managing] }
const posts = "/mybusiness.googleapis.com/v4/accounts/:account/locations/:location/localPosts"

const json = receivedJson((message) => malformed(`Invalid JSON payload received. ${message.slice(0, 300)}`), {
  onExcessProperty: "error"
})

/** One page of a list under its name, and the token of the next. */
const paged = (query: URLSearchParams, usual: number, most: number) =>
  Effect.gen(function* () {
    const size = Number(query.get("pageSize") || usual)
    const start = Number(Buffer.from(query.get("pageToken") ?? "", "base64url").toString() || 0)
    if (!Number.isSafeInteger(size) || size < 1) return yield* malformed("Page size must be at least 1.")
    if (!Number.isSafeInteger(start) || start < 0) return yield* malformed("Page token is invalid.")
    return <A extends Schema.Json>(name: string, all: ReadonlyArray<A>) => {
      const end = start + Math.min(size, most)
      const items = all.slice(start, end)
      return {
        ...(items.length === 0 ? {} : { [name]: items }),
        ...(end < all.length ? { nextPageToken: Buffer.from(String(end)).toString("base64url") } : {})
      }
    }
  })

/** The fields of a location that a mask may name, as far as anybody asks for them. */
const locationFields = new Set("name title storefrontAddress metadata storeCode websiteUri".split(" "))
/** Those of a post that can be changed; the stand-in takes no other photo. */
const postFields = new Set(["summary", "languageCode", "callToAction", "event", "offer"])

/** The names in a mask of fields; those within another are as good as the whole of it. */
const maskOf = (query: URLSearchParams, parameter: "readMask" | "updateMask", known: ReadonlySet<string>) =>
  Effect.suspend(() => {
    const names = (query.get(parameter) ?? "").split(",").map((path) => path.trim().split(".", 1)[0]!)
    return names.every((name) => known.has(name))
      ? Effect.succeed(names)
      : malformed(`Invalid field mask provided: ${parameter}`)
  })

export const GoogleBusinessHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const business = yield* GoogleBusiness
    const store = yield* MediaStore
    const exchange = yield* Exchange
    const tokens = yield* Tokens
    const { url } = yield* NodeServer

    const numberOf = (name: string) => tokens.accountId("google_business", name)
    const accountId = ({ name }: BusinessAccount) => `1000${numberOf(name)}`

    const authorized = authorization(
      {
        platform: googleLogin.platform,
        invalid: () =>
          refused(
            401,
            "UNAUTHENTICATED",
            "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential."
          ),
        outOfScope: () =>
          refused(403, "ACCESS_TOKEN_SCOPE_INSUFFICIENT", "Request had insufficient authentication scopes.")
      },
      tokens
    )
    const signed = (arrived: Arrived) =>
      Effect.flatMap(authorized(arrived, manage), ({ account: person, expireToken }) =>
        person.endsWith("-noaccess")
          ? withoutQuota
          : Effect.succeed({ person, accounts: accountsOf(person), expireToken })
      )
    const endpoint = exchange.endpoints({ dialect, caller: signed })

    /** Calls of a location are of its account, not of who has signed in. */
    const located = exchange.endpoints({
      dialect,
      caller: (arrived) =>
        Effect.gen(function* () {
          const { accounts, expireToken } = yield* signed(arrived)
          const { account = "", location: number = "" } = arrived.path
          const location = accounts
            .find((one) => accountId(one) === account)
            ?.locations.find(({ name }) => numberOf(name) === number)
          if (location?.canOperateLocalPost !== true) return yield* denied
          arrived.seen.account = location.name
          const parent = `accounts/${account}/locations/${number}`
          return { location: location.name, parent, expireToken }
        })
    })

    const found = ({ location, path }: Pick<Arrived, "path"> & { readonly location: string }) =>
      Effect.suspend(() => {
        const post = business.find(location, path["post"] ?? "")
        return post === undefined ? notFound : Effect.succeed(post)
      })

    const locationBody = (
      { canOperateLocalPost, name }: Location,
      mask: ReadonlyArray<string>
    ): Schema.Json => {
      const whole: Record<string, Schema.Json> = {
        name: `locations/${numberOf(name)}`,
        title: name,
        storefrontAddress: {
          regionCode: "GB",
          languageCode: "en",
          postalCode: "BA11 1BS",
          locality: "Frome",
          addressLines: ["14 Bell Lane"]
        },
        metadata: {
          ...(canOperateLocalPost ? { canOperateLocalPost } : {}),
          hasVoiceOfMerchant: true,
          mapsUri: `https://maps.google.com/maps?cid=${numberOf(name)}`
        }
      }
      return Object.fromEntries(Object.entries(whole).filter(([field]) => mask.includes(field)))
    }

    const postBody = (parent: string, post: LocalPost, state: State): Schema.Json => {
      const { create_time: createTime, draft, id, location, update_time: updateTime } = post
      const name = `${parent}/localPosts/${id}`
      const media = draft.media?.map(({ mediaFormat }, index) => ({
        name: `${parent}/media/localPosts/AF1Qip${id}${index}`,
        mediaFormat,
        googleUrl: `${url()}/posts/${post.publication}`
      }))
      return {
        name,
        ...draft,
        ...(media === undefined ? {} : { media }),
        state,
        createTime,
        updateTime,
        searchUrl: `${url()}/local.google.com/place?id=${numberOf(location)}&use=posts&lpsid=${id}`
      }
    }

    /** The page behind the link: the post in the feed, while it is to be seen. */
    const look = Effect.gen(function* () {
      const page = queryOf(yield* HttpServerRequest.HttpServerRequest).get("lpsid") ?? ""
      const post = business.byPage(page)
      return post === undefined || business.state(post) !== "LIVE"
        ? HttpServerResponse.text("This post is not available.", { status: 404 })
        : HttpServerResponse.redirect(`${url()}/posts/${post.publication}`)
    })

    return [
      endpoint("GET", "/mybusinessaccountmanagement.googleapis.com/v1/accounts", {
        operation: "account",
        read: ({ query }) => paged(query, 20, 20),
        answer: ({ accounts }, page) =>
          page(
            "accounts",
            accounts.map((account) => ({
              name: `accounts/${accountId(account)}`,
              accountName: account.name,
              type: account.type,
              role: account.type === "PERSONAL" ? "PRIMARY_OWNER" : "MANAGER"
            }))
          )
      }),
      endpoint("GET", "/mybusinessbusinessinformation.googleapis.com/v1/accounts/:account/locations", {
        operation: "account",
        read: ({ accounts, path, query }) =>
          Effect.gen(function* () {
            const account = accounts.find((one) => accountId(one) === path["account"])
            if (account === undefined) return yield* denied
            const mask = yield* maskOf(query, "readMask", locationFields)
            const page = yield* paged(query, 10, 100)
            return page(
              "locations",
              account.locations.map((location) => locationBody(location, mask))
            )
          }),
        answer: (_call, page) => page
      }),
      located("POST", posts, {
        operation: "post",
        read: (call) => json(call, LocalPostDraft),
        answer: ({ fault, location, parent, seen }, draft) =>
          Effect.gen(function* () {
            const violation = violationOf(draft)
            if (violation !== undefined) return yield* invalid(violation)
            const photos = yield* Effect.forEach(draft.media ?? [], ({ sourceUrl }) =>
              Effect.filterOrElse(
                fetchPhoto(store, sourceUrl),
                (photo) => "sha256" in photo,
                (why) => invalid(why)
              )
            )
            const post = yield* business.create({ location, parent, draft, photos }, fault, seen)
            const isLive = photos.length === 0 && post.becomes === "LIVE" && post.polls === 0
            return new Granted({
              body: postBody(parent, post, isLive ? "LIVE" : "PROCESSING"),
              ...(post.publication === null ? {} : { publication: post.publication })
            })
          })
      }),
      located("GET", posts, {
        operation: "post_search",
        read: ({ query }) => paged(query, 20, 100),
        answer: ({ location, parent }, page) =>
          page(
            "localPosts",
            business.posts(location).map((post) => postBody(parent, post, business.state(post)))
          )
      }),
      located("GET", `${posts}/:post`, {
        operation: "post_status",
        read: found,
        answer: ({ parent }, post) => postBody(parent, post, business.look(post))
      }),
      located("PATCH", `${posts}/:post`, {
        operation: null,
        read: (call) =>
          Effect.all({
            post: found(call),
            mask: maskOf(call.query, "updateMask", postFields),
            draft: json(call, LocalPostDraft)
          }),
        answer: ({ parent }, { draft: sent, mask, post }) =>
          Effect.gen(function* () {
            const isNamed = ([field]: readonly [string, unknown]) => mask.includes(field)
            const draft: KeptDraft = {
              ...Object.fromEntries(Object.entries(post.draft).filter((entry) => !isNamed(entry))),
              ...Object.fromEntries(Object.entries(sent).filter(isNamed))
            }
            const violation = violationOf(draft)
            if (violation !== undefined) return yield* invalid(violation)
            const changed = yield* business.change(post, draft)
            return postBody(parent, changed, business.state(changed))
          })
      }),
      located("DELETE", `${posts}/:post`, {
        operation: null,
        read: found,
        answer: (_call, post) => {
          business.remove(post)
          return {}
        }
      }),
      HttpRouter.route("GET", "/local.google.com/place", look),
      ...["mybusiness", "mybusinessaccountmanagement", "mybusinessbusinessinformation"].map((host) =>
        exchange.unknown(dialect, `/${host}.googleapis.com/*`, () => notFound)
      )
    ]
  })
)
