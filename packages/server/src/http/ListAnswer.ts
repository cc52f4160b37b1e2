import type { Found, Page } from "@carillon/domain"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { AppConfig } from "../AppConfig.ts"

/** The list envelope: `next` repeats the request's own filters. */
export const listAnswer = <A, E, R>(
  request: HttpServerRequest.HttpServerRequest,
  page: Page,
  found: Effect.Effect<Found<A>, E, R>
) =>
  Effect.gen(function* () {
    const { publicUrl } = yield* AppConfig
    const { data, total, total_relation = "exact" } = yield* found
    return { data, meta: { total, total_relation, ...page, next: next(publicUrl, request.url, page, total) } }
  })

const next = (publicUrl: string, requestUrl: string, { limit, offset }: Page, total: number) => {
  if (offset + limit >= total) return null
  const url = new URL(publicUrl + requestUrl)
  url.searchParams.set("limit", String(limit))
  url.searchParams.set("offset", String(offset + limit))
  return url.href
}
