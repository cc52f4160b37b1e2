import { Effect, Stream } from "effect"
import type { HttpRouter } from "effect/http"
import { type Dialect, Exchange, Refused } from "../Exchange.ts"
import type { Fault } from "../Faults.ts"
import { MediaStore, type StoredMedia } from "../MediaStore.ts"
import { authorization, bearerOf } from "../oauth/Bearer.ts"
import { Tokens } from "../oauth/Tokens.ts"
import type { Operation } from "../Platforms.ts"
import { graphDialect } from "./GraphErrors.ts"
import { pull } from "./Pull.ts"

/** The files of a product that come as bytes. */
export interface Uploads {
  readonly platform: "instagram" | "facebook"
  readonly operation: Operation
  /** Below `/rupload.facebook.com`; ends with `:version/:id`. */
  readonly path: HttpRouter.PathInput
  readonly mediaType: string
  /** Bytes. */
  readonly largest: number
  /** How many bytes have arrived of an upload that is still open; undefined: it is not. */
  readonly open: (account: string, id: string) => Effect.Effect<number | undefined>
  /** So many bytes have arrived in order. */
  readonly received: (id: string, bytes: number) => void
  readonly uploaded: (id: string, media: StoredMedia, fault: Fault | undefined) => void
}

/**
 * The bytes of an upload, `POST /rupload.facebook.com/{product}/{v}/{id}`: `Authorization: OAuth`, and `offset`,
 * `file_size` and the bytes from there on, or `file_url`, an address that Meta fetches. What has arrived of an upload that
 * breaks off is kept. Errors `{ debug_info: { retriable, type, message } }`.
 */
export const uploadRoute = Effect.fnUntraced(function* (uploads: Uploads) {
  const { open, platform, received, uploaded } = uploads
  const store = yield* MediaStore
  const exchange = yield* Exchange
  const tokens = yield* Tokens
  const uploading = authorization(
    { platform, invalid: () => refused(401, "NotAuthorizedError", "Authentication error") },
    tokens
  )
  const uploader = exchange.endpoints({
    dialect: uploadDialect(platform),
    caller: (arrived) => uploading(arrived, {}, bearerOf(arrived.request, "OAuth") ?? "")
  })

  return uploader("POST", uploads.path, {
    operation: uploads.operation,
    read: ({ account, path: { id = "" }, request }) =>
      Effect.gen(function* () {
        const before = yield* open(account, id)
        const { headers } = request
        if (before === undefined) {
          return yield* refused(400, "ProcessingFailedError", "Request processing failed (1363008)")
        }
        const { file_url: address } = headers
        if (address !== undefined) {
          const file = yield* pull(store, address, {
            unreachable: null,
            objection: (_type, length) => (length > uploads.largest ? null : undefined),
            headBytes: 0
          })
          return file === null
            ? yield* refused(400, "ProcessingFailedError", "The file_url could not be fetched (1363008)")
            : { id, media: file.keep }
        }
        const [offset, size] = [
          Number(headers["offset"] ?? Number.NaN),
          Number(headers["file_size"] ?? Number.NaN)
        ]
        if (!Number.isSafeInteger(size) || size > uploads.largest || offset !== before) {
          return yield* refused(
            400,
            "PartialRequestError",
            `offset is ${headers["offset"]}, ${before} bytes have arrived; file_size is ${headers["file_size"]}`
          )
        }
        let arrived = offset
        const bytes = Stream.tap(request.stream, (chunk) => Effect.sync(() => void (arrived += chunk.length)))
        const end = yield* store
          .append(id, offset, bytes)
          .pipe(Effect.tapError(() => Effect.sync(() => received(id, arrived))))
        if (end !== size) {
          received(id, end)
          return yield* refused(400, "PartialRequestError", "Partial request (did not match length of file)")
        }
        return { id, media: store.assemble(id, size, uploads.mediaType) }
      }),
    answer: ({ fault }, { id, media }) =>
      Effect.map(media, (kept) => {
        uploaded(id, kept, fault)
        return { success: true, message: "Upload successful." }
      })
  })
})

const uploadDialect = (platform: Uploads["platform"]): Dialect => {
  const dialect = graphDialect(platform)
  return {
    ...dialect,
    errorBody: (type, message) => ({ debug_info: { retriable: false, type, message } }),
    words: { ...dialect.words, unauthorized: { status: 401, code: "NotAuthorizedError" } }
  }
}

const refused = (status: number, code: string, message: string) => new Refused({ status, code, message })
