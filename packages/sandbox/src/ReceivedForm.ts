import { type ByteSize, Effect, Stream } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import type { Refused } from "./Exchange.ts"
import type { MediaStore, ReceivedMedia } from "./MediaStore.ts"

/** A file of a form, as it arrived. */
export interface SentFile extends ReceivedMedia {
  readonly filename: string
  readonly content_type: string
}

/** The fields and files of a form by their names; undefined: the body is no form. */
export const receivedForm = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  store: MediaStore["Service"],
  largest: ByteSize.ByteSize,
  refusal: (message: string) => Refused
) {
  if (!(request.headers["content-type"] ?? "").startsWith("multipart/form-data")) return undefined
  const fields = new Map<string, string>()
  const files = new Map<string, SentFile>()
  yield* Stream.runForEach(
    request.multipartStream,
    Effect.fnUntraced(function* (part) {
      if (part._tag === "Field") return void fields.set(part.key, part.value)
      const file = yield* store.receive(part.contentType, part.content)
      files.set(part.key, { ...file, filename: part.name, content_type: part.contentType })
    })
  ).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, largest),
    Effect.catchTag("MultipartError", ({ message }) => refusal(message))
  )
  return { fields, files }
})
