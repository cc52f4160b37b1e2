import { type MimeType, mimeTypes, problem } from "@carillon/domain"
import { Effect } from "effect"
import type { AppConfig } from "../../AppConfig.ts"

const article = { image: "an image", video: "a video", document: "a document" } as const

/** Refuses a file that is larger than its kind may be. */
export const checkSize = Effect.fnUntraced(function* (
  maximumBytes: AppConfig["Service"]["maximumBytes"],
  mimeType: MimeType,
  sizeBytes: number
) {
  const kind = mimeTypes[mimeType]
  const maximum = maximumBytes[kind]
  if (sizeBytes > maximum) {
    return yield* problem("upload_too_large", [
      {
        path: "size_bytes",
        code: "upload_too_large",
        message: `size_bytes is ${sizeBytes}; ${article[kind]} may have ${maximum} bytes at most. Send a smaller file.`
      }
    ])
  }
})
