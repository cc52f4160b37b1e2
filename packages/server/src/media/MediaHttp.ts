import { Api, toPage } from "@carillon/domain"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import type { IncomingMessage, ServerResponse } from "node:http"
import { listAnswer } from "../http/ListAnswer.ts"
import { Imports } from "./imports/Imports.ts"
import { MediaLibrary } from "./MediaLibrary.ts"
import { type IncomingUpload, Uploads } from "./uploads/Uploads.ts"

export const MediaHttpLayer = HttpApiBuilder.group(
  Api,
  "media",
  Effect.fnUntraced(function* (handlers) {
    const library = yield* MediaLibrary
    const uploads = yield* Uploads
    const imports = yield* Imports
    return handlers
      .handleAll({
        reserve: ({ payload }) => uploads.reserve(payload),
        import: ({ payload }) => imports.import(payload),
        complete: ({ params }) => uploads.complete(params.media_id),
        list: ({ query, request }) => listAnswer(request, toPage(query), library.list(query, toPage(query))),
        get: ({ params }) => library.get(params.media_id),
        update: ({ params, payload }) => library.update(params.media_id, payload),
        delete: ({ params }) => library.remove(params.media_id)
      })
      .handleRaw("upload", ({ params, query, request }) =>
        uploads.receive(params.media_id, query, incomingUpload(request))
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
