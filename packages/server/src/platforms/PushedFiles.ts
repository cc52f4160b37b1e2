import { Effect, Option, Schema } from "effect"
import type { Handle } from "../engine/Handle.ts"
import { measured, PushedFile } from "./MultipartForm.ts"
import type { PublishRequest } from "./Platform.ts"
import { readHandleWith } from "./StoredHandle.ts"

/** The handle where the commit itself sends the files: what each will be, by media id. */
const PushedFiles = Schema.Struct({ files: Schema.Record(Schema.String, PushedFile) })

const decode = Schema.decodeUnknownOption(PushedFiles)

/** `prepare` where the commit itself sends the files: they are measured once. */
export const preparePushed = Effect.fnUntraced(function* (request: PublishRequest, saved: Handle | null) {
  const known = Option.getOrUndefined(decode(saved))
  if (known !== undefined) return { _tag: "ready" as const, handle: { files: known.files } satisfies Handle }
  const facts = yield* measured(request.media)
  const files = Object.fromEntries(request.media.map(({ id }, index) => [id, facts[index]!]))
  return { _tag: "ready" as const, handle: { files } satisfies Handle }
})

export const readPushed = (platform: string) => readHandleWith(decode, platform)
