import { Effect, type Scope } from "effect"
import type { MediaStore, ReceivedMedia } from "../MediaStore.ts"
import { pull } from "../meta/Pull.ts"
import { jpegSize } from "../JpegSize.ts"

const maximumImage = 8_000_000
const maximumVideo = 300_000_000

/** A subcode: why Meta did not take the file. */
type Subcode = "2207052" | "2207004" | "2207005" | "2207009" | "2207026"

/** Fetches a file, and checks whether Instagram can publish it. */
export const instagramFile = Effect.fnUntraced(function* (
  store: MediaStore["Service"],
  url: string,
  kind: "image" | "video",
  ratio: "any" | "feed"
): Effect.fn.Return<ReceivedMedia | Subcode, never, Scope.Scope> {
  const file = yield* pull<Subcode>(store, url, {
    unreachable: "2207052",
    objection: (type, length) => {
      if (kind === "image") {
        return type !== "image/jpeg" ? "2207005" : length > maximumImage ? "2207004" : undefined
      }
      const isVideo = type === "video/mp4" || type === "video/quicktime"
      return isVideo && length <= maximumVideo ? undefined : "2207026"
    },
    headBytes: kind === "image" ? maximumImage : 0
  })
  if (typeof file === "string" || kind === "video") return file
  const size = jpegSize(file.head)
  if (size === null) return "2207005"
  // Sides are whole pixels, so the ratio is met to within one of them.
  const outside = size.width < (size.height - 1) * 0.8 || size.width > (size.height + 1) * 1.91
  return ratio === "feed" && outside ? "2207009" : file
})
