import { Api, isProblem, problem, toPage, parseRange } from "@carillon/domain"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { DateTime, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import type { IncomingMessage, ServerResponse } from "node:http"
import { listAnswer } from "../http/ListAnswer.ts"
import { problemResponse } from "../http/Problems.ts"
import { contentDisposition } from "./serving/ContentDisposition.ts"
import { type IncomingUpload, MediaLibrary, type ServedFile } from "./MediaLibrary.ts"
import type { Signature } from "./files/SignedUrls.ts"

export const MediaHttpLayer = HttpApiBuilder.group(
  Api,
  "media",
  Effect.fnUntraced(function* (handlers) {
    const library = yield* MediaLibrary
    return handlers
      .handleAll({
        reserve: ({ payload }) => library.reserve(payload),
        import: ({ payload }) => library.import(payload),
        complete: ({ params }) => library.complete(params.media_id),
        list: ({ query, request }) => listAnswer(request, toPage(query), library.list(query, toPage(query))),
        get: ({ params }) => library.get(params.media_id),
        update: ({ params, payload }) => library.update(params.media_id, payload),
        delete: ({ params }) => library.remove(params.media_id)
      })
      .handleRaw("upload", ({ params, query, request }) =>
        library.receive(params.media_id, query, incomingUpload(request))
      )
  })
)

/** The Node request: its bytes go to the disk without passing through anything else. */
const incomingUpload = (request: HttpServerRequest.HttpServerRequest): IncomingUpload => {
  const incoming = NodeHttpServerRequest.toIncomingMessage(request) as IncomingMessage
  const response = NodeHttpServerRequest.toServerResponse(request) as ServerResponse & { _sent100?: boolean }
  const length = request.headers["content-length"]
  return {
    content_type: request.headers["content-type"],
    content_length: length === undefined ? null : Number(length),
    body: () => {
      // A server without a listener for "checkContinue" has answered it already.
      const waits = request.headers.expect?.toLowerCase() === "100-continue" && response._sent100 !== true
      if (waits) response.writeContinue()
      return incoming
    },
    // The missing bytes will not come: waiting for them would keep the connection for ever.
    abandon: () => response.setHeader("connection", "close")
  }
}

type Params = Readonly<Record<string, string | undefined>>

/**
 * Answers holders of a signed URL to `GET` and `HEAD`: `/media/{id}/{name}` is the bytes of an item, and
 * `/media/{id}/{variant}/{name}` an image or a converted video as a platform gets it.
 */
export const MediaFilesLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const library = yield* MediaLibrary
    const answer = (serve: (params: Params, given: Signature) => ReturnType<typeof library.serve>) =>
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
      answer(({ media_id = "" }, given) => library.serve(media_id, given))
    )
    yield* router.add(
      "GET",
      "/media/:media_id/:variant/:name",
      answer(({ media_id = "", variant = "" }, given) => library.serveVariant(media_id, variant, given))
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
