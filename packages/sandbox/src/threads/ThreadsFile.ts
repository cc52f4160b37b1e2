import { Effect, type Scope } from "effect"
import type { Refused } from "../Exchange.ts"
import { graphError } from "../meta/GraphErrors.ts"
import { jpegSize } from "../JpegSize.ts"
import type { MediaStore, StoredMedia } from "../MediaStore.ts"
import { pull } from "../meta/Pull.ts"

const maximumImage = 8_000_000
const maximumVideo = 1_000_000_000
const maximumRatio = 10

const refusals = {
  "9004/2207052": "The media could not be fetched from this URI.",
  "36000/2207004": "The image is too large to download. It should be less than 8 MB.",
  "36001/2207005": "The image format is not supported: supported formats are JPEG and PNG.",
  "36003/2207009": "The submitted image has an aspect ratio that is not allowed: at most 10:1."
} as const
type Refusal = keyof typeof refusals

/** A picture is refused at once. A narrow or a wide one is scaled, so its width does not matter. */
export const picture = Effect.fnUntraced(function* (
  store: MediaStore["Service"],
  url: string
): Effect.fn.Return<StoredMedia, Refused, Scope.Scope> {
  const refuse = (code: Refusal) => graphError(code, refusals[code])
  const file = yield* pull<Refusal>(store, url, {
    unreachable: "9004/2207052",
    objection: (type, length) => {
      if (type !== "image/jpeg" && type !== "image/png") return "36001/2207005"
      return length > maximumImage ? "36000/2207004" : undefined
    },
    headBytes: maximumImage
  })
  if (typeof file === "string") return yield* refuse(file)
  const size = sizeOf(file.content_type, file.head)
  if (size === null) return yield* refuse("36001/2207005")
  const { height, width } = size
  if (Math.max(width / height, height / width) > maximumRatio) return yield* refuse("36003/2207009")
  return yield* file.keep
})

/** Why a container with a video ends in `ERROR`. */
type VideoProblem = "FAILED_DOWNLOADING_VIDEO" | "FAILED_PROCESSING_VIDEO"

/** What is wrong with a video is said by its container. */
export const video = Effect.fnUntraced(function* (
  store: MediaStore["Service"],
  url: string
): Effect.fn.Return<StoredMedia, VideoProblem, Scope.Scope> {
  const file = yield* pull<VideoProblem>(store, url, {
    unreachable: "FAILED_DOWNLOADING_VIDEO",
    objection: (type, length) =>
      (type !== "video/mp4" && type !== "video/quicktime") || length > maximumVideo
        ? "FAILED_PROCESSING_VIDEO"
        : undefined,
    headBytes: 0
  })
  return yield* typeof file === "string" ? Effect.fail(file) : file.keep
})

/** Width and height, which a PNG has in its first chunk. */
const sizeOf = (type: string, bytes: Uint8Array) => {
  if (type === "image/jpeg") return jpegSize(bytes)
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return png.length < 24 || png.toString("latin1", 12, 16) !== "IHDR"
    ? null
    : { width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
}
