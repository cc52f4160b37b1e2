import { ByteSize, Clock, Effect, Stream } from "effect"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import { type Dialect, Refused } from "../Exchange.ts"
import type { MediaStore, ReceivedMedia } from "../MediaStore.ts"
import { sha256 } from "../Redaction.ts"
import type { Upload } from "./Pinterest.ts"
import { refused } from "./PinterestAuthorization.ts"

/** Errors of the store that uploads go to. */
export const uploadDialect: Dialect = {
  platform: "pinterest",
  errorType: "application/xml",
  errorBody: (code, message) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
  words: {
    forbidden: { status: 403, code: "AccessDenied" },
    unauthorized: { status: 403, code: "AccessDenied" },
    rate_limited: { status: 503, code: "SlowDown" },
    server_error: { status: 500, code: "InternalError" }
  }
}

const maximumBytes = 2_000_000_000

interface SentFile {
  readonly owner: Upload
  readonly file: ReceivedMedia
}

/** Takes the file of a form whose earlier fields are those that were given out. */
export const readForm = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  uploadOf: (key: string) => Upload | undefined,
  store: MediaStore["Service"]
) {
  const fields = new Map<string, string>()
  let sent: SentFile | Refused | undefined
  yield* Stream.runForEach(
    request.multipartStream,
    Effect.fnUntraced(function* (part) {
      if (part._tag === "Field") {
        if (sent === undefined) fields.set(part.key, part.value)
        return
      }
      const owner = uploadOf(fields.get("key") ?? "")
      const problem = fileProblem(sent, part.key, fields, owner, yield* Clock.currentTimeMillis)
      if (problem !== undefined || owner === undefined) {
        sent = problem
        // A client that is still sending may never see an answer.
        return yield* Stream.runDrain(part.content)
      }
      sent = { owner, file: yield* store.receive("video/mp4", part.content) }
    })
  ).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(maximumBytes + 100_000)),
    Effect.catchTag("MultipartError", ({ message }) => refused(400, "MalformedPOSTRequest", message))
  )
  if (sent instanceof Refused) return yield* sent
  return sent ?? (yield* noFile)
})

/** The store's objection to a file, from the fields before it. */
const fileProblem = (
  sent: unknown,
  name: string,
  fields: ReadonlyMap<string, string>,
  owner: Upload | undefined,
  now: number
): Refused | undefined => {
  if (name !== "file" || sent !== undefined) return noFile
  if (owner === undefined) return refused(403, "AccessDenied", "Invalid according to Policy.")
  const wrong = Object.entries(owner.parameters_sha256 ?? { key: "" }).find(
    ([field, hash]) => sha256(fields.get(field) ?? "") !== hash
  )
  if (wrong !== undefined) return refused(403, "AccessDenied", `Invalid according to Policy: ${wrong[0]}.`)
  return owner.expires_at <= now
    ? refused(403, "AccessDenied", "Invalid according to Policy: Policy expired.")
    : undefined
}

const noFile = refused(400, "InvalidArgument", "POST requires exactly one file, in the field file.")
