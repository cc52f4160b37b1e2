import { Effect, type Scope } from "effect"
import type { MediaStore, ReceivedMedia } from "../MediaStore.ts"
import { jpegSize } from "../JpegSize.ts"
import { metaFetch } from "../meta/MetaFetch.ts"

const maximumImage = 8_000_000
const maximumVideo = 300_000_000

/** A subcode: why Meta did not take the file. */
type Subcode = "2207052" | "2207004" | "2207005" | "2207009" | "2207026"

/** Fetches a file and checks whether it can be published. */
export const pull = (
  store: MediaStore["Service"],
  url: string,
  kind: "image" | "video",
  ratio: "any" | "feed"
): Effect.Effect<ReceivedMedia | Subcode, never, Scope.Scope> =>
  metaFetch<Subcode>(store, url, "2207052", (type, length) => {
    if (kind === "image" && type !== "image/jpeg") return "2207005"
    if (kind === "video" && type !== "video/mp4" && type !== "video/quicktime") return "2207026"
    if (length > (kind === "image" ? maximumImage : maximumVideo)) {
      return kind === "image" ? "2207004" : "2207026"
    }
    return undefined
  }).pipe(
    Effect.map(({ bytes, received }): ReceivedMedia | Subcode => {
      if (kind === "video") return received
      const size = jpegSize(bytes)
      if (size === null) return "2207005"
      // Sides are whole pixels, so the ratio is met to within one of them.
      const outside = size.width < (size.height - 1) * 0.8 || size.width > (size.height + 1) * 1.91
      return ratio === "feed" && outside ? "2207009" : received
    }),
    Effect.catch((subcode) => Effect.succeed(subcode))
  )
