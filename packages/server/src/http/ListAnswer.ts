import type { Page } from "@carillon/domain"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { AppConfig } from "../AppConfig.ts"

/** The list envelope: `next` repeats the request's own filters. */
export const listAnswer = <A, E, R>(
  request: HttpServerRequest.HttpServerRequest,
  page: Page,
  found: Effect.Effect<{ readonly data: ReadonlyArray<A>; readonly total: number }, E, R>
) =>
  Effect.gen(function* () {
    const { publicUrl } = yield* AppConfig
    const { data, total } = yield* found
    return { data, meta: { total, ...page, next: next(publicUrl, request.url, page, total) } }
  })

const next = (publicUrl: string, requestUrl: string, { limit, offset }: Page, total: number) => {
  if (offset + limit >= total) return null
  const url = new URL(publicUrl + requestUrl)
  url.searchParams.set("limit", String(limit))
  url.searchParams.set("offset", String(offset + limit))
  return url.href
}
