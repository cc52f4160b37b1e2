import { Effect, Stream } from "effect"
import { type Dialect, Exchange, Refused } from "../Exchange.ts"
import { MediaStore } from "../MediaStore.ts"
import { authorization, bearerOf } from "../oauth/Bearer.ts"
import { Tokens } from "../oauth/Tokens.ts"
import { graphDialect } from "./GraphErrors.ts"
import { Instagram } from "./Instagram.ts"

const uploadDialect: Dialect = {
  ...graphDialect,
  errorBody: (type, message) => ({ debug_info: { retriable: false, type, message } }),
  words: { ...graphDialect.words, unauthorized: { status: 401, code: "NotAuthorizedError" } }
}

/**
 * The bytes of a resumable upload, `POST /rupload.facebook.com/ig-api-upload/{v}/{container}`: `Authorization: OAuth`, `offset`,
 * `file_size`, the bytes from there on; of an upload that breaks off what has arrived is kept. Errors
 * `{ debug_info: { retriable, type, message } }`.
 */
export const uploadRoute = Effect.gen(function* () {
  const instagram = yield* Instagram
  const store = yield* MediaStore
  const exchange = yield* Exchange
  const tokens = yield* Tokens
  const uploading = authorization(
    {
      platform: "instagram",
      invalid: () => uploadRefused(401, "NotAuthorizedError", "Authentication error")
    },
    tokens
  )
  const uploader = exchange.endpoints({
    dialect: uploadDialect,
    caller: (arrived) => uploading(arrived, {}, bearerOf(arrived.request, "OAuth") ?? "")
  })

  return uploader("POST", "/rupload.facebook.com/ig-api-upload/:version/:container", {
    operation: "upload",
    read: ({ account, path: { container: id = "" }, request }) =>
      Effect.gen(function* () {
        const container = instagram.container(account, id)
        const { headers } = request
        const [offset, size] = [
          Number(headers["offset"] ?? Number.NaN),
          Number(headers["file_size"] ?? Number.NaN)
        ]
        if (
          container === undefined ||
          container.media !== null ||
          (yield* instagram.status(container)) === "EXPIRED"
        ) {
          return yield* uploadRefused(400, "ProcessingFailedError", "Request processing failed (1363008)")
        }
        if (!Number.isSafeInteger(size) || offset !== container.received) {
          return yield* uploadRefused(
            400,
            "PartialRequestError",
            `offset is ${headers["offset"]}, ${container.received} bytes have arrived; file_size is ${headers["file_size"]}`
          )
        }
        let arrived = offset
        const bytes = Stream.tap(request.stream, (chunk) => Effect.sync(() => void (arrived += chunk.length)))
        const end = yield* store
          .append(id, offset, bytes)
          .pipe(Effect.tapError(() => Effect.sync(() => instagram.received(id, arrived))))
        if (end !== size) {
          instagram.received(id, end)
          return yield* uploadRefused(
            400,
            "PartialRequestError",
            "Partial request (did not match length of file)"
          )
        }
        return { id, size }
      }),
    answer: (_call, { id, size }) =>
      Effect.as(instagram.uploaded(id, size, "video/mp4"), {
        success: true,
        message: "Upload successful."
      })
  })
})

const uploadRefused = (status: number, code: string, message: string) =>
  new Refused({ status, code, message })
