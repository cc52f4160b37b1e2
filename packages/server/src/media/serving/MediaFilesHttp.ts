import { isProblem, parseRange, problem } from "@carillon/domain"
import { DateTime, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { problemResponse } from "../../http/Problems.ts"
import type { Signature } from "../files/SignedUrls.ts"
import { contentDisposition } from "./ContentDisposition.ts"
import { MediaFiles, type ServedFile } from "./MediaFiles.ts"

type Params = Readonly<Record<string, string | undefined>>

/**
 * Answers holders of a signed URL to `GET` and `HEAD`: `/media/{id}/{name}` is the bytes of an item, and
 * `/media/{id}/{variant}/{name}` an image or a converted video as a platform gets it.
 */
export const MediaFilesLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const files = yield* MediaFiles
    const answer = (serve: (params: Params, given: Signature) => ReturnType<typeof files.serve>) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { params } = yield* HttpRouter.RouteContext
        const query = yield* HttpServerRequest.ParsedSearchParams
        const file = yield* serve(params, {
          expires: String(query.expires ?? ""),
          signature: String(query.signature ?? "")
        })
        return yield* fileResponse(request, file)
      }).pipe(
        Effect.catch((failure) => (isProblem(failure) ? problemResponse(failure) : Effect.die(failure)))
      )
    yield* router.add(
      "GET",
      "/media/:media_id/:name",
      answer(({ media_id = "" }, given) => files.serve(media_id, given))
    )
    yield* router.add(
      "GET",
      "/media/:media_id/:variant/:name",
      answer(({ media_id = "", variant = "" }, given) => files.serveVariant(media_id, variant, given))
    )
  })
)

const fileResponse = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  file: ServedFile
) {
  const { range, "if-range": ifRange, "if-none-match": ifNoneMatch } = request.headers
  const etag = `"${file.etag}"`
  const lastModified = httpDate(file.created_at)
  const headers = {
    "accept-ranges": "bytes",
    "cache-control": "private, max-age=3600",
    "content-disposition": contentDisposition(file.kind === "document" ? "attachment" : "inline", file.name),
    "cross-origin-resource-policy": "cross-origin",
    etag,
    "last-modified": lastModified,
    "x-content-type-options": "nosniff"
  }
  if (ifNoneMatch?.split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag)) {
    return HttpServerResponse.empty({ status: 304, headers })
  }
  const ranged =
    request.method === "GET" && (ifRange === undefined || ifRange === etag || ifRange === lastModified)
  const wanted = ranged ? parseRange(range, file.size_bytes) : "whole"
  if (wanted === "unsatisfiable") {
    const refusal = yield* problemResponse(
      problem("range_not_satisfiable", `The file has ${file.size_bytes} bytes; ${range} is outside them.`)
    )
    return HttpServerResponse.setHeader(refusal, "content-range", `bytes */${file.size_bytes}`)
  }
  const { start, end } = wanted === "whole" ? { start: 0, end: file.size_bytes - 1 } : wanted
  const options = {
    status: wanted === "whole" ? 200 : 206,
    contentType: file.mime_type,
    contentLength: end - start + 1,
    headers:
      wanted === "whole"
        ? headers
        : { ...headers, "content-range": `bytes ${start}-${end}/${file.size_bytes}` }
  }
  // Opened for HEAD too, so that it says what GET would.
  return HttpServerResponse.raw(yield* file.open({ start, end }), options)
})

const httpDate = (time: DateTime.Utc) => DateTime.toDateUtc(time).toUTCString()
