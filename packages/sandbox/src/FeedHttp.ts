import { parseRange } from "@carillon/domain"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { avatarPath, avatarPng, displayName } from "./Avatar.ts"
import { feedPage, feedPolicy } from "./FeedPage.ts"
import { Ledger, type Publication } from "./Ledger.ts"
import { MediaStore } from "./MediaStore.ts"
import { NodeServer } from "./NodeServer.ts"
import { errorAnswer } from "./ErrorAnswer.ts"

const newest = 100

/** The pages for people: `/`, `/posts/{id}`, `/feed.json`, and the pictures and videos in them. */
export const FeedHttpLayer = HttpRouter.addAll(
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const store = yield* MediaStore
    const { url } = yield* NodeServer

    const newestFirst = (account: string | undefined) => [...ledger.publications({ account })].reverse()

    const page = (publications: ReadonlyArray<Publication>, total: number, account: string | null) =>
      HttpServerResponse.text(feedPage({ publications, total, account, url: url() }), {
        contentType: "text/html; charset=utf-8",
        headers: {
          "content-security-policy": feedPolicy,
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
          "cache-control": "no-store"
        }
      })

    const feed = Effect.gen(function* () {
      const account = one((yield* HttpServerRequest.ParsedSearchParams).account)
      const all = newestFirst(account)
      return page(all.slice(0, newest), all.length, account ?? null)
    })

    const permalink = Effect.gen(function* () {
      const { id } = yield* HttpRouter.params
      const publication = newestFirst(undefined).find((publication) => publication.id === id)
      if (publication === undefined) return errorAnswer(404, "not_found", `There is no post ${id}.`)
      return page([publication], 1, null)
    })

    const feedJson = Effect.gen(function* () {
      const query = yield* HttpServerRequest.ParsedSearchParams
      const limit = Number(one(query.limit) ?? newest)
      const all = newestFirst(one(query.account))
      return HttpServerResponse.jsonUnsafe({
        total: all.length,
        posts: all.slice(0, Number.isSafeInteger(limit) && limit > 0 ? limit : newest).map(feedPost(url()))
      })
    })

    const media = Effect.gen(function* () {
      const { id = "" } = yield* HttpRouter.params
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const stored = store.find(id)
      if (stored === undefined) return errorAnswer(404, "not_found", `There is no media ${id}.`)
      const { size, content_type, sha256 } = stored
      const common = {
        "accept-ranges": "bytes",
        "cache-control": "private, max-age=3600",
        // An SVG is a document; its scripts must not run here.
        "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        etag: `"${sha256}"`,
        "x-content-type-options": "nosniff"
      }
      const range = parseRange(headers.range, size)
      if (range === "unsatisfiable") {
        return HttpServerResponse.empty({
          status: 416,
          headers: { ...common, "content-range": `bytes */${size}` }
        })
      }
      const { start, end } = range === "whole" ? { start: 0, end: size - 1 } : range
      return HttpServerResponse.raw(yield* store.open(id, { start, end }), {
        status: range === "whole" ? 200 : 206,
        contentType: content_type,
        contentLength: end - start + 1,
        headers: range === "whole" ? common : { ...common, "content-range": `bytes ${start}-${end}/${size}` }
      })
    })

    const avatar = Effect.gen(function* () {
      const { username = "" } = yield* HttpRouter.params
      return HttpServerResponse.uint8Array(avatarPng(username), {
        contentType: "image/png",
        headers: {
          "cache-control": "public, max-age=86400",
          "content-security-policy": "default-src 'none'; sandbox",
          "x-content-type-options": "nosniff"
        }
      })
    })

    return [
      HttpRouter.route("GET", "/", feed),
      HttpRouter.route("GET", "/posts/:id", permalink),
      HttpRouter.route("GET", "/feed.json", feedJson),
      HttpRouter.route("GET", "/media/:id", media),
      HttpRouter.route("GET", "/avatars/:username", avatar)
    ]
  })
)

const one = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined

const feedPost =
  (url: string) =>
  ({ id, platform, account, title, text, media, published_at, details }: Publication) => ({
    id,
    platform,
    url: `${url}/posts/${id}`,
    account: {
      username: account,
      display_name: displayName(account),
      avatar_url: `${url}${avatarPath(account)}`
    },
    title,
    text,
    media: media.map(({ sha256: _, ...shown }) => ({ ...shown, url: `${url}/media/${shown.id}` })),
    published_at,
    ...(details === undefined ? {} : { details })
  })
