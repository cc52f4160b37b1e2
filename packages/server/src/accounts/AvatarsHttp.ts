import { isProblem } from "@carillon/domain"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { problemResponse } from "../http/Problems.ts"
import { Avatars } from "./Avatars.ts"

/** Answers holders of a signed URL with the picture of an account. */
export const AvatarsHttpLayer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const avatars = yield* Avatars
    yield* router.add(
      "GET",
      "/media/accounts/:account_id/:name",
      Effect.gen(function* () {
        const { params } = yield* HttpRouter.RouteContext
        const query = yield* HttpServerRequest.ParsedSearchParams
        const version = (params["name"] ?? "").replace(/\.webp$/, "")
        const bytes = yield* avatars.open(params["account_id"] ?? "", version, {
          expires: String(query["expires"] ?? ""),
          signature: String(query["signature"] ?? "")
        })
        return HttpServerResponse.uint8Array(bytes, {
          contentType: "image/webp",
          headers: {
            "cache-control": "private, max-age=86400, immutable",
            "content-disposition": "inline",
            "cross-origin-resource-policy": "cross-origin",
            etag: `"${version}"`,
            "x-content-type-options": "nosniff"
          }
        })
      }).pipe(
        Effect.catch((failure) => (isProblem(failure) ? problemResponse(failure) : Effect.die(failure)))
      )
    )
  })
)
