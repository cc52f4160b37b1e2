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

const units = [
  ["GiB", 1024 ** 3],
  ["MiB", 1024 ** 2],
  ["KiB", 1024]
] as const

/** `50 MiB`; a size that is no whole number of a unit is in a smaller one. */
const inUnits = (bytes: number) => {
  const [unit, size] = units.find(([, size]) => bytes % size === 0) ?? ["bytes", 1]
  return `${bytes / size} ${unit}`
}

/** How large a file of each kind may be, in a sentence. */
export const mostOfEach = ({ image, video, document }: AppConfig["Service"]["maximumBytes"]) =>
  `Pictures may have ${inUnits(image)}, PDFs ${inUnits(document)}, videos ${inUnits(video)}.`
